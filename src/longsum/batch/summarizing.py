"""Turns a block of documents into rows."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Self

from longsum.batch.corpora.corpus import Item
from longsum.batch.ledger import Ledger
from longsum.batch.plan import Block
from longsum.batch.rows import Failure, Row
from longsum.batch.settings import BatchSettings, described
from longsum.common.errors import LongsumError
from longsum.core.pipeline import summarize_with
from longsum.core.systems.system import System
from longsum.documents.model import Document

# Characters of the documents whose sentences are encoded together: about thirty thousand words.
_TOGETHER = 200_000

Announce = Callable[[Sequence[str]], None]
"""Gets the ids of documents before work on them starts."""


class BlockSummarizer:
    """Summarizes blocks of a corpus with a system that is loaded once.

    Documents whose sentences a system can encode together are read in groups; within a group its
    encoder sorts sentences by length, so that batches have little padding. An error in a document
    becomes its row, and does not affect the others.

    By default, the system is that of the settings.
    """

    def __init__(self, settings: BatchSettings, system: System | None = None) -> None:
        self._settings = settings
        self._corpus = settings.open_corpus()
        self._budget = settings.budget
        self._options = settings.options
        self._system = settings.choice.load() if system is None else system

    @classmethod
    def of_run(cls, ledger: Ledger, settings: BatchSettings) -> Self:
        """Load the system of a run.

        Raises:
            LongsumError: It cannot be loaded, or is not the one that the run started with.
        """
        system = settings.choice.load()
        ledger.check_unchanged(described(settings, system))
        return cls(settings, system)

    def rows(
        self,
        block: Block,
        announce: Announce = lambda _: None,
        *,
        alone: AbstractSet[str] = frozenset(),
        given_up: Mapping[str, Row] | None = None,
    ) -> list[Row]:
        """Return a row for each document of a block, in its order.

        Args:
            block: The block.
            announce: Told which documents are in progress, so that they can be blamed if the
                process dies.
            alone: Documents that are not grouped with others.
            given_up: Rows of documents that are not retried.
        """
        rows_by_id: dict[str, Row] = dict(given_up or {})
        for group in self._groups(block, announce, alone, rows_by_id):
            announce([item.id for item, _ in group])
            for row in self._summarized(group):
                rows_by_id[row.id] = row
        announce(())
        return [rows_by_id[item.id] for item in block.items]

    def _groups(
        self, block: Block, announce: Announce, alone: AbstractSet[str], rows: dict[str, Row]
    ) -> Iterator[list[tuple[Item, Document]]]:
        """Yield documents to be encoded together; those that cannot be read get their rows."""
        group: list[tuple[Item, Document]] = []
        size = 0
        for item in block.items:
            if item.id in rows:
                continue
            announce((item.id,))
            document = self._read(item)
            if isinstance(document, Row):
                rows[item.id] = document
            elif item.id in alone:
                yield [(item, document)]
            else:
                group.append((item, document))
                size += len(document.text)
            if size >= _TOGETHER:
                yield group
                group, size = [], 0
        if group:
            yield group

    def _read(self, item: Item) -> Document | Row:
        try:
            return self._corpus.read(item, self._settings.limits)
        except LongsumError as error:
            return Row.failed(item.id, "unreadable", str(error))
        except Exception as error:
            return Row.failed(item.id, "fault", _described(error))

    def _summarized(self, group: Sequence[tuple[Item, Document]]) -> Iterator[Row]:
        system = self._system
        if len(group) > 1:
            try:
                system = system.with_encodings([document for _, document in group])
            except Exception:
                # One of them is at fault; separately, the others get their summaries.
                system = self._system
        for item, document in group:
            yield self._row(item, document, system)

    def _row(self, item: Item, document: Document, system: System) -> Row:
        start = time.perf_counter()
        failure: Failure
        try:
            summary = summarize_with(document, self._budget, system, self._options)
            seconds = time.perf_counter() - start
            return Row.of(item.id, summary, seconds, full=self._settings.full)
        except LongsumError as error:
            failure, message = "refused", str(error)
        except Exception as error:
            failure, message = "fault", _described(error)
        return Row.failed(item.id, failure, message, document)


def _described(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
