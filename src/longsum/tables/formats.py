"""A report as text and as Markdown."""

from longsum.tables.any_table import amount
from longsum.tables.report import Report, ReportSentence

_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>#|"})


def report_to_text(report: Report) -> str:
    """Return the sentences of a report, with an empty line between paragraphs."""
    return "\n\n".join(_paragraphs(report)) + "\n"


def report_to_markdown(report: Report) -> str:
    """Return a report under its title, and below it the cells that each sentence says."""
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
