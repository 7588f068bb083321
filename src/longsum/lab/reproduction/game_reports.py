"""Reports on games by a trained planner and a trained realizer, and their scores."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from longsum.evaluation.datasets import Example
from longsum.tables.games.rotowire import game_table
from longsum.tables.plan import Plan
from longsum.tables.planning.planners import planner
from longsum.tables.planning.run_planning import game_of
from longsum.tables.realization.checked_realization import SentenceWriter
from longsum.tables.realization.realizer_input import realizer_input
from longsum.tables.realization.table_realizer import TableRealizer
from longsum.tables.relation_finder import MatchedRelations
from longsum.tables.report import Report, ReportSentence
from longsum.tables.report_scores import score_reports
from longsum.tables.table import Table

Written = tuple[Example, Report]


def write_reports(examples: Iterable[Example], plans: Path, realizer: Path) -> Iterator[Written]:
    """Yield games with the reports that a planner and a realizer write, given their folders.

    Raises:
        LongsumError: A model cannot be read, or an example is no game.
    """
    plan, writer = planner(str(plans)), TableRealizer.load(realizer)
    for example in examples:
        table = game_table(game_of(example))
        yield example, realize_unchecked(table, plan(table), writer)


def realize_unchecked(table: Table, plan: Plan, writer: SentenceWriter) -> Report:
    """Return a report in which a model words a plan without checks (Stepwise, B.4).

    Each sentence is generated given the one before it; empty sentences are left out.
    """
    written: list[ReportSentence] = []
    for planned in plan.sentences:
        source = realizer_input(table, planned, written[-1].text if written else "")
        for text in writer.sentences(source, 1):
            if text := " ".join(text.split()):
                written.append(ReportSentence(text, tuple(planned), (), "model"))
    return Report(table, plan, tuple(written))


def score_written(written: Sequence[Written]) -> dict[str, float]:
    """Return the scores of Table 2 in per cent, by relations that the matcher's rules find."""
    games = [game_of(example) for example, _ in written]
    texts = [report.text for _, report in written]
    plans = [report.plan for _, report in written]
    scores = score_reports(games, texts, MatchedRelations(), plans).scores
    return {name: 100 * value for name, value in scores.items() if name != "rg_count"}
