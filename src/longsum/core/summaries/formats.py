"""Summaries, their levels, sources and importance as text and Markdown."""

import math
import re
import textwrap
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence

from longsum.common.wording import counted, shorten
from longsum.core.summaries.by_document import shares_by_document
from longsum.core.summaries.layout import TITLED_WORDS, Block, lay_out
from longsum.core.summaries.sentence import Method, SourceSpan, SummarySentence
from longsum.core.summaries.summary import Explanation, Importance, Level, Summary
from longsum.documents.dossier import Dossier
from longsum.documents.model import Document
from longsum.documents.readers.structure.headings import is_numbered
from longsum.documents.tree import DocumentTree
from longsum.language.broken_words import join_pieces

_MARKDOWN_MARKS = re.compile(r"([\\`*_\[\]<>#|])")
_SHOWN_KEYWORDS = 15
_METHODS: dict[Method, str] = {
    "aligned": "by its words",
    "attention": "by the model's attention",
    "cited": "by the model's citation",
}


def section_label(tree: DocumentTree, section: int) -> str:
    """Return `§2.1`; empty if the title has its own number or there are no sections.

    Sections of a dossier keep the numbers of their own documents, which have none themselves.
    """
    whole = len(tree.sections) == 1 and not tree.sections[section].title
    if whole or is_numbered(tree.sections[section].title):
        return ""
    label = tree.label(section)
    if isinstance(tree.document, Dossier):
        label = label.partition(".")[2]
    return label and f"§{label}"


def section_heading(tree: DocumentTree, section: int) -> str:
    """Return the section's title, or a stand-in if it has none."""
    if title := tree.sections[section].title:
        return title
    if len(tree.sections) == 1:
        return ""
    return "Untitled section" if section else "Opening text"


def section_place(tree: DocumentTree, section: int) -> str:
    """Return a section's name in citations, `§2.1 Methods`; empty if there are no sections.

    In a dossier, the name of its document comes first.
    """
    parts = (section_label(tree, section), section_heading(tree, section))
    name = " ".join(part for part in parts if part)
    above = tree.ancestors(section)
    if above and isinstance(tree.document, Dossier):
        return f"{tree.sections[above[-1]].title}, {name}"
    return name


def to_text(summary: Summary, explain: bool = False, *, headings: bool | None = None) -> str:
    """Return the summary as text.

    Args:
        summary: The summary.
        explain: Whether the sources and reasons of all choices follow.
        headings: Whether sentences have their section's title above them; by default in a summary
            of more than `TITLED_WORDS`, or of several documents.
    """
    text = "\n\n".join(_block_text(block, summary) for block in _blocks(summary, headings))
    if not explain:
        return text + "\n"
    lines = [text, "", "Where each sentence came from, and why", ""]
    tree = DocumentTree(summary.document)
    for number, sentence in enumerate(summary.sentences, start=1):
        lines.append(f"{number:>3}. {shorten(sentence.text)}")
        for source in sentence.sources:
            lines.append(f"     {_source_line(source, tree)}")
        lines.extend(f"     check: {doubt}" for doubt in sentence.doubts)
        reasons = _reasons(sentence, summary.document, summary.explanation)
        lines.extend(f"     {line}" for line in reasons)
    if by_document := by_document_lines(summary):
        lines.extend(["", *by_document])
    if used := meanings(summary.sentences):
        lines.append("")
        lines.extend(f"{name}: {meaning}" for name, meaning in used.items())
    if summary.explanation:
        lines.extend(["", *_explanation(summary.explanation)])
    if summary.importance:
        lines.extend(["", *importance_lines(summary.importance, summary.document)])
    return "\n".join(lines) + "\n"


