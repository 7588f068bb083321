"""`longsum questions`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from longsum.cli.command import Command
from longsum.cli.options import (
    EndpointOptions,
    FormatOption,
    InputOptions,
    OutputOptions,
    Source,
)
from longsum.cli.streams import bar, hide_bars_of_transformers, progress, warn_of
from longsum.common.wording import counted

EXAMPLES = (
    "longsum questions report.pdf --depth 2",
    "longsum questions report.pdf --question 'What does it cost?'",
    "longsum questions report.pdf -o questions.html",
)


@dataclass(frozen=True, slots=True)
class Tree:
    """The shape of the tree."""

    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            "-d",
            metavar="N",
            help="Number of levels to show: 1 is the document alone, 2 adds its sections; all by "
            "default.",
        ),
    ] = None
    question: Annotated[
        str | None,
        typer.Option(
            "--question",
            "-q",
            metavar="TEXT",
            help="Ask the document a question; below the answer are the sections most relevant "
            "to it.",
        ),
    ] = None
    length: Annotated[
        str,
        typer.Option(
            "--length",
            "-l",
            metavar="LENGTH",
            help="Maximum length of each summary: 50w or '50 words', 2s (sentences), or 8% of the "
            "text it summarizes.",
        ),
    ] = "50w"


def questions(
    source: Source,
    *,
    wanted: Tree,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            metavar="MODEL",
            help="Model to use: the folder of a trained extractor, of a model trained on the task "
            "question_hierarchy or of a language model, or the address of one.",
        ),
    ] = None,
    form: FormatOption = "text",
    language_model: EndpointOptions,
    work: Annotated[
        Path | None,
        typer.Option(
            "--work",
            metavar="FOLDER",
            help="Keep the answers of a language model in this folder, so that an interrupted run "
            "can resume.",
        ),
    ] = None,
    read: InputOptions,
    output: OutputOptions,
) -> None:
    """Print a document as a tree of questions and summaries.

    At the top is a summary of the whole, then one of each section with everything below it, under
    the section's heading; a heading that is a question is kept as one. A summary does not repeat
    what those above it say, as long as there is something else to say.
    """
    output.check()
    from longsum.core.loading import is_chat, is_hugging_face
    from longsum.core.model_settings import check_takes
    from longsum.core.summaries import Budget
    from longsum.core.summaries.question_summary import questions_to_markdown
    from longsum.core.systems.system import TreeOptions
    from longsum.core.tree_makers import load_tree_maker

    options = TreeOptions(Budget.parse(wanted.length), wanted.depth, wanted.question)
    for_models = {"work": work is not None, "estimate": language_model.estimate}
    check_takes(model, {name: True for name, given in for_models.items() if given})
    document = read.read(source)
    with progress("Loading"):
        if model is not None and is_hugging_face(model):
            hide_bars_of_transformers()
        maker = load_tree_maker(model, **language_model.settings)
    doing = f"Summarizing {counted(len(document.walk()), 'section')}"
    if model is None or not is_chat(model):
        with progress(doing):
            tree = maker.make(document, options)
    else:
        from longsum.writers.question_trees import WrittenTreeMaker

        assert isinstance(maker, WrittenTreeMaker)
        if language_model.estimate:
            output.write(f"{maker.estimate(document, options)}\n")
            return
        with bar(doing, "node", note=lambda: maker.writer.spent) as show:
            resumed = maker.resuming_in(work, lambda _, done, total: show(done, total, doing))
            tree = resumed.make(document, options)
    warn_of(tree.notices)
    output.write_as(
        form,
        json=tree.to_dict,
        html=tree.to_html,
        markdown=lambda: questions_to_markdown(tree),
        text=lambda: str(tree),
    )


COMMAND = Command(questions, "Summarize a document as a tree of questions.", EXAMPLES)
