from collections.abc import Iterator
from pathlib import Path
from typing import Any

from longsum.batch.ledger import Ledger
from longsum.batch.plan import Block, BlockSize
from longsum.batch.run import BatchRun
from longsum.batch.settings import BatchSettings
from longsum.batch.summarizing import BlockSummarizer
from longsum.batch.workers import Report
from longsum.core.pipeline import SystemOptions

TEXT = "Dams hold back the river in spring. It floods the valley otherwise. Fields need water."
LEAD = SystemOptions(system="lead")


class Here:
    """An engine without processes, which can end after a given number of blocks."""

    def __init__(self, ledger: Ledger, settings: BatchSettings, most: int | None = None) -> None:
        self.ledger = ledger
        self.summarizer = BlockSummarizer(settings)
        self.most = most

    def run(self, blocks: Iterator[Block], report: Report) -> None:
        for number, block in enumerate(blocks):
            if number == self.most:
                raise KeyboardInterrupt
            report(self.ledger.commit(block, self.summarizer.rows(block)))


def made(corpus: Path, folder: Path, size: int = 2, **settings: Any) -> BatchRun:
    known = {"choice": LEAD, "length": "1s", "form": "jsonl", **settings}
    return BatchRun(folder, BatchSettings(corpus=str(corpus), **known), BlockSize(size))


def finished(corpus: Path, folder: Path, size: int = 2, **settings: Any) -> BatchRun:
    run = made(corpus, folder, size, **settings)
    run.begin()
    run.resume(Here, nobody)
    return run


def rows_of(run: BatchRun) -> dict[str, Any]:
    return {row.id: row for block in run.ledger.plan.blocks() for row in run.ledger.rows(block)}


def nobody(_: Any) -> None:
    pass