def to_markdown(summary: Summary, explain: bool = False, *, headings: bool | None = None) -> str:
    """Return the summary as Markdown, with a footnote for the sources of each sentence.

    The arguments are those of `to_text`.
    """
    tree = DocumentTree(summary.document)
    title = summary.document.title or summary.document.source.name or "the document"
    body: list[str] = []
    footnotes: list[str] = []
    for block in _blocks(summary, headings):
        if block.section is not None:
            body.append(f"## {escape_markdown(_title(block.section, summary))}")

        def marked(sentence: SummarySentence) -> str:
            note = footnote(sentence, tree, summary.document, explain, summary.explanation)
            return footnote_mark(footnotes, note)

        body.append(block_to_markdown(block, marked))
    parts = [f"# Summary of {escape_markdown(title)}", "\n\n".join(body), "\n".join(footnotes)]
    if explain and (by_document := by_document_lines(summary)):
        parts.append("\n".join(f"- {escape_markdown(line)}" for line in by_document))
    if explain and (used := meanings(summary.sentences)):
        parts.append("\n".join(f"- {name}: {meaning}" for name, meaning in used.items()))
    if explain and summary.explanation:
        parts.append("\n".join(f"- {line}" for line in _explanation(summary.explanation)))
    if explain and summary.importance:
        # Indented, so that Markdown shows it verbatim.
        marks = importance_lines(summary.importance, summary.document)
        parts.append("\n".join(f"    {line}" for line in marks))
    return "\n\n".join(part for part in parts if part) + "\n"


def by_document_lines(summary: Summary) -> list[str]:
    """Return lines on how much of each document of a dossier was read, and is in the summary."""
    lines = []
    for share in shares_by_document(summary):
        total = counted(len(share.member.sentences), "sentence")
        read = share.coverage and share.coverage.sentences_read
        state = "read" if read is None or read == len(share.member.sentences) else f"{read:,} read"
        part = (
            f"{counted(share.sentences, 'sentence')} of the summary, {counted(share.words, 'word')}"
        )
        lines.append(f"{share.member.name}: {total} {state}; {part}")
    return lines


def _blocks(summary: Summary, headings: bool | None) -> tuple[Block, ...]:
    long = summary.words > TITLED_WORDS or isinstance(summary.document, Dossier)
    titled = long if headings is None else headings
    return lay_out(summary.sentences, summary.document, titled=titled)


def _block_text(block: Block, summary: Summary) -> str:
    titles = [] if block.section is None else [_title(block.section, summary)]
    return "\n".join([*titles, *(line.text for line in block.lines)])


def _title(section: int, summary: Summary) -> str:
    """Return the title of a section; in a dossier, after that of its document."""
    document = summary.document
    title = document.walk()[section].title
    if not isinstance(document, Dossier):
        return title
    home = [member for member in document.members if member.section <= section][-1]
    return title if home.section == section else " · ".join(filter(None, (home.name, title)))


def block_to_markdown(block: Block, mark: Callable[[SummarySentence], str]) -> str:
    """Return a block as Markdown, with items on adjacent lines, and turns of speech as paragraphs.

    Args:
        block: The block.
        mark: Returns the footnote mark of a sentence; called in reading order.
    """
    joined, after_item = "", False
    for line in block.lines:
        texts = (
            f"{escape_markdown(text)}{mark(sentence)}"
            for sentence, text in zip(line.sentences, line.texts, strict=True)
        )
        named = f"**{escape_markdown(line.speaker)}:** " if line.speaker else ""
        gap = "\n" if after_item and line.item else "\n\n"
        joined += f"{gap if joined else ''}{line.mark}{named}{' '.join(texts)}{line.more}"
        after_item = line.item
    return joined


def footnote_mark(footnotes: list[str], note: str) -> str:
    """Add a footnote to those of a page, and return its mark."""
    mark = f"[^{len(footnotes) + 1}]"
    footnotes.append(f"{mark}: {note}")
    return mark


