"""`longsum questions`."""

from typing import TYPE_CHECKING, Annotated

import typer

from longsum.cli.command import Command
from longsum.cli.options import Cache, Force, Format, Keep, Output, ReadLimit, Source, read_input
from longsum.cli.streams import check_output, progress, warn_of, write_result
from longsum.common.wording import counted

EXAMPLES = (
    "longsum questions report.pdf --depth 2",
    "longsum questions report.pdf --question 'What does it cost?'",
    "longsum questions report.pdf --format html -o questions.html",
)

if TYPE_CHECKING:
    from longsum.core.summaries.question_summary import QuestionSummary


def questions(
    source: Source,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            "-d",
            metavar="N",
            help="Number of levels to show: 1 is the document alone, 2 adds its sections; all by "
            "default.",
        ),
    ] = None,
    question: Annotated[
        str | None,
        typer.Option(
            "--question",
            "-q",
            metavar="TEXT",
            help="Ask the document a question; below the answer are the sections most relevant "
            "to it.",
        ),
    ] = None,
    length: Annotated[
        str,
        typer.Option(
            "--length",
            "-l",
            metavar="LENGTH",
            help="Maximum length of each summary: 50w or '50 words', 2s (sentences), or 8% of the "
            "text it summarizes.",
        ),
    ] = "50w",
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            metavar="FOLDER",
            help="Folder of the model to use: a trained extractor, or a model trained on the task "
            "question_hierarchy.",
        ),
    ] = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.text,
    read_limit: ReadLimit = None,
    cache: Cache = None,
    keep: Keep = "",
    output: Output = None,
    force: Force = False,
) -> None:
    """Print a document as a tree of questions and summaries.

    At the top is a summary of the whole, then one of each section with everything below it, under
    the section's heading; a heading that is a question is kept as one. A summary does not repeat
    what those above it say, as long as there is something else to say.
    """
    check_output(output, force)
    from longsum.core.loading import load_tree_maker
    from longsum.core.summaries import Budget
    from longsum.core.systems.system import TreeOptions

    options = TreeOptions(Budget.parse(length), depth, question)
    document = read_input(source, read_limit, cache, keep)
    with progress("Loading"):
        maker = load_tree_maker(model)
    with progress(f"Summarizing {counted(len(document.walk()), 'section')}"):
        tree = maker.make(document, options)
        text = _written(tree, form)
    warn_of(tree.notices)
    write_result(text, output)


def _written(tree: "QuestionSummary", form: Format) -> str:
    if form is Format.json:
        from longsum.core.summaries.result_file import dump_json

        return dump_json(tree.to_dict())
    if form is Format.html:
        return tree.to_html()
    if form is Format.markdown:
        from longsum.core.summaries.question_formats import questions_to_markdown

        return questions_to_markdown(tree)
    return str(tree)


COMMAND = Command(questions, "Summarize a document as a tree of questions.", EXAMPLES)
