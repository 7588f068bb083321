"""Earlier attempts at a block: which documents to process alone, and which to give up."""

import faulthandler
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from longsum.batch.plan import Block
from longsum.batch.rows import Failure, Row
from longsum.batch.stored import opened
from longsum.batch.summarizing import Announce
from longsum.common.errors import LongsumError
from longsum.common.files import append_text, opened_log
from longsum.common.structured_text import parse_json

_MOST_SECONDS = 10**6
_BEGUN = "null"
# The start of what `faulthandler` writes when it ends a process.
_LATE = "Timeout ("
TRIES = 2
"""How often a process may die on a document before it is given up."""


@dataclass(slots=True)
class Trial:
    """A block, and the findings of earlier attempts at it.

    Attributes:
        block: The block.
        alone: Documents that are no longer grouped with others.
        given_up: Rows of documents that are not retried.
    """

    block: Block
    alone: set[str] = field(default_factory=set)
    given_up: dict[str, Row] = field(default_factory=dict)
    _ends: Counter[str] = field(default_factory=Counter)

    def blame(self, at_work: Sequence[str], why: Failure, told: str) -> None:
        """Record that a process died while working on these documents.

        Raises:
            LongsumError: Processes die again and again, but not on any document.
        """
        if not at_work:
            # It died between documents, for example killed from outside.
            self._ends[""] += 1
            if self._ends[""] >= 3 * TRIES:
                raise LongsumError(
                    f"Processes kept ending while they wrote {self.block.name}; find out what ends "
                    "them (perhaps a lack of memory), and resume with fewer workers."
                )
        self.alone.update(at_work)
        if len(at_work) != 1:
            return
        (name,) = at_work
        self._ends[name] += 1
        if self._ends[name] >= TRIES:
            self.given_up[name] = Row.failed(name, why, told)


@contextmanager
def journal(path: Path, block: Block, timeout: float) -> Iterator[tuple[Trial, Announce]]:
    """Log which documents are in progress, for engines that do not report dead processes.

    The next process to work on the block reads there where the last one died. This process ends
    itself if documents take too long, even in code that lets no other thread run.

    Args:
        path: The file; it is removed when the block is done.
        block: The block.
        timeout: Seconds that a document may take; for each if several are encoded together.

    Yields:
        The findings of earlier attempts, and the function that announces documents of this one.
    """
    trial = Trial(block)
    for at_work, late in _ends(path, block):
        told = too_long(timeout) if late else f"The process that worked on it ended, {TRIES} times."
        trial.blame(at_work, "timeout" if late else "crash", told)
    append_text(path, f"{_BEGUN}\n")
    with opened_log(path) as log:

        def announce(ids: Sequence[str]) -> None:
            faulthandler.cancel_dump_traceback_later()
            append_text(path, json.dumps(list(ids)) + "\n")
            if ids:
                faulthandler.dump_traceback_later(timeout * len(ids), file=log, exit=True)

        try:
            yield trial, announce
        finally:
            faulthandler.cancel_dump_traceback_later()
    path.unlink(missing_ok=True)


def check_timeout(timeout: float) -> None:
    """Reject an impossible timeout.

    Raises:
        LongsumError: It is not a positive number, or more than a timer can be set to.
    """
    if not 0 < timeout <= _MOST_SECONDS:
        raise LongsumError(
            f"A timeout of {timeout:g} seconds is impossible; give more than 0 and at most "
            f"{_MOST_SECONDS:,}."
        )


def too_long(timeout: float) -> str:
    """Return the error message for a document that exceeded the time limit."""
    return f"It took longer than {timeout:g} seconds; raise --timeout."


def _ends(path: Path, block: Block) -> Iterator[tuple[list[str], bool]]:
    """Yield what each earlier attempt was working on when it died, and whether it timed out.

    A special line begins an attempt; other lines, such as truncated ones, are ignored.
    """
    lines = []
    with suppress(ValueError), opened(path) as file:
        lines = file.read().decode(errors="replace").splitlines()
    last: list[str] = []
    late = False
    for line in (*lines, _BEGUN):
        late = late or line.startswith(_LATE)
        with suppress(ValueError):
            at_work = parse_json(line)
            if isinstance(at_work, list):
                last = [name for name in block.ids if name in at_work]
            elif last:
                yield last, late
                last, late = [], False
