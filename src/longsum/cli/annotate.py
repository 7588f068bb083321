"""`longsum annotate`: `make` writes the pages of a study, `read` prints its results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from longsum.cli.command import Command, ungrouped
from longsum.cli.options import (
    OutputOptions,
    ReadLimit,
    Root,
    Seed,
    Split,
    data_sets,
    parsed_limits,
    written_form,
)
from longsum.cli.streams import check_outputs, progress, write_result
from longsum.common.errors import LongsumError
from longsum.common.wording import quote

EXAMPLES = (
    "longsum annotate make faithfulness summaries.jsonl --data squality --split test -o study",
    "longsum annotate make best-worst stepwise.json lead.json --source report.pdf -o study",
    "longsum annotate make fact-checks *.json --questions facts.jsonl --source report.pdf -o study",
    "longsum annotate read annotator-*.json --key study/key.json",
)
ABOUT = """Let people judge summaries or question trees, and read their judgments.

`make` writes a page for each annotator and a key; annotators return the files that they saved in
their pages; `read` prints the results.
"""

if TYPE_CHECKING:
    from longsum.documents.readers import ReadLimits
    from longsum.lab.studies.candidates import Candidate, Originals
    from longsum.lab.studies.study import Kind

annotate = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@dataclass(frozen=True, slots=True)
class KindOptions:
    """The kind of study, and the options of single kinds."""

    study: Annotated[
        Literal["faithfulness", "trees", "best-worst", "fact-checks", "questions"],
        typer.Argument(
            metavar="STUDY",
            help="What people do: label aspects and errors of sentences and rate summaries "
            "(faithfulness), correct question trees (trees), choose the best and worst of a few "
            "summaries (best-worst), answer questions from growing summaries (fact-checks), or ask "
            "questions about texts (questions).",
        ),
    ]
    aspects: Annotated[
        Literal["auto", "report", "paper", "none"],
        typer.Option(
            "--aspects",
            help="Faithfulness: the aspects of reports or papers, or none; by default those that "
            "the document's reference is labelled with.",
        ),
    ] = "auto"
    size: Annotated[
        int | None,
        typer.Option(
            "--size",
            metavar="N",
            help="Best-worst: summaries that are compared at once; 2 by default.",
        ),
    ] = None
    tuples: Annotated[
        int | None,
        typer.Option(
            "--tuples",
            metavar="N",
            min=1,
            help="Best-worst: comparisons for each document; by default enough for every two "
            "systems to meet.",
        ),
    ] = None
    criterion: Annotated[
        list[str] | None,
        typer.Option(
            "--criterion",
            metavar="NAME=QUESTION",
            help=(
                "Best-worst: what is asked, in place of informativeness and readability; repeat "
                "the option for each."
            ),
        ),
    ] = None
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions",
            metavar="FILE",
            help='Fact checks: a line of JSON for each question, {"id": …, "question": …, '
            '"answer": "yes" or "no"}.',
        ),
    ] = None

    def check(self) -> None:
        """Refuse an option that does not apply to this study."""
        given = (
            ("--aspects", "faithfulness", self.aspects != "auto"),
            ("--size", "best-worst", self.size),
            ("--tuples", "best-worst", self.tuples),
            ("--criterion", "best-worst", self.criterion),
            ("--questions", "fact-checks", self.questions),
        )
        for option, study, value in given:
            if value and study != self.study:
                raise LongsumError(
                    f"{option} is for the study '{study}'; leave it out of '{self.study}'."
                )

    def kind(self, limits: "ReadLimits") -> "Kind":
        """Return the chosen kind of study."""
        from longsum.lab.studies.best_worst import CRITERIA, PAIR, BestWorst
        from longsum.lab.studies.fact_checks import FactChecks, parse_questions
        from longsum.lab.studies.faithfulness import Faithfulness
        from longsum.lab.studies.tree_studies import QuestionWriting, TreeCorrections

        if self.study == "faithfulness":
            return Faithfulness(self.aspects)
        if self.study == "trees":
            return TreeCorrections()
        if self.study == "questions":
            return QuestionWriting()
        if self.study == "best-worst":
            criteria = _criteria(self.criterion or ()) or CRITERIA
            return BestWorst(self.size or PAIR, self.tuples, criteria)
        if self.questions is None:
            raise LongsumError("Fact checks need questions; give a file of them with --questions.")
        return FactChecks(parse_questions(*_text(self.questions, limits)))


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents that were summarized, and how files are read."""

    source: Annotated[
        list[str] | None,
        typer.Option(
            "--source",
            metavar="FILE",
            help=(
                "A document that was summarized, which annotators may read; repeat the option for "
                "each."
            ),
        ),
    ] = None
    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            metavar="SET",
            autocompletion=data_sets,
            help="The data set that has the documents, with their reference summaries.",
        ),
    ] = None
    split: Split = "validation"
    root: Root = None
    read_limit: ReadLimit = None

    def originals(self, made: "Sequence[Candidate]") -> "Originals":
        """Read the documents that were summarized."""
        from longsum.documents.readers import read as read_document
        from longsum.evaluation.datasets import load
        from longsum.lab.studies.candidates import Original, Originals

        limits = parsed_limits(self.read_limit)
        given = (read_document(path, limits=limits) for path in self.source or ())
        documents = Originals.of_documents(given)
        if self.data is None:
            return documents
        wanted = {each.document for each in made}
        return documents.with_examples(
            (example.id, Original(example.document, example.references))
            for example in load(self.data, self.split, root=self.root)
            if example.id in wanted
        )


