"""`longsum questions`."""

from typing import TYPE_CHECKING, Annotated

import typer

from longsum.cli.options import Force, Format, Output, Source
from longsum.cli.streams import check_output, progress, warn, write_result

if TYPE_CHECKING:
    from longsum.summaries.question_summary import QuestionSummary


def questions(
    source: Source,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            "-d",
            help="At most so many levels: 1 the document alone, 2 its sections too; all by "
            "default.",
        ),
    ] = None,
    question: Annotated[
        str | None,
        typer.Option(
            "--question",
            "-q",
            help="Ask this of the document: its answer, and below it the sections that matter most "
            "to it.",
        ),
    ] = None,
    length: Annotated[
        str,
        typer.Option(
            "--length",
            "-l",
            help="At most this long, each node: words 50w, sentences 2s, or a share 8% of the text "
            "that it stands for.",
        ),
    ] = "50w",
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="Let this model choose or write: the folder of a trained extractor, or of a model "
            "trained on the task question_hierarchy.",
        ),
    ] = None,
    form: Annotated[
        Format, typer.Option("--format", "-f", help="How to write the tree.")
    ] = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Print a tree of questions and summaries: the whole document, its sections, what is below.

    Each node is a summary of its section with all below it, under the section's heading; a heading
    that is a question is the question. What a node says, those below it do not say again as long
    as they have something else to say.
    """
    check_output(output, force)
    if model is not None:
        from longsum.models.folders import check_model

        # Before what takes long to import.
        check_model(model)
    from longsum.documents.readers import read
    from longsum.summaries import Budget
    from longsum.systems.question_trees import TreeOptions, load_tree_maker

    options = TreeOptions(Budget.parse(length), depth, question)
    with progress("Reading"):
        document = read(source)
    with progress("Loading"):
        maker = load_tree_maker(model)
    with progress(f"Summarizing {len(document.walk())} sections"):
        tree = maker.make(document, options)
        text = _written(tree, form)
    warn(tree.warnings)
    write_result(text, output)


def _written(tree: "QuestionSummary", form: Format) -> str:
    from longsum.summaries import question_summary as forms

    if form is Format.json:
        from longsum.summaries.result_file import dump_json

        return dump_json(forms.questions_to_json(tree))
    if form is Format.html:
        from longsum.reports.question_page import render_questions

        return render_questions(tree)
    if form is Format.markdown:
        return forms.questions_to_markdown(tree)
    return forms.questions_to_text(tree)