def place(source: SourceSpan, tree: DocumentTree) -> str:
    """Return a source's location as a citation: `§2.1 Methods, p. 3, characters 5–30`."""
    page = f"p. {source.page}" if source.page is not None else ""
    offset, document = 0, tree.document
    if isinstance(document, Dossier):
        offset = document.member_of(source.sentence).start
    span = f"characters {source.start - offset}–{source.end - offset}"
    return ", ".join(filter(None, (section_place(tree, source.section), page, span)))


def footnote(
    sentence: SummarySentence,
    tree: DocumentTree,
    document: Document,
    explain: bool = False,
    explanation: Explanation | None = None,
) -> str:
    """Return a footnote in Markdown with a sentence's sources; with `explain`, also its reasons."""
    places = "; ".join(escape_markdown(_source_line(source, tree)) for source in sentence.sources)
    doubts = [escape_markdown(f"Check: {doubt}") for doubt in sentence.doubts]
    reasons = _reasons(sentence, document, explanation) if explain else ()
    return (
        ". ".join(filter(None, [places, *doubts, *map(escape_markdown, reasons)]))
        or "no source found"
    )


def escape_markdown(text: str) -> str:
    """Escape text so that Markdown shows it verbatim."""
    return _MARKDOWN_MARKS.sub(r"\\\1", text)


def _source_line(source: SourceSpan, tree: DocumentTree) -> str:
    """Return a source's location and, unless it was copied, how it was found."""
    where = place(source, tree)
    return where if source.method == "copied" else f"{where} ({_METHODS[source.method]})"


def _reasons(
    sentence: SummarySentence, document: Document, explanation: Explanation | None
) -> Iterator[str]:
    digits = _digits(sentence.reasons.values())
    shares = [
        f"{'-' if round(share, digits) < 0 else '+'} {name} {abs(share):.{digits}f}"
        for name, share in sentence.reasons.items()
    ]
    if not sentence.reasons:
        yield sentence.origin
    else:
        terms = " ".join(shares).removeprefix("+ ")
        choice = f"{sentence.origin}, choice {sentence.step + 1}"
        yield f"{choice}, score {sentence.score:.{digits}f} = {terms}"
    if sentence.runner_up is not None:
        yield f"chosen over: {shorten(document.sentences[sentence.runner_up].text)}"
    yield from notes(sentence, document, explanation)


def _digits(shares: Iterable[float]) -> int:
    """Return the number of decimals that shows three digits of the largest share, at least two."""
    largest = max(map(abs, shares), default=0.0)
    return 2 if largest == 0 else max(2, 2 - math.floor(math.log10(largest)))


def _explanation(explanation: Explanation) -> Iterator[str]:
    for number, words in enumerate(explanation.topics, start=1):
        yield f"Topic {number}: {', '.join(words)}"
    if explanation.keywords:
        shown = [keyword for keyword, _ in explanation.keywords[:_SHOWN_KEYWORDS]]
        yield f"Keywords: {', '.join(shown)}"
    if explanation.weights:
        weights = ", ".join(f"{name} {weight:g}" for name, weight in explanation.weights.items())
        yield f"Weights: {weights}"


def levels_to_text(levels: Sequence[Level]) -> str:
    """Return levels as text, each part's summary under its title."""
    lines = []
    for heading, level in _with_headings(levels):
        lines.append(heading)
        for title, text in _texts(level):
            lines.extend([title, f"  {text}"])
    return "\n\n".join(lines) + "\n"


def levels_to_markdown(levels: Sequence[Level]) -> str:
    """Return levels as Markdown, to be appended to the summary of the whole."""
    lines = []
    for heading, level in _with_headings(levels):
        lines.append(f"## {heading}")
        for title, text in _texts(level):
            lines.extend([f"### {escape_markdown(title)}", escape_markdown(text)])
    return "\n\n".join(lines) + "\n"


def _with_headings(levels: Sequence[Level]) -> Iterator[tuple[str, Level]]:
    for number, level in enumerate(levels, start=1):
        parts, words = counted(len(level.parts), "part"), counted(level.words, "word")
        yield f"Level {number}: {parts} in {words}", level


