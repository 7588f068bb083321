"""`longsum table`."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longsum.cli.command import Command
from longsum.cli.options import Force, Format, Output, ReadLimit
from longsum.cli.streams import check_output, progress, warn, write_json, write_result
from longsum.cli.streams import table as aligned
from longsum.common.errors import LongsumError
from longsum.common.wording import counted

EXAMPLES = (
    "longsum table game.json",
    "longsum table games.jsonl --game 12 --format html -o game.html",
    "longsum table game.json --plan-only -o plan.json",
    "longsum table game.json --plan plan.json",
    "longsum table game.json --planner table-ranker",
    "longsum table game.json --realizer runs/realizer",
    "longsum table planets.csv --schema planets.yaml",
    "longsum table game.json --check report.txt",
    "longsum table games.jsonl --scores reports.txt",
)

if TYPE_CHECKING:
    from longsum.tables.plan import Plan
    from longsum.tables.report import Report
    from longsum.tables.table import Table


def table(
    source: Annotated[
        str,
        typer.Argument(
            metavar="INPUT",
            help="A game of Rotowire as JSON, a file of several, or with --schema a CSV or TSV "
            "file; - reads standard input.",
        ),
    ],
    schema: Annotated[
        Path | None,
        typer.Option(
            "--schema", metavar="FILE", help="YAML that says what the columns of a CSV file mean."
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game", metavar="N", help="Which game of several: its number from 1, or its id."
        ),
    ] = None,
    plan_only: Annotated[
        bool,
        typer.Option("--plan-only", help="Write what the report would say, as JSON to edit."),
    ] = False,
    plan: Annotated[
        Path | None,
        typer.Option("--plan", metavar="FILE", help="Say what this plan has, and nothing else."),
    ] = None,
    planner: Annotated[
        str | None,
        typer.Option(
            "--planner",
            metavar="NAME",
            help="What plans the report: table-rules (default); table-ranker or table-stepwise, "
            "which are trained on games; or the folder of one of your own (longsum train "
            "informed-hibert-planner).",
        ),
    ] = None,
    realizer: Annotated[
        str | None,
        typer.Option(
            "--realizer",
            metavar="NAME",
            help="What words the sentences: table-templates (default), or the folder of a trained "
            "model (longsum train table-realizer); where it says what the plan does not, the "
            "templates do.",
        ),
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option(
            "--check",
            metavar="FILE",
            help="Instead of writing a report, say where this text differs from the table.",
        ),
    ] = None,
    scores: Annotated[
        Path | None,
        typer.Option(
            "--scores",
            metavar="FILE",
            help="Instead of writing a report, score these texts about games, one a line: whether "
            "the tables have what they state, and how like the references they are.",
        ),
    ] = None,
    relations: Annotated[
        str | None,
        typer.Option(
            "--relations",
            metavar="NAME",
            help="What reads the texts of --scores: table-matcher (default), rules; "
            "table-relations, trained networks; or the folder of your own (longsum train "
            "relation-extractor).",
        ),
    ] = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.text,
    read_limit: ReadLimit = None,
    output: Output = None,
    force: Force = False,
) -> None:
    """Write a report of a table: of a basketball game, or of any table with a schema.

    Sentences follow a plan, which says which cells are told in which order; every number in the
    text is one of the table's. Change the plan, and the report changes with it.
    """
    check_output(output, force)
    if relations is not None and scores is None:
        raise LongsumError("--relations says what reads the texts of --scores; give --scores too.")
    if scores is not None:
        if plan_only or any(each is not None for each in (schema, plan, planner, realizer, check)):
            raise LongsumError(
                "--scores reads texts about games and writes none; of the other options, give only "
                "--game, --relations and --format."
            )
        _score(source, game, scores, relations, form, read_limit, output)
        return
    if planner is not None and (plan is not None or check is not None):
        raise LongsumError("Nothing is planned with --plan or --check; leave out --planner.")
    if plan_only and plan is not None:
        raise LongsumError("--plan-only writes a plan of its own; leave out --plan.")
    if plan_only and realizer is not None:
        raise LongsumError("--plan-only writes no sentences; leave out --realizer.")
    if plan_only and form not in (Format.text, Format.json):
        raise LongsumError("A plan is written as JSON; leave out --format.")
    if check is not None and (plan_only or plan is not None):
        raise LongsumError("--check reads a text and needs no plan; leave out --plan, --plan-only.")
    if check is not None and realizer is not None:
        raise LongsumError("--check reads a text and writes none; leave out --realizer.")
    if check is not None and form not in (Format.text, Format.json):
        raise LongsumError("A check is written as text or JSON; choose one with --format.")
    from longsum.documents.readers import ReadLimits
    from longsum.tables.inputs.read import read_schema, read_table, read_text
    from longsum.tables.plan import parse_plan, plan_to_json
    from longsum.tables.planning import table_systems
    from longsum.tables.planning.planners import planner as planner_of

    limits = ReadLimits.parse(read_limit or ())
    columns = None if schema is None else read_schema(schema, limits)
    with progress("Reading"):
        read, warnings = read_table(source, schema=columns, game=game, limits=limits)
    if check is not None:
        from longsum.tables.checks.check_result import check_text, check_to_json, check_to_text

        found = check_text(read, read_text(check, limits)[0])
        warn(warnings)
        if form is Format.json:
            write_json(check_to_json(found), output)
        else:
            write_result(check_to_text(found), output)
        return
    if plan is None:
        chosen = planner_of(planner or table_systems.RULES)(read)
    else:
        text, name = read_text(plan, limits)
        chosen = parse_plan(text, read, name)
    warn(warnings)
    if plan_only:
        write_json(plan_to_json(chosen, read), output)
    else:
        by_templates = realizer in (None, table_systems.TEMPLATES)
        report = _report(read, chosen, None if by_templates else realizer)
        write_result(_written(report, form), output)


def _score(
    source: str,
    game: str | None,
    reports: Path,
    relations: str | None,
    form: Format,
    read_limit: Sequence[str] | None,
    output: Path | None,
) -> None:
    """Print the scores of texts about games."""
    if form not in (Format.text, Format.json):
        raise LongsumError("Scores are written as text or JSON; choose one with --format.")
    from longsum.documents.readers import ReadLimits
    from longsum.tables.inputs.read import read_all_games, read_text
    from longsum.tables.planning.table_systems import MATCHER
    from longsum.tables.relations.relation_finders import relation_finder
    from longsum.tables.report_scores import score_reports, texts_of

    limits = ReadLimits.parse(read_limit or ())
    games, warnings = read_all_games(source, game, limits)
    texts = texts_of(*read_text(reports, limits), len(games))
    finder, notes = relation_finder(relations or MATCHER)
    warn([*warnings, *notes])
    with progress("Reading"):
        found = score_reports(games, texts, finder)
    if form is Format.json:
        write_json(found.to_json(), output)
    else:
        write_result(aligned(*found.row()), output)


def _report(table: "Table", plan: "Plan", realizer: str | None) -> "Report":
    if realizer is None:
        from longsum.tables.templates import realize

        return realize(table, plan)
    from longsum.core.model_files.folders import check_model
    from longsum.tables.realization.checked_realization import check_realizable, realize_checked

    check_realizable(table)
    folder = check_model(realizer)
    with progress("Loading the model"):
        from longsum.tables.realization.table_realizer import TableRealizer

        writer = TableRealizer.load(folder)
    with progress("Writing"):
        report = realize_checked(table, plan, writer)
    counts = Counter(sentence.writer for sentence in report.sentences)
    all_of_them = counted(len(report.sentences), "sentence")
    if counts["template"]:
        warn([f"{counts['template']} of {all_of_them} are the templates': the model's were wrong"])
    if counts["repaired"]:
        warn([f"{counts['repaired']} of {all_of_them} had a wrong number, which was put right"])
    return report


def _written(report: "Report", form: Format) -> str:
    if form is Format.json:
        from longsum.core.summaries.result_file import dump_json
        from longsum.tables.report import report_to_json

        return dump_json(report_to_json(report))
    if form is Format.html:
        from longsum.tables.table_page import render_table

        return render_table(report)
    from longsum.tables.templates import report_to_markdown, report_to_text

    return report_to_markdown(report) if form is Format.markdown else report_to_text(report)


COMMAND = Command(table, "Write a report of a table, such as the score of a game.", EXAMPLES)