@annotate.command(short_help="Write a page for each annotator, and the key.")
@ungrouped
def make(
    asked: KindOptions,
    inputs: Annotated[
        list[Path],
        typer.Argument(
            metavar="INPUT...",
            help="Summaries or trees: what summarize and questions write with --format json, or "
            "what evaluate writes with --summaries.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FOLDER", help="A new or empty folder."),
    ],
    annotators: Annotated[
        int, typer.Option("--annotators", metavar="N", min=1, help="Number of annotators.")
    ] = 3,
    raters: Annotated[
        int | None,
        typer.Option(
            "--raters",
            metavar="N",
            min=1,
            help=(
                "How many of them judge each document; by default as in the paper: 2 for "
                "faithfulness, 3 for trees and best-worst, 1 for questions. Fact checks go to all."
            ),
        ),
    ] = None,
    *,
    given: Documents,
    with_references: Annotated[
        bool,
        typer.Option(
            "--with-references", help="Judge the reference summaries too, as one more system."
        ),
    ] = False,
    seed: Seed = 0,
) -> None:
    """Write a study: a page for each annotator, which needs no network, and the key.

    The pages do not name systems, and everything is in random order. The key says which system made
    what: keep it to yourself.
    """
    from longsum.lab.studies.candidates import parse_candidates
    from longsum.lab.studies.study import make_study
    from longsum.lab.studies.study_files import check_folder, write_study

    check_folder(output)
    asked.check()
    if asked.study == "fact-checks" and raters is not None:
        raise LongsumError(
            "In fact checks, all annotators judge every document; leave out --raters."
        )
    limits = parsed_limits(given.read_limit)
    kind = asked.kind(limits)
    with progress("Reading"):
        made = [each for path in inputs for each in parse_candidates(*_text(path, limits))]
        documents = given.originals(made)
        if with_references:
            made = documents.with_references(made)
    study = make_study(kind, made, documents, people=annotators, raters=raters, seed=seed)
    written = write_study(study, output)
    lines = [*map(str, written), "", *(str(spread) for spread in study.spreads())]
    write_result("\n".join(lines) + "\n", None)


@annotate.command(short_help="Print the results of a study.")
@ungrouped
def read(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="The files that annotators saved.")
    ],
    key: Annotated[
        Path,
        typer.Option("--key", metavar="FILE", help="The key, which was written beside the pages."),
    ],
    form: Annotated[Literal["text", "json", "csv"], written_form("text", "json", "csv")] = "text",
    trees: Annotated[
        Path | None,
        typer.Option(
            "--trees",
            metavar="FILE",
            help="Write the trees of questions to this file, one line of JSON each.",
        ),
    ] = None,
    seed: Seed = 0,
    *,
    output: OutputOptions,
) -> None:
    """Print the results of a study by system, with 95 % intervals over documents, and agreement."""
    check_outputs((output.output, trees), output.force)
    from longsum.cli.result_tables import format_study
    from longsum.lab.studies.results import read_study
    from longsum.lab.studies.study_files import read_key, read_saved

    results = read_study(read_key(key), [(file.name, read_saved(file)) for file in files], seed)
    if trees is not None:
        write_result(results.trees_as_lines(), trees)
    output.write_as(
        form, json=results.to_json, csv=results.to_csv, text=lambda: format_study(results)
    )


def _criteria(given: Iterable[str]) -> dict[str, str]:
    criteria = {}
    for each in given:
        name, _, question = each.partition("=")
        if not name.strip() or not question.strip():
            raise LongsumError(
                f"{quote(each)} is not a criterion; give a name and a question, such as "
                "--criterion 'clarity=Which is clearer?'."
            )
        criteria[name.strip()] = question.strip()
    return criteria


def _text(path: Path, limits: "ReadLimits") -> tuple[str, str]:
    """Return the text of a file, and its name."""
    from longsum.documents.readers.decode import decode
    from longsum.documents.readers.reading import load

    data, name = load(path, limits)
    return decode(data, name)[0], name


COMMAND = Command(
    annotate,
    "Let people judge summaries, and evaluate their judgments.",
    EXAMPLES,
    ABOUT,
)
