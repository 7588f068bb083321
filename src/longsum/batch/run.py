"""Starting and resuming a run over a corpus."""

import os
import secrets
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol

from longsum.batch.corpora.corpus import Item
from longsum.batch.ledger import Ledger, read_manifest
from longsum.batch.plan import Block, BlockSize, DamagedPlanError, PlanFile, blocks_of
from longsum.batch.rows import check_format
from longsum.batch.settings import SCHEMA, BatchSettings, described
from longsum.batch.stored import write_sealed
from longsum.batch.workers import Report
from longsum.common.errors import LongsumError
from longsum.common.files import new_folder, set_aside
from longsum.common.names import path_exists
from longsum.common.shared_files import locked
from longsum.common.wording import counted

LOCK = "lock"
"""Name of the file that is locked by the process working on a run."""
_ASIDE = "aside"


class Engine(Protocol):
    """Summarizes blocks: with local processes, or Ray."""

    def run(self, blocks: Iterator[Block], report: Report) -> None:
        """Summarize blocks; commit each, then report it."""


Engines = Callable[[Ledger, BatchSettings], Engine]
"""Makes the engine of a run."""


@dataclass(frozen=True, slots=True)
class BatchRun:
    """A run in its folder.

    `size` is the maximum size of its blocks.
    """

    folder: Path
    settings: BatchSettings
    size: BlockSize = field(default_factory=BlockSize)

    @property
    def ledger(self) -> Ledger:
        """Its plan, its rows and its records."""
        return Ledger(self.folder, self.settings.form, read_manifest(self.folder)["run"])

    @classmethod
    def open(cls, folder: Path) -> "BatchRun":
        """Return the run in a folder.

        Raises:
            LongsumError: There is none.
        """
        value = read_manifest(folder)
        try:
            if value["schema"] != SCHEMA:
                raise KeyError(SCHEMA)
            settings = BatchSettings.from_dict(value["settings"])
            return cls(folder, settings, BlockSize(**value["block_size"]))
        except (KeyError, TypeError):
            raise LongsumError(
                f"The run in '{folder}' was begun by another version of longsum; begin a new one "
                "in another folder."
            ) from None

    def begin(self) -> None:
        """Plan the run, and write the plan to its folder.

        Raises:
            LongsumError: The folder is not empty, or is in the corpus; the system cannot be
                loaded; or the corpus cannot be read or has no document.
        """
        self._check_folder()
        check_format(self.settings.form)
        self.settings.budget  # noqa: B018  # an invalid length is reported before anything is done
        system = self.settings.choice.load()
        depends = described(self.settings, system)
        # Before anything is written, so that errors of the corpus are not blamed on the folder.
        blocks = list(blocks_of(self.settings.open_corpus().items(), self.size))
        if not blocks:
            raise LongsumError(
                f"There is no document in '{self.settings.corpus}'; name another folder or file."
            )
        with new_folder(self.folder) as folder:
            name = secrets.token_hex(8)
            PlanFile(folder / "plan.jsonl", name).write(blocks)
            write_sealed(
                folder / "manifest.json",
                {
                    "schema": SCHEMA,
                    "run": name,
                    "settings": asdict(self.settings),
                    "block_size": asdict(self.size),
                    "depends": depends,
                },
            )

    def _check_folder(self) -> None:
        folder = self.folder
        if os.path.lexists(folder / "manifest.json"):
            raise LongsumError(
                f"'{folder}' holds a run; 'longsum batch resume {folder}' continues it."
            )
        if path_exists(folder) and (not folder.is_dir() or any(folder.iterdir())):
            raise LongsumError(f"'{folder}' is not an empty folder; name a new one.")
        # Resolved, past links and `..`.
        output = Path(os.path.realpath(folder))
        if Path(os.path.realpath(self.settings.corpus)) in (output, *output.parents):
            raise LongsumError(
                f"'{folder}' is inside the folder of documents, and its files would be read as "
                "documents; name a folder elsewhere."
            )

    def check_unchanged(self) -> None:
        """Refuse to add rows if weights, settings or the version have changed."""
        self.ledger.check_unchanged(described(self.settings, self.settings.choice.load()))

    def resume(self, engines: Engines, report: Report) -> None:
        """Summarize the missing blocks.

        Raises:
            LongsumError: Another process is working on the run, or it cannot continue.
        """
        with locked(self.folder / LOCK) as alone:
            if not alone:
                raise LongsumError(f"Another process is working on '{self.folder}'; wait for it.")
            ledger = self.ledger
            done, others = ledger.survey()
            # Journals too: workers end with their driver, whatever documents they had.
            for name in others:
                set_aside(self.folder / name, self.folder / _ASIDE)
            ledger.open()
            pending = (block for block in ledger.plan.blocks() if block.number not in done)
            engines(ledger, self.settings).run(pending, report)

    def renew_plan(self) -> "Growth":
        """Plan what has been added to the corpus since, and locate what has moved in it.

        Finished documents keep their rows; missing unfinished ones will fail. A damaged plan is
        made again; blocks that stay the same keep their rows.

        Raises:
            LongsumError: The corpus cannot be read.
        """
        ledger = self.ledger
        try:
            blocks, damaged = list(ledger.plan.blocks()), False
        except DamagedPlanError:
            blocks, damaged = [], True
        planned = {item.id: item for block in blocks for item in block.items}
        found: dict[str, Item] = {}
        for block in blocks_of(self.settings.open_corpus().items(), BlockSize(1)):
            found |= {item.id: item for item in block.items}
        new = [item for name, item in found.items() if name not in planned]
        moved = [name for name, item in planned.items() if found.get(name, item) != item]
        if not (planned or new):
            raise LongsumError(
                f"There is no document in '{self.settings.corpus}'; name another folder or file."
            )
        if damaged and os.path.lexists(ledger.plan.path):
            set_aside(ledger.plan.path, self.folder / _ASIDE)
        if new or moved:
            renewed = [
                Block(block.number, tuple(found.get(item.id, item) for item in block.items))
                for block in blocks
            ]
            added = blocks_of(new, self.size, first=len(blocks), taken=planned)
            ledger.plan.write([*renewed, *added])
        gone = len(planned.keys() - found.keys())
        return Growth(new=len(new), changed=len(moved), gone=gone, replanned=damaged)


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Changes to a corpus since it was planned.

    Attributes:
        new: Number of documents added.
        changed: Number of documents whose size or place changed.
        gone: Number of documents that no longer exist.
        replanned: Whether the plan was damaged, so that all documents count as new.
    """

    new: int
    changed: int
    gone: int
    replanned: bool = False

    @property
    def lines(self) -> list[str]:
        """The same in sentences; empty if nothing changed."""
        lines = []
        if self.replanned:
            lines.append("The plan was damaged, and was made again from the corpus.")
        elif self.new:
            lines.append(f"New in the corpus, and added: {counted(self.new, 'document')}.")
        if self.changed:
            lines.append(
                f"{counted(self.changed, 'document')} changed or moved; what is done stays."
            )
        if self.gone:
            lines.append(f"Gone from the corpus: {counted(self.gone, 'document')}.")
        return lines
