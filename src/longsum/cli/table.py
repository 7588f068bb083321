"""`longsum table`."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longsum.cli.command import Command
from longsum.cli.options import Format, FormatOption, OutputOptions, ReadLimit, parsed_limits
from longsum.cli.streams import progress, warn
from longsum.cli.streams import table as aligned
from longsum.common.errors import LongsumError
from longsum.common.wording import counted

EXAMPLES = (
    "longsum table game.json",
    "longsum table games.jsonl --game 12 -o game.html",
    "longsum table game.json --plan-only -o plan.json",
    "longsum table game.json --plan plan.json",
    "longsum table game.json --planner table-ranker",
    "longsum table game.json --realizer runs/realizer",
    "longsum table game.json --realizer http://127.0.0.1:8080/v1#NAME",
    "longsum table planets.csv --schema planets.yaml",
    "longsum table game.json --check report.txt",
    "longsum table games.jsonl --scores reports.txt",
)

if TYPE_CHECKING:
    from longsum.documents.readers import ReadLimits
    from longsum.tables.plan import Plan
    from longsum.tables.report import Report
    from longsum.tables.table import Table


_PLAIN = ("text", "json")
"""The formats of everything except reports."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is made from a table, and by which components."""

    plan_only: Annotated[
        bool,
        typer.Option("--plan-only", help="Write the plan of the report, as JSON to edit."),
    ] = False
    plan: Annotated[
        Path | None,
        typer.Option(
            "--plan", metavar="FILE", help="Report the entries of this plan, and nothing else."
        ),
    ] = None
    planner: Annotated[
        str | None,
        typer.Option(
            "--planner",
            metavar="NAME",
            help=(
                "The planner of the report: table-rules (default); table-ranker or "
                "table-stepwise, which are trained on games; or the folder of one of your own "
                "(longsum train informed-hibert-planner)."
            ),
        ),
    ] = None
    realizer: Annotated[
        str | None,
        typer.Option(
            "--realizer",
            metavar="NAME",
            help=(
                "What puts the plan into words: table-templates (default), or the folder of a "
                "trained model (longsum train table-realizer); where it says more than the plan, "
                "the template is used. Or a language model: its folder, or its address, such as "
                "http://127.0.0.1:8080/v1#NAME."
            ),
        ),
    ] = None
    allow_net: Annotated[
        bool,
        typer.Option(
            "--allow-net",
            help="Allow an endpoint on another machine, to which the plan is sent.",
        ),
    ] = False
    check: Annotated[
        Path | None,
        typer.Option(
            "--check",
            metavar="FILE",
            help="Instead of writing a report, show where this text differs from the table.",
        ),
    ] = None
    scores: Annotated[
        Path | None,
        typer.Option(
            "--scores",
            metavar="FILE",
            help="Instead of writing a report, score these texts about games, one per line: "
            "whether the tables contain what they state, and how similar they are to the "
            "references.",
        ),
    ] = None
    relations: Annotated[
        str | None,
        typer.Option(
            "--relations",
            metavar="NAME",
            help=(
                "What finds the statements in the texts of --scores: table-matcher (default), "
                "rules; table-matcher-digits, the same for numbers in digits alone; "
                "table-relations, trained networks; or the folder of your own (longsum train "
                "relation-extractor)."
            ),
        ),
    ] = None
    form: FormatOption = "text"

    def check_options(self, schema: Path | None) -> None:
        """Refuse options that contradict each other, before any work is done."""
        plain, planned, checks = self.form in _PLAIN, self.plan is not None, self.check is not None
        reports = (schema, self.plan, self.planner, self.realizer, self.check)
        refusals = {
            "--relations says what reads the texts of --scores; give --scores too.": (
                self.relations is not None and self.scores is None
            ),
            "--scores reads texts about games and writes none; of the other options, give only "
            "--game, --relations and --format.": (
                self.scores is not None and (self.plan_only or any(reports))
            ),
            "Scores are written as text or JSON; choose one with --format.": (
                self.scores is not None and not plain
            ),
            "Nothing is planned with --plan or --check; leave out --planner.": (
                self.planner is not None and (planned or checks)
            ),
            "--plan-only writes a plan of its own; leave out --plan.": self.plan_only and planned,
            "--plan-only writes no sentences; leave out --realizer.": (
                self.plan_only and self.realizer is not None
            ),
            "A plan is written as JSON; choose no other format.": self.plan_only and not plain,
            "--check reads a text and needs no plan; leave out --plan, --plan-only.": (
                checks and (self.plan_only or planned)
            ),
            "--check reads a text and writes none; leave out --realizer.": (
                checks and self.realizer is not None
            ),
            "A check is written as text or JSON; choose one with --format.": checks and not plain,
        }
        for sentence, refused in refusals.items():
            if refused:
                raise LongsumError(sentence)


