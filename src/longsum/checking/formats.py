"""A check as text, as Markdown and as JSON (schema in `docs/schema/check-1.json`)."""

from collections.abc import Iterator
from typing import Any

from longsum.checking.text_check import WORDS, CheckedSentence, TextCheck
from longsum.common.wording import counted, shorten
from longsum.core.summaries.formats import escape_markdown, place
from longsum.core.summaries.result_file import document_to_json, source_to_json
from longsum.documents.tree import DocumentTree

SCHEMA = "longsum/check/1"
_SHOWN_SOURCES = 1
"""Number of sources quoted in text and Markdown; pages and JSON have all."""


def verdict_line(check: TextCheck) -> str:
    """Return the verdicts in one line: "3 sentences: 2 confirmed (1 in other words), 1 differs".

    Headings of the text, which are left out, are mentioned at the end.
    """
    reworded = sum(each.verdict == "confirmed" and bool(each.unmatched) for each in check.sentences)
    notes = {"confirmed": f" ({reworded} in other words)" if reworded else ""}
    counts = ", ".join(
        f"{number} {WORDS[name]}{notes.get(name, '')}"
        for name, number in check.counts.items()
        if number
    )
    headings = f"; {counted(check.headings, 'heading')} left out" if check.headings else ""
    return f"{counted(len(check.sentences), 'sentence')}: {counts}{headings}"


def to_text(check: TextCheck) -> str:
    """Return a line for each sentence, with the closest source and the findings below it."""
    tree = DocumentTree(check.document)
    lines = [verdict_line(check), ""]
    for number, sentence in enumerate(check.sentences, start=1):
        lines.append(f"{number:>3}. [{WORDS[sentence.verdict]}] {sentence.text}")
        lines += [f"     {line}" for line in _notes(sentence, check, tree)]
    return "\n".join(lines) + "\n"


def to_markdown(check: TextCheck) -> str:
    """Return the same as a numbered Markdown list."""
    tree = DocumentTree(check.document)
    lines = [verdict_line(check), ""]
    for number, sentence in enumerate(check.sentences, start=1):
        lines.append(f"{number}. **{WORDS[sentence.verdict]}**: {escape_markdown(sentence.text)}")
        lines += [f"   - {escape_markdown(line)}" for line in _notes(sentence, check, tree)]
    return "\n".join(lines) + "\n"


def _notes(sentence: CheckedSentence, check: TextCheck, tree: DocumentTree) -> Iterator[str]:
    """Yield the findings, then where and in what words the document says it."""
    for finding in sentence.findings:
        yield f"check: {finding}"
    if sentence.opinion:
        yield f"{check.judge}: {sentence.opinion}"
    for source in sentence.sources[:_SHOWN_SOURCES]:
        quoted = shorten(check.document.sentences[source.sentence].text)
        yield f"source: sentence {source.sentence + 1}, {place(source, tree)}: {quoted}"
    if sentence.unmatched:
        yield sentence.unmatched_note


def to_json(check: TextCheck) -> dict[str, Any]:
    """Return the check as JSON values, the same for the same text and documents, timings aside."""
    return {
        "schema": SCHEMA,
        "document": document_to_json(check.document),
        "counts": check.counts,
        "headings": check.headings,
        **({"judge": check.judge} if check.judge else {}),
        "sentences": [
            {
                "text": sentence.text,
                "start": sentence.start,
                "end": sentence.end,
                "verdict": sentence.verdict,
                "sources": [source_to_json(source, check.document) for source in sentence.sources],
                "findings": [finding.to_json() for finding in sentence.findings],
                "unmatched": [*sentence.unmatched],
                **({"opinion": _opinion(sentence)} if check.judge else {}),
            }
            for sentence in check.sentences
        ],
        "timings": {name: round(seconds, 4) for name, seconds in check.timings.items()},
        "warnings": [*check.text.warnings, *check.document.warnings, *check.notices],
    }


def _opinion(sentence: CheckedSentence) -> dict[str, Any] | None:
    opinion = sentence.opinion
    return None if opinion is None else {"label": opinion.label, "score": opinion.score}
