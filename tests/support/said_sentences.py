from collections.abc import Sequence


class Said:
    """A realizer that returns given sentences, and records its inputs and the numbers requested."""

    def __init__(self, *tries: Sequence[str]) -> None:
        self.tries = list(tries)
        self.sources: list[str] = []
        self.counts: set[int] = set()

    def sentences(self, source: str, count: int) -> list[str]:
        self.sources.append(source)
        self.counts.add(count)
        return list(self.tries.pop(0))
