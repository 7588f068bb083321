"""The template realizer: any plan, in sentences that say its entries and no others.

It needs no model. The wording varies by what the report has said before, never at random, so that
the same plan gives the same report.
"""

from collections.abc import Callable, Mapping, Sequence

from longsum.tables.annotated_text import Worded
from longsum.tables.any_table import any_sentence
from longsum.tables.games.game_report import game_sentence
from longsum.tables.games.rotowire import GAME
from longsum.tables.narration import Narration
from longsum.tables.plan import Plan
from longsum.tables.report import Report, ReportSentence
from longsum.tables.table import Table

_WORDING: Mapping[str, Callable[[Narration, Sequence[int]], Worded]] = {GAME: game_sentence}


def realize(table: Table, plan: Plan) -> Report:
    """Return the report of a plan, one sentence for each of its sentences.

    Args:
        table: The table that the plan is about.
        plan: Any plan, a person's too.
    """
    narration = Narration(table)
    word = _WORDING.get(table.kind, any_sentence)
    sentences = []
    for planned in plan.sentences:
        worded = word(narration, planned)
        spans = tuple(sorted(worded.spans, key=lambda span: (span.start, span.end, span.record)))
        sentences.append(ReportSentence(worded.text, planned, spans))
    return Report(table, plan, tuple(sentences))
