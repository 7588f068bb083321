"""Counts what a reader leaves out, so that nothing is dropped silently."""

from collections import Counter


class Omitted:
    """A tally of parts without sentences (code, tables, pictures)."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def count(self, kind: str, number: int = 1) -> None:
        """Record that `number` parts of a kind were left out."""
        self._counts[kind] += number

    def warnings(self) -> list[str]:
        """Return one sentence that lists everything left out, or no sentence."""
        if not self._counts:
            return []
        parts = [
            f"{number} {kind}{'s' if number > 1 else ''}" for kind, number in self._counts.items()
        ]
        return [f"Left out, as they have no sentences: {', '.join(parts)}."]
