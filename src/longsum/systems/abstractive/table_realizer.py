"""A trained realizer, which writes the sentences of reports of games (Stepwise, B.4)."""

from longsum.systems.abstractive.generating import GeneratingWriter
from longsum.tasks.realization import source_document


class TableRealizer:
    """Writes sentences with an encoder–decoder; see `checked_realization.SentenceWriter`.

    Args:
        writer: The encoder–decoder.
        tokens: Maximum number of tokens of a sentence.
    """

    def __init__(self, writer: GeneratingWriter, tokens: int) -> None:
        self._writer = writer
        self._tokens = tokens

    def sentences(self, source: str, count: int) -> list[str]:
        """Return up to `count` sentences for a source, the best first."""
        reading = self._writer.read(source_document(source))
        return self._writer.several(reading, count, self._tokens)
