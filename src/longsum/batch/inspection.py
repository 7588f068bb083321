"""The progress of a run, and whether every document has a row."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from longsum.batch.plan import BlockSize, blocks_of
from longsum.batch.run import LOCK, BatchRun
from longsum.common.errors import LongsumError
from longsum.common.shared_files import is_locked
from longsum.common.wording import counted

# Names that a message lists.
_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The progress of a run.

    Attributes:
        blocks: Number of blocks in the plan.
        blocks_done: Number of blocks that are done.
        documents: Number of documents in the plan.
        done: Number of documents with a row.
        failures: Number of rows without a summary, by reason.
        words: Words of the summaries.
        characters: Characters of the documents that were read.
        damaged: Files that were altered or do not belong to the run; empty while a process works on
            it, since there are always some not recorded yet.
        running: Whether a process is working on it.
    """

    blocks: int
    blocks_done: int
    documents: int
    done: int
    failures: dict[str, int]
    words: int
    characters: int
    damaged: tuple[str, ...]
    running: bool


def status(run: BatchRun) -> Status:
    """Return the progress of a run.

    Raises:
        LongsumError: The plan is missing or damaged, or a file cannot be read.
    """
    running = is_locked(run.folder / LOCK)
    records, others = run.ledger.survey()
    done = records.values()
    sizes = [len(block.items) for block in run.ledger.plan.blocks()]
    failures: Counter[str] = Counter()
    for record in done:
        failures.update(record.failures)
    return Status(
        blocks=len(sizes),
        blocks_done=len(done),
        documents=sum(sizes),
        done=sum(record.rows for record in done),
        failures=dict(failures),
        words=sum(record.words for record in done),
        characters=sum(record.characters for record in done),
        damaged=() if running else tuple(others),
        running=running,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """Whether a run has exactly one row for every document.

    Attributes:
        documents: Number of documents in the plan.
        rows: Number of rows found.
        missing: Ids without a row.
        doubled: Ids with several rows.
        unknown: Ids of rows that are not in the plan.
        damaged: Files that were altered or do not belong to the run.
        unplanned: Number of corpus documents that the plan lacks; None if the corpus is missing.
    """

    documents: int
    rows: int
    missing: tuple[str, ...]
    doubled: tuple[str, ...]
    unknown: tuple[str, ...]
    damaged: tuple[str, ...]
    unplanned: int | None

    @property
    def sound(self) -> bool:
        """Whether nothing is missing, doubled, unknown or damaged."""
        return not (self.missing or self.doubled or self.unknown or self.damaged)

    @property
    def lines(self) -> list[str]:
        """The same in sentences."""
        lines = [
            f"{counted(self.documents, 'document')} planned, {counted(self.rows, 'row')} found"
        ]
        for names, what in (
            (self.missing, "without a row"),
            (self.doubled, "with several rows"),
            (self.unknown, "that the plan does not have"),
            (self.damaged, "damaged, or no part of the run"),
        ):
            if names:
                lines.append(f"{what}: {listed(names)}")
        if self.unplanned:
            lines.append(
                f"{counted(self.unplanned, 'document')} added to the corpus since; resume the run "
                "to summarize them"
            )
        whole = "nothing is missing, and nothing duplicated"
        lines.append(whole if self.sound else "the run is incomplete; resume it")
        return lines


def verify(run: BatchRun) -> Verification:
    """Compare the ids of documents with those of rows, and files with their hashes.

    Raises:
        LongsumError: The plan is missing or damaged, or a file cannot be read.
    """
    ledger = run.ledger
    done, others = ledger.survey()
    planned: set[str] = set()
    rows: Counter[str] = Counter()
    for block in ledger.plan.blocks():
        planned.update(block.ids)
        if block.number in done:
            rows.update(row.id for row in ledger.rows(block))
    return Verification(
        documents=len(planned),
        rows=rows.total(),
        missing=tuple(sorted(planned - rows.keys())),
        doubled=tuple(sorted(name for name, count in rows.items() if count > 1)),
        unknown=tuple(sorted(rows.keys() - planned)),
        damaged=tuple(others),
        unplanned=_unplanned(run, planned),
    )


def listed(names: Sequence[str]) -> str:
    """Return the first few names, and the number of others."""
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def _unplanned(run: BatchRun, planned: set[str]) -> int | None:
    try:
        items = run.settings.open_corpus().items()
        found = {name for block in blocks_of(items, BlockSize(1)) for name in block.ids}
    except LongsumError:
        return None
    return len(found - planned)
