"""A summary as text and as Markdown."""

import re
from collections.abc import Iterator

from longsum.documents.citation import section_place
from longsum.documents.model import Document
from longsum.documents.tree import DocumentTree
from longsum.summaries.summary import Explanation, Method, SourceSpan, Summary, SummarySentence

_MARKDOWN_MARKS = re.compile(r"([\\`*_\[\]<>#|])")
_SHOWN_KEYWORDS = 15
_METHODS: dict[Method, str] = {
    "copied": "copied",
    "aligned": "by its words",
    "attention": "by the model's attention",
}


def to_text(summary: Summary, explain: bool = False) -> str:
    """Return the summary as text; with `explain`, each choice with its source and reasons."""
    if not explain:
        return summary.text + "\n"
    lines = [summary.text, "", "Where each sentence came from, and why", ""]
    tree = DocumentTree(summary.document)
    for number, sentence in enumerate(summary.sentences, start=1):
        lines.append(f"{number:>3}. {_shorten(sentence.text)}")
        for source in sentence.sources:
            lines.append(f"     {_found(source, tree)}")
        lines.extend(f"     not supported: {doubt}" for doubt in sentence.doubts)
        lines.extend(f"     {line}" for line in _reasons(sentence, summary.document))
    if summary.explanation:
        lines.extend(["", *_explanation(summary.explanation)])
    return "\n".join(lines) + "\n"


def to_markdown(summary: Summary, explain: bool = False) -> str:
    """Return the summary as Markdown, with a footnote for the source of each sentence."""
    tree = DocumentTree(summary.document)
    title = summary.document.title or summary.document.source.name or "the document"
    body: list[str] = []
    notes: list[str] = []
    for paragraph in summary.paragraphs:
        marked: list[str] = []
        for sentence in paragraph:
            number = len(notes) + 1
            marked.append(f"{escape_markdown(sentence.text)}[^{number}]")
            notes.append(f"[^{number}]: {footnote(sentence, tree, summary.document, explain)}")
        body.append(" ".join(marked))
    parts = [f"# Summary of {escape_markdown(title)}", "\n\n".join(body), "\n".join(notes)]
    if explain and summary.explanation:
        parts.append("\n".join(f"- {line}" for line in _explanation(summary.explanation)))
    return "\n\n".join(part for part in parts if part) + "\n"


def place(source: SourceSpan, tree: DocumentTree) -> str:
    """Say where a source stands, as a reader would cite it: `§2.1 Methods, p. 3`."""
    page = f"p. {source.page}" if source.page is not None else ""
    span = f"characters {source.start}–{source.end}"
    return ", ".join(filter(None, (section_place(tree, source.section), page, span)))


def footnote(
    sentence: SummarySentence, tree: DocumentTree, document: Document, explain: bool = False
) -> str:
    """Say in Markdown where a sentence's sources stand; with `explain`, why it was chosen."""
    places = "; ".join(escape_markdown(_found(source, tree)) for source in sentence.sources)
    doubts = [escape_markdown(f"Not supported: {doubt}") for doubt in sentence.doubts]
    reasons = [escape_markdown(line) for line in _reasons(sentence, document)] if explain else []
    return ". ".join(filter(None, [places, *doubts, *reasons])) or "no source found"


def escape_markdown(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return _MARKDOWN_MARKS.sub(r"\\\1", text)


def _found(source: SourceSpan, tree: DocumentTree) -> str:
    """Say where a source stands and, if it is not simply copied, how it was found."""
    where = place(source, tree)
    return where if source.method == "copied" else f"{where} ({_METHODS[source.method]})"


def _reasons(sentence: SummarySentence, document: Document) -> Iterator[str]:
    shares = [
        f"{'-' if share < 0 else '+'} {name} {abs(share):.3g}"
        for name, share in sentence.reasons.items()
    ]
    if sentence.reasons:
        made_of = " ".join(shares).removeprefix("+ ")
        yield f"choice {sentence.step + 1}, score {sentence.score:.3g} = {made_of}"
    if sentence.runner_up is not None:
        yield f"chosen before: {_shorten(document.sentences[sentence.runner_up].text)}"


def _explanation(explanation: Explanation) -> Iterator[str]:
    for number, words in enumerate(explanation.topics, start=1):
        yield f"Topic {number}: {', '.join(words)}"
    if explanation.keywords:
        shown = [keyword for keyword, _ in explanation.keywords[:_SHOWN_KEYWORDS]]
        yield f"Keywords: {', '.join(shown)}"
    if explanation.weights:
        weights = ", ".join(f"{name} {weight:g}" for name, weight in explanation.weights.items())
        yield f"Weights: {weights}"


def _shorten(text: str, length: int = 88) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
