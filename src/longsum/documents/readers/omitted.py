"""Counts what a reader leaves out, so that nothing is dropped silently."""

from collections import Counter

# Parts that have sentences, but none of the body; all others have none at all.
_APART = frozenset(
    {
        "biography",
        "caption",
        "comment",
        "conditional passage",
        "deleted passage",
        "e-mail header",
        "endnote",
        "footnote",
        "hidden part",
        "hidden passage",
        "included file",
        "masthead",
        "note to the editor",
        "page footer",
        "page header",
        "reference",
        "running head",
        "reply to the article",
        "translated abstract",
    }
)


class Omitted:
    """A tally of parts that are no body text (code, tables, pictures, notes)."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def count(self, kind: str, number: int = 1) -> None:
        """Record that `number` parts of a kind were left out."""
        self._counts[kind] += number

    def warnings(self) -> list[str]:
        """Return a sentence that lists what has no sentences, and one that lists what else is out.

        There is none for what there is nothing of.
        """
        groups = (
            ("have no sentences", [kind for kind in self._counts if kind not in _APART]),
            ("stand apart from the text", [kind for kind in self._counts if kind in _APART]),
        )
        return [
            f"Left out, as they {reason}: {', '.join(map(self._counted, kinds))}."
            for reason, kinds in groups
            if kinds
        ]

    def _counted(self, kind: str) -> str:
        number = self._counts[kind]
        plural = kind if number == 1 else _PLURALS.get(kind, f"{kind}s")
        return f"{number} {plural}"


_PLURALS = {
    "attribute entry": "attribute entries",
    "biography": "biographies",
    "note to the editor": "notes to the editor",
    "reply to the article": "replies to the article",
}