def table(
    source: Annotated[
        str,
        typer.Argument(
            metavar="INPUT",
            help="A game of Rotowire as JSON, a file of several, or a CSV or TSV "
            "file; - reads standard input.",
        ),
    ],
    schema: Annotated[
        Path | None,
        typer.Option(
            "--schema",
            metavar="FILE",
            help=(
                "A YAML file that says what the columns of a CSV file mean; without it, longsum "
                "guesses."
            ),
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game", metavar="N", help="Which game of several: its number from 1, or its id."
        ),
    ] = None,
    *,
    wanted: Wanted,
    read_limit: ReadLimit = None,
    output: OutputOptions,
) -> None:
    """Write a report of a table: of a basketball game, or of any table with a schema.

    Sentences follow a plan, which says which cells are reported in which order; every number in the
    text is one of the table's. Change the plan, and the report changes with it.
    """
    output.check()
    wanted.check_options(schema)
    limits = parsed_limits(read_limit)
    if wanted.scores is not None:
        _score(source, game, wanted.scores, wanted, limits, output)
        return
    from longsum.tables.inputs.read import read_schema, read_table, read_text
    from longsum.tables.plan import parse_plan, plan_to_json
    from longsum.tables.planning import table_systems
    from longsum.tables.planning.planners import planner as planner_of
    from longsum.tables.planning.planners import untold_notice

    columns = None if schema is None else read_schema(schema, limits)
    with progress("Reading"):
        read, warnings = read_table(source, schema=columns, game=game, limits=limits)
    if wanted.check is not None:
        from longsum.tables.checks.text_checks import check_text, check_to_json, check_to_text

        checked = check_text(read, read_text(wanted.check, limits)[0])
        warn(warnings)
        output.write_as(
            wanted.form, json=lambda: check_to_json(checked), text=lambda: check_to_text(checked)
        )
        return
    if wanted.plan is None:
        plan = planner_of(wanted.planner or table_systems.RULES)(read)
        warnings += untold_notice(read, plan)
    else:
        text, name = read_text(wanted.plan, limits)
        plan = parse_plan(text, read, name)
    warn(warnings)
    if wanted.plan_only:
        output.write_json(plan_to_json(plan, read))
    else:
        by_templates = wanted.realizer in (None, table_systems.TEMPLATES)
        realizer = None if by_templates else wanted.realizer
        _write(_report(read, plan, realizer, wanted.allow_net), wanted.form, output)


def _score(
    source: str,
    game: str | None,
    reports: Path,
    wanted: Wanted,
    limits: "ReadLimits",
    output: OutputOptions,
) -> None:
    """Print the scores of texts about games."""
    from longsum.tables.inputs.read import read_all_games, read_text
    from longsum.tables.planning.table_systems import MATCHER
    from longsum.tables.relation_finder import relation_finder
    from longsum.tables.report_scores import score_reports, texts_of

    games, warnings = read_all_games(source, game, limits)
    texts = texts_of(*read_text(reports, limits), len(games))
    finder, notes = relation_finder(wanted.relations or MATCHER)
    warn([*warnings, *notes])
    with progress("Reading"):
        scores = score_reports(games, texts, finder)
    output.write_as(wanted.form, json=scores.to_json, text=lambda: aligned(*scores.row()))


def _report(table: "Table", plan: "Plan", realizer: str | None, allow_net: bool) -> "Report":
    if realizer is None:
        from longsum.tables.templates import realize

        return realize(table, plan)
    from longsum.core.loading import is_chat
    from longsum.core.model_files.folders import check_model
    from longsum.tables.realization.checked_realization import (
        SentenceWriter,
        check_realizable,
        realize_checked,
    )

    check_realizable(table)
    writer: SentenceWriter
    if is_chat(realizer):
        from longsum.tables.realization.chat_realizer import ChatRealizer
        from longsum.writers.summarizer import load_chat

        with progress("Loading the model"):
            writer = ChatRealizer(load_chat(realizer, allow_net=allow_net))
    else:
        folder = check_model(realizer)
        with progress("Loading the model"):
            from longsum.tables.realization.table_realizer import TableRealizer

            writer = TableRealizer.load(folder)
    with progress("Writing"):
        report = realize_checked(table, plan, writer)
    counts = Counter(sentence.writer for sentence in report.sentences)
    all_of_them = counted(len(report.sentences), "sentence")
    if counts["template"]:
        warn([f"{counts['template']} of {all_of_them} are templates, as the model's were wrong"])
    if counts["repaired"]:
        warn([f"{counts['repaired']} of {all_of_them} had a wrong number, which was corrected"])
    return report


def _write(report: "Report", form: Format, output: OutputOptions) -> None:
    from longsum.tables.report import report_to_json
    from longsum.tables.table_page import render_table
    from longsum.tables.templates import report_to_markdown, report_to_text

    output.write_as(
        form,
        json=lambda: report_to_json(report),
        html=lambda: render_table(report),
        markdown=lambda: report_to_markdown(report),
        text=lambda: report_to_text(report),
    )


COMMAND = Command(table, "Write a report of a table, such as the score of a game.", EXAMPLES)
