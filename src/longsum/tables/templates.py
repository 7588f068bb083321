"""Reports by templates, and their text."""

from collections.abc import Callable, Mapping, Sequence

from longsum.tables.amounts import amount
from longsum.tables.annotated_text import Worded
from longsum.tables.any_table import any_sentence
from longsum.tables.games.game_report import game_sentence
from longsum.tables.games.rotowire import GAME
from longsum.tables.narration import Narration
from longsum.tables.plan import Plan
from longsum.tables.report import Report, ReportSentence
from longsum.tables.table import Table

# It needs no model. The wording varies by what the report has said before, never at random, so that
# the same plan gives the same report.

_WORDING: Mapping[str, Callable[[Narration, Sequence[int]], Worded]] = {GAME: game_sentence}


def realize(table: Table, plan: Plan) -> Report:
    """Return the report of a plan, one sentence for each of its sentences.

    The plan may have been written by a person.
    """
    narration = Narration(table)
    word = _WORDING.get(table.kind, any_sentence)
    sentences = []
    for planned in plan.sentences:
        worded = word(narration, planned)
        spans = tuple(sorted(worded.spans, key=lambda span: (span.start, span.end, span.record)))
        sentences.append(ReportSentence(worded.text, planned, spans))
    return Report(table, plan, tuple(sentences))


_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>#|"})


def report_to_text(report: Report) -> str:
    """Return the sentences of a report, with an empty line between paragraphs."""
    return "\n\n".join(_paragraphs(report)) + "\n"


def report_to_markdown(report: Report) -> str:
    """Return a report under its title, followed by the cells that each sentence states."""
    table = report.table
    head = f"# {table.title.translate(_MARKS)}\n\n" if table.title else ""
    day = f"*{table.date.isoformat()}*\n\n" if table.date else ""
    cells = "".join(
        f"{number}. {_cells(report, sentence).translate(_MARKS)}\n"
        for number, sentence in enumerate(report.sentences, start=1)
    )
    text = "\n\n".join(_paragraphs(report)).translate(_MARKS)
    return f"{head}{day}{text}\n\n## Cells of each sentence\n\n{cells}"


def _paragraphs(report: Report) -> list[str]:
    return [" ".join(each.text for each in paragraph) for paragraph in report.paragraphs]


def _cells(report: Report, sentence: ReportSentence) -> str:
    said = []
    for index in dict.fromkeys(sentence.records):
        record = report.table.records[index]
        value = record.value if record.missing else amount(report.table, index).text
        said.append(f"{record.entity.name} {record.type.name} = {value}")
    return "; ".join(said)
