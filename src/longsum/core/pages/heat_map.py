"""The heat map: a document's words or sentences shaded by importance."""

from collections.abc import Sequence
from html import escape

from longsum.core.summaries.importance import BANDS, Importance, shades
from longsum.documents.model import Document, Sentence

Stretch = tuple[int, int, int]
"""Start and end in the document, and the shade."""


def shaded_stretches(document: Document, importance: Importance | None) -> list[list[Stretch]]:
    """Return the shaded stretches of each sentence: its words, or else all of it."""
    found: list[list[Stretch]] = [[] for _ in document.sentences]
    if importance is None:
        return found
    if not importance.words:
        levels = shades(importance.sentences)
        for place, (sentence, shade) in enumerate(zip(document.sentences, levels, strict=True)):
            if shade:
                found[place].append((sentence.start, sentence.end, shade))
        return found
    place = 0
    levels = shades([word.weight for word in importance.words])
    for word, shade in zip(importance.words, levels, strict=True):
        while document.sentences[place].end < word.end:
            place += 1
        if shade:
            found[place].append((word.start, word.end, shade))
    return found


def shaded_text(text: str, sentence: Sentence, stretches: Sequence[Stretch]) -> str:
    """Return a sentence, escaped, with markup around its shaded stretches.

    Args:
        text: The document's text.
        sentence: The sentence.
        stretches: Its stretches, in order.
    """
    parts = []
    reached = sentence.start
    for start, end, shade in stretches:
        parts.append(escape(text[reached:start]))
        parts.append(f'<span class="heat-{shade}">{escape(text[start:end])}</span>')
        reached = end
    return "".join([*parts, escape(text[reached : sentence.end])])


def render_scale(importance: Importance | None, *, shown: bool) -> str:
    """Return the legend and the switch of the shades, which works without a script.

    Args:
        importance: The importance; None gives an empty string.
        shown: Whether shades are shown initially.
    """
    if importance is None:
        return ""
    checked = " checked" if shown else ""
    parts = "words" if importance.words else "sentences"
    scale = "".join(
        f'<span class="heat-{shade}">{band:.0%}</span>' for shade, band in enumerate(BANDS, start=1)
    )
    return (
        f'<p class="heat"><label><input type="checkbox" id="heat" autocomplete="off"{checked}> '
        f"Importance, by {escape(importance.origin)}</label> "
        f'<span class="scale">the most important {scale} of the {parts}</span></p>'
    )
