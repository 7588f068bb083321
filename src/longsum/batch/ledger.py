"""The folder of a run: its plan, its rows and its progress.

    manifest.json             what is summarized, how, by what
    plan.jsonl                the blocks, a line each
    rows/block-000000.parquet the rows of a block
    done/block-000000.json    their number and their hash
    aside/                    files that were in the place of rows and records

The rows of a block appear atomically, and only if no other process has committed the block:
processes may be killed at any time, and two may work on the same block, without losing or doubling
a row. The record in `done` follows. A block is done if its record was made for it in this run, and
its rows match the record; anything else is set aside, and the block is made again.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from longsum.batch.plan import Block, PlanFile
from longsum.batch.rows import Row, RowFormat, read_rows, write_rows
from longsum.batch.stored import hash_of, read_sealed, write_sealed
from longsum.common.errors import LongsumError
from longsum.common.files import make_folder
from longsum.common.shared_files import written_once


@dataclass(frozen=True, slots=True)
class Done:
    """The record of a block that is done.

    `failures` are counted by `error_type`; words are those of the summaries, characters those of
    the documents, and the hash is that of the row file.
    """

    block: int
    rows: int
    failures: dict[str, int]
    words: int
    characters: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """The folder of a run.

    `run` identifies the run, `form` is the format of its rows.
    """

    folder: Path
    form: RowFormat
    run: str
    plan: PlanFile = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "plan", PlanFile(self.folder / "plan.jsonl", self.run))

    def open(self) -> None:
        """Create the folders for rows and records.

        Raises:
            LongsumError: They cannot be created.
        """
        make_folder(self.folder / "rows")
        make_folder(self.folder / "done")

    def rows_file(self, block: Block) -> Path:
        """Return the file of a block's rows."""
        return self.folder / "rows" / f"{block.name}.{self.form}"

    def journal_file(self, block: Block) -> Path:
        """Return the file that logs the work on a block."""
        return self.folder / "done" / f"{block.name}.journal"

    def commit(self, block: Block, rows: Sequence[Row]) -> Done:
        """Write the rows of a block and record them.

        If another process has committed rows in the meantime, those stay and are recorded.

        Raises:
            LongsumError: They cannot be written.
            ValueError: They do not match the block.
        """
        if tuple(row.id for row in rows) != block.ids:
            raise ValueError(f"these are not the rows of {block.name}")
        with written_once(self.rows_file(block)) as part:
            write_rows(part, rows, self.form)
        return self._record(block)

    def done(self, block: Block) -> Done | None:
        """Return the record of a block, or None if it must be done, perhaps again.

        Raises:
            LongsumError: A file cannot be read, but may be intact.
        """
        try:
            record = Done(**read_sealed(self._record_file(block), self.run, block.ids))
            return record if record.sha256 == hash_of(self.rows_file(block)) else None
        except (ValueError, TypeError):
            return None

    def survey(self) -> tuple[dict[int, Done], list[str]]:
        """Return the records of finished blocks, and the names of other files among them.

        Raises:
            LongsumError: The plan is damaged, or a file cannot be read.
        """
        done: dict[int, Done] = {}
        expected: set[Path] = set()
        for block in self.plan.blocks():
            if (record := self.done(block)) is not None:
                done[block.number] = record
                expected |= {self.rows_file(block), self._record_file(block)}
        others: list[Path] = []
        for folder in (self.folder / "done", self.folder / "rows"):
            try:
                inside = sorted(folder.iterdir())
            except PermissionError:
                raise LongsumError(f"'{folder}' cannot be read; make it readable.") from None
            except OSError:
                inside = [folder] if os.path.lexists(folder) else []
            # A process killed while writing leaves a hidden file.
            others += [path for path in inside if path not in expected and path.name[0] != "."]
        return done, [path.relative_to(self.folder).as_posix() for path in others]

    def rows(self, block: Block) -> list[Row]:
        """Return the rows of a block that is done.

        Raises:
            LongsumError: They are damaged.
        """
        return list(read_rows(self.rows_file(block), self.form))

    def _record_file(self, block: Block) -> Path:
        return self.folder / "done" / f"{block.name}.json"

    def _record(self, block: Block) -> Done:
        rows = self.rows(block)
        if tuple(row.id for row in rows) != block.ids:
            raise LongsumError(
                f"'{self.rows_file(block)}' has documents other than those in the plan; resume the "
                "run."
            )
        failures = Counter(str(row.error_type) for row in rows if row.error_type is not None)
        record = Done(
            block=block.number,
            rows=len(rows),
            failures=dict(failures),
            words=sum(row.words for row in rows),
            characters=sum(row.characters for row in rows),
            sha256=hash_of(self.rows_file(block)),
        )
        write_sealed(self._record_file(block), asdict(record), self.run, block.ids)
        return record

    def check_unchanged(self, depends: Mapping[str, str]) -> None:
        """Refuse to continue if weights, settings or the version changed since the run began."""
        before = read_manifest(self.folder)["depends"]
        if changed := [name for name in depends if before.get(name) != depends[name]]:
            raise LongsumError(
                f"The {' and the '.join(changed)} changed after the run in '{self.folder}' began, "
                "so its rows would not all be alike; begin a new run."
            )


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the content of a run's manifest.

    Raises:
        LongsumError: There is none, or it is damaged.
    """
    path = folder / "manifest.json"
    if not os.path.lexists(path):
        raise LongsumError(f"'{folder}' holds no run of longsum batch; name the folder of one.")
    try:
        return read_sealed(path)
    except ValueError:
        raise LongsumError(
            f"'{path}' is damaged, or of another version of longsum; put a copy in its place, or "
            "begin a new run in another folder."
        ) from None
