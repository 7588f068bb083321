"""The folder of a run: its plan, its rows, and what of it is done.

    manifest.json             what is summarized, how, by what
    plan.jsonl                the blocks, a line each
    rows/block-000000.parquet the rows of a block
    done/block-000000.json    how many they are, and their hash

The rows of a block appear at once, and only if no other process has committed the block: a process
may end at any time, and two may work on the same block, without a row lost or doubled. The record
in `done` follows; where it is missing beside rows, it is made from them.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from longsum.batch.plan import Block, PlanFile
from longsum.batch.row_files import RowFormat, read_rows, write_rows
from longsum.batch.rows import Row
from longsum.errors import LongsumError
from longsum.files import make_folder, write_text, written_once


@dataclass(frozen=True, slots=True)
class Done:
    """What is recorded of a block that is done.

    Attributes:
        block: Its number.
        rows: How many rows it has.
        failures: How many of them failed, by their `error_type`.
        words: Words of its summaries.
        characters: Characters of its documents.
        sha256: Hash of the file of rows.
    """

    block: int
    rows: int
    failures: dict[str, int]
    words: int
    characters: int
    sha256: str

    @property
    def failed(self) -> int:
        """How many documents have no summary."""
        return sum(self.failures.values())


@dataclass(frozen=True, slots=True)
class Ledger:
    """The folder of a run.

    Attributes:
        folder: The folder.
        form: Format of the rows.
    """

    folder: Path
    form: RowFormat
    plan: PlanFile = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "plan", PlanFile(self.folder / "plan.jsonl"))

    def open(self) -> None:
        """Create the folders that rows and records go into.

        Raises:
            LongsumError: They cannot be created.
        """
        make_folder(self.folder / "rows")
        make_folder(self.folder / "done")

    def rows_file(self, block: Block) -> Path:
        """Return the file of a block's rows."""
        return self.folder / "rows" / f"{block.name}.{self.form}"

    def journal_file(self, block: Block) -> Path:
        """Return the file that says what is at work of a block."""
        return self.folder / "done" / f"{block.name}.journal"

    def commit(self, block: Block, rows: Sequence[Row]) -> Done:
        """Write the rows of a block and record them.

        Rows that another process committed meanwhile stay, and are what is recorded.

        Raises:
            LongsumError: They cannot be written.
            ValueError: They are not those of the block.
        """
        if tuple(row.id for row in rows) != block.ids:
            raise ValueError(f"these are not the rows of {block.name}")
        with written_once(self.rows_file(block)) as part:
            write_rows(part, rows, self.form)
        return self._record(block)

    def done(self, block: Block) -> Done | None:
        """Return what is recorded of a block, or None if it is still to be done.

        Raises:
            LongsumError: Its rows are damaged.
        """
        if not self.rows_file(block).exists():
            return None
        try:
            value = json.loads(self._record_file(block).read_text(encoding="utf-8"))
            return Done(**value)
        except (OSError, ValueError, TypeError):
            return self._record(block)

    def pending(self) -> Iterator[Block]:
        """Yield the blocks that are still to be done."""
        return (block for block in self.plan.blocks() if self.done(block) is None)

    def rows(self, block: Block) -> list[Row]:
        """Return the rows of a block that is done.

        Raises:
            LongsumError: They are damaged.
        """
        return list(read_rows(self.rows_file(block), self.form))

    def hash_of(self, block: Block) -> str:
        """Return the hash of the file of a block's rows."""
        return hashlib.sha256(self.rows_file(block).read_bytes()).hexdigest()

    def _record_file(self, block: Block) -> Path:
        return self.folder / "done" / f"{block.name}.json"

    def _record(self, block: Block) -> Done:
        rows = self.rows(block)
        if tuple(row.id for row in rows) != block.ids:
            raise LongsumError(
                f"'{self.rows_file(block)}' has other documents than the plan says; move it away, "
                "and resume."
            )
        failures = Counter(str(row.error_type) for row in rows if row.error_type is not None)
        made = Done(
            block=block.number,
            rows=len(rows),
            failures=dict(failures),
            words=sum(row.words for row in rows),
            characters=sum(row.characters for row in rows),
            sha256=self.hash_of(block),
        )
        write_text(self._record_file(block), json.dumps(asdict(made)) + "\n")
        return made


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return what the manifest of a run says.

    Raises:
        LongsumError: There is none, or it is damaged.
    """
    path = folder / "manifest.json"
    if not path.exists():
        raise LongsumError(f"'{folder}' holds no run of longsum batch; name the folder of one.")
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise LongsumError(f"'{path}' cannot be read ({error}); begin a new run.") from None
    if not isinstance(value, dict):
        raise LongsumError(f"'{path}' is damaged; begin a new run.")
    return value
