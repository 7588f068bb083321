"""What tries of a block have shown about its documents: which to take alone, which to give up."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from longsum.batch.plan import Block
from longsum.batch.rows import Failure, Row
from longsum.batch.summarizing import Announce
from longsum.errors import LongsumError
from longsum.files import append_text

_BEGUN = "null"
TRIES = 2
"""How often a process may end at a document before it is given up."""


@dataclass(slots=True)
class Trial:
    """A block, and what earlier tries have shown.

    Attributes:
        block: The block.
        alone: Documents that are not grouped with others any more.
        given_up: Rows of documents that are not tried again.
    """

    block: Block
    alone: set[str] = field(default_factory=set)
    given_up: dict[str, Row] = field(default_factory=dict)
    _ends: Counter[str] = field(default_factory=Counter)

    def blame(self, at_work: Sequence[str], why: Failure, told: str) -> None:
        """Take note that a process ended with these documents at work.

        Raises:
            LongsumError: Processes end again and again, and at no document.
        """
        if not at_work:
            # Between documents, as when it was killed from outside.
            self._ends[""] += 1
            if self._ends[""] >= 3 * TRIES:
                raise LongsumError(
                    f"Processes ended again and again while they wrote {self.block.name}; look for "
                    "what ends them (memory, perhaps), and resume with fewer workers."
                )
        self.alone.update(at_work)
        if len(at_work) != 1:
            return
        (name,) = at_work
        self._ends[name] += 1
        if self._ends[name] >= TRIES:
            self.given_up[name] = Row.failed(name, why, told)


@contextmanager
def journal(path: Path, block: Block) -> Iterator[tuple[Trial, Announce]]:
    """Keep what is at work in a file, for engines that do not tell when a process has ended.

    Whoever works on the block next, in any process, reads there what it ended at.

    Args:
        path: The file; it is removed when the block is done.
        block: The block.

    Yields:
        What earlier tries have shown, and what is to be told of this one.
    """
    trial = Trial(block)
    for at_work in _ends(path):
        trial.blame(at_work, "crash", f"The process that worked on it ended, {TRIES} times.")
    append_text(path, f"{_BEGUN}\n")
    yield trial, lambda ids: append_text(path, json.dumps(list(ids)) + "\n")
    path.unlink(missing_ok=True)


def _ends(path: Path) -> Iterator[list[str]]:
    """Yield what was at work when each earlier try ended; a line of its own begins a try."""
    if not path.exists():
        return
    last: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            at_work = json.loads(line)
        except ValueError:
            # Cut off while it was written: what it was about had not begun.
            continue
        if at_work is not None:
            last = at_work
        elif last:
            yield last
            last = []
    if last:
        yield last