def _texts(level: Level) -> Iterator[tuple[str, str]]:
    for number, part in enumerate(level.parts, start=1):
        text = join_pieces(sentence.text for sentence in part.sentences)
        yield part.title or f"Part {number}", text or "(nothing)"


MEANINGS = {
    "wording": "what the sentence itself says, and at what length",
    "headings": "the heading it stands under",
    "subject": "how many of the title's words and of the document's frequent ones it has",
    "place": "where it stands in document, section and paragraph",
    "novelty": "what it adds to the sentences chosen before it",
    "length": "how short it is: short ones leave room for others",
    "centrality": "how many sentences of the document are like it",
    "outcome": "that it decides the case",
    "bare_item": "whether it is a bare list item",
    "antecedent": "what it gains or loses by being chosen with the sentence before or after it",
}
"""Explanations of a trained network's reasons, by name."""


def meanings(sentences: Iterable[SummarySentence]) -> dict[str, str]:
    """Return explanations of the reasons that occur in sentences, for those that need one."""
    used = {name for sentence in sentences for name in sentence.reasons}
    return {name: meaning for name, meaning in MEANINGS.items() if name in used}


def notes(
    sentence: SummarySentence, document: Document, explanation: Explanation | None
) -> Iterator[str]:
    """Yield the notes on a sentence, a line each.

    `explanation` has the document's topics and keywords, if the system has any.
    """
    if sentence.expands is not None:
        yield f"expands: {shorten(sentence.expands)}"
    for rival in sentence.rivals:
        text = " ".join(document.sentences[place].text for place in rival.sentences)
        yield f"instead of: {shorten(text)} (score {rival.score:.3g}, repeats {rival.repeats})"
    if sentence.deletions:
        deleted = (document.text[cut.start : cut.end].strip() for cut in sentence.deletions)
        yield f"left out: {'; '.join(map(shorten, deleted))}"
    if explanation is not None:
        for number, words in explanation.topics_in(sentence.text).items():
            yield f"of topic {number}: {', '.join(words)}"
        if keywords := explanation.keywords_in(sentence.text):
            yield f"keywords: {', '.join(keywords)}"


BANDS = (0.5, 0.35, 0.2, 0.1, 0.05)
"""For each shade, the share of the parts, the most important first, that are at least so dark."""

_MARKS = "·▁▂▄▆█"
_UNKNOWN = " "
_WIDTH = 72


def shades(weights: Sequence[float | None]) -> list[int]:
    """Return the shade of each part, from 0 to the number of `BANDS`, the darkest.

    Shades depend on ranks, since the scale of the weights depends on the system. Equal weights get
    equal shades; the least important parts and those without a weight get none.
    """
    known = sorted(weight for weight in weights if weight is not None)
    levels = []
    for weight in weights:
        if weight is None or weight == known[0]:
            levels.append(0)
            continue
        ahead = (len(known) - bisect_left(known, weight) - 1) / len(known)
        levels.append(sum(ahead < band for band in BANDS))
    return levels


def importance_lines(importance: Importance, document: Document) -> Iterator[str]:
    """Yield lines with a mark for the importance of each sentence, section by section."""
    yield (
        f"Importance of each sentence, by {importance.origin}, "
        f"from {_MARKS[0]} (low) over {_MARKS[1:-1]} to {_MARKS[-1]} (high)"
    )
    weighted = zip(importance.sentences, shades(importance.sentences), strict=True)
    marks = [_UNKNOWN if weight is None else _MARKS[shade] for weight, shade in weighted]
    tree = DocumentTree(document)
    place = 0
    for section in tree.sections:
        row = "".join(marks[place : place + len(section.sentences)])
        place += len(row)
        if row := row.rstrip(_UNKNOWN):
            yield section_place(tree, section.number) or document.title or "(no heading)"
            yield from (f"  {line}" for line in textwrap.wrap(row, _WIDTH, drop_whitespace=False))
