"""A trained realizer, which writes the sentences of reports on games (Stepwise, B.4)."""

from typing import Self

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelPath, check_model
from longsum.models.writing.generating import GeneratingWriter
from longsum.models.writing.hub import load_writer, task_of
from longsum.tables.realization.realization_task import source_document


class TableRealizer:
    """Writes sentences with an encoder–decoder; see `checked_realization.SentenceWriter`.

    No sentence has more than `tokens`.
    """

    def __init__(self, writer: GeneratingWriter, tokens: int) -> None:
        self._writer = writer
        self._tokens = tokens

    @classmethod
    def load(cls, source: ModelPath) -> Self:
        """Load a trained realizer of content plans.

        Args:
            source: A folder that `longsum train table-realizer` wrote.

        Raises:
            LongsumError: The model cannot be read, or has not learned to write about tables.
        """
        folder = check_model(source)
        task = task_of(folder)
        if task is None or task.kind != "realization":
            raise LongsumError(
                f"The model '{folder.name}' has not learned to write about tables; give the folder "
                "of one that 'longsum train table-realizer' wrote."
            )
        return cls(load_writer(folder), task.target_tokens)

    def sentences(self, source: str, count: int) -> list[str]:
        """Return up to `count` sentences for a source, the best first."""
        reading = self._writer.read(source_document(source))
        return self._writer.several(reading, count, self._tokens)
