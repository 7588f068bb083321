"""`longsum outline`."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from longsum.cli.command import Command
from longsum.cli.options import Form, InputOptions, Source
from longsum.cli.streams import progress, table, warn, write_json, write_result
from longsum.common.wording import counted, shorten

EXAMPLES = (
    "longsum outline report.pdf",
    "longsum outline report.pdf --summaries",
    "longsum outline report.pdf --left-out",
    "longsum outline report.pdf --evidence",
    "longsum outline report.pdf --format json",
)

_COLUMNS = ("section", "sentences", "  words", "not text")

if TYPE_CHECKING:
    from longsum.core.summaries.question_summary import QuestionSummary
    from longsum.documents import Document


def outline(
    source: Source,
    summaries: Annotated[
        bool,
        typer.Option(
            "--summaries",
            help="Also print the best sentence of the document and of each section.",
        ),
    ] = False,
    left_out: Annotated[
        bool,
        typer.Option(
            "--left-out",
            help="Also print what was left out of the text: tables, notes, captions and so on.",
        ),
    ] = False,
    evidence: Annotated[
        bool,
        typer.Option(
            "--evidence",
            help="Print the evidence for each heading, and how certain it is, if a format does not "
            "mark headings (PDF).",
        ),
    ] = False,
    form: Form = "text",
    *,
    read: InputOptions,
) -> None:
    """Print the section tree with the number of sentences and words of each section.

    A column counts the sentences that summaries do not use, such as captions and references, if
    there are any; `--format json` counts them by kind.
    """
    document = read.read(source)
    tree = _tree(document) if summaries else None
    # The table marks the document's own summary.
    notices = () if tree is None else tree.notices
    texts = [notice.text for notice in notices if notice.kind != "own_summary"]
    warn(document.warnings if tree is None else texts)
    best = {} if tree is None else _best(tree)
    sections = _sections(document)
    if evidence:
        _add_evidence(document, sections)
    if form == "json":
        found: dict[str, Any] = {"title": document.title, "sections": sections}
        if left_out:
            found["omitted"] = [
                {"kind": part.kind, "section": section, "page": part.page, "text": part.text}
                for part, section in document.omitted_by_section()
            ]
        if tree is not None:
            found["summary"] = best.get(None)
            found["made_by"] = tree.made_by
            for row in sections:
                row["summary"] = best.get(row["number"])
        write_json(found)
        return
    listed = _left_out(document, sections) if left_out else ""
    write_result(_text(document, sections, best, tree) + listed, None)


def _left_out(document: "Document", sections: list[dict[str, Any]]) -> str:
    """Return a table of what was left out: where it was, its kind and its beginning."""
    rows = [
        (
            "" if section is None else str(sections[section]["label"]),
            "" if part.page is None else str(part.page),
            part.kind,
            shorten(part.text.replace("\n", " / ").replace("\t", " | ")),
        )
        for part, section in document.omitted_by_section()
    ]
    if not rows:
        return "\nNothing else was kept of the source.\n"
    return "\n" + table(("section", "page", "left out", "text"), rows) + "\n"


def _add_evidence(document: "Document", sections: list[dict[str, Any]]) -> None:
    """Add to each section the evidence for its heading; null if its format marks headings."""
    for section, row in zip(document.walk(), sections, strict=True):
        evidence = section.evidence
        row["confidence"] = None if evidence is None else evidence.confidence
        row["evidence"] = None if evidence is None else list(evidence.signs)


def _tree(document: "Document") -> "QuestionSummary":
    """Choose a sentence for the document and for each section."""
    from longsum.core.summaries import Budget
    from longsum.core.systems.system import TreeOptions
    from longsum.core.tree_makers import load_tree_maker

    with progress(f"Summarizing {counted(len(document.walk()), 'section')}"):
        return load_tree_maker().make(document, TreeOptions(Budget(1, "sentences")))


def _best(tree: "QuestionSummary") -> dict[int | None, dict[str, Any]]:
    """Return the sentence of each section with its place; that of the document has the key None."""
    return {
        None if level == 1 else node.section: {
            "text": node.text,
            "sentence": node.sentences[0].sources[0].sentence,
            "start": node.sentences[0].sources[0].start,
            "end": node.sentences[0].sources[0].end,
        }
        for level, node in tree.root.walk()
        if node.sentences
    }


def _text(
    document: "Document",
    sections: list[dict[str, Any]],
    best: dict[int | None, dict[str, Any]],
    tree: "QuestionSummary | None",
) -> str:
    rows = [
        (
            f"{'  ' * (row['level'] - 1)}{row['label']} {row['title'] or '(no heading)'}"
            + " (the document’s own summary)" * row["abstract"],
            f"{row['sentences']:>9}",
            f"{row['words']:>7}",
            f"{sum(row['kinds'].values()):>8}",
        )
        for row in sections
    ]
    other = sum(not sentence.is_material for sentence in document.sentences)
    total = (
        "(all)",
        f"{len(document.sentences):>9}",
        f"{sum(row['words'] for row in sections if row['level'] == 1):>7}",
        f"{other:>8}",
    )
    columns = 4 if other else 3
    shown = [line[:columns] for line in (_COLUMNS, *rows, total)]
    lines = table(shown[0], shown[1:]).splitlines()
    below = [""] * len(lines)
    for place, row in enumerate(sections, start=1):
        signs = row.get("evidence")
        under = [f"{row['confidence']:.2f}: {', '.join(signs)}"] if signs else []
        if row["number"] in best:
            under.append(best[row["number"]]["text"])
        below[place] = "\n".join("  " * row["level"] + text for text in under)
    opening = [document.title, best[None]["text"] if None in best else ""]
    closing = "" if tree is None else f"\n{tree.made_by}\n"
    heading = "".join(f"{part}\n\n" for part in opening if part)
    listed = [part for pair in zip(lines, below, strict=True) for part in pair if part]
    return heading + "\n".join(listed) + "\n" + closing


def _sections(document: "Document") -> list[dict[str, Any]]:
    """Return each section with its counts, including subsections: sentences, words, other kinds."""
    from longsum.documents import DocumentTree
    from longsum.documents.own_summary import own_summary
    from longsum.language.words import count_words

    opening = own_summary(document)
    tree = DocumentTree(document)
    sentences = [0] * len(tree.sections)
    words = [0] * len(tree.sections)
    kinds: list[Counter[str]] = [Counter() for _ in tree.sections]
    for section in reversed(tree.sections):
        own = section.sentences
        sentences[section.number] += len(own)
        words[section.number] += sum(count_words(sentence.text) for sentence in own)
        kinds[section.number].update(s.kind for s in own if not s.is_material)
        if (above := tree.parent(section.number)) is not None:
            sentences[above] += sentences[section.number]
            words[above] += words[section.number]
            kinds[above].update(kinds[section.number])
    return [
        {
            "number": section.number,
            "label": tree.label(section.number),
            "level": section.level,
            "title": section.title,
            "sentences": sentences[section.number],
            "words": words[section.number],
            "kinds": dict(sorted(kinds[section.number].items())),
            "abstract": opening is not None and opening.section == section.number,
        }
        for section in tree.sections
    ]


COMMAND = Command(outline, "Print a document's sections and their sizes.", EXAMPLES)
