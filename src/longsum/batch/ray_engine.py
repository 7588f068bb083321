"""Blocks summarized on a Ray cluster.

Ray Data is only the executor: it gives blocks to actors, each of which loads the system once and
commits rows to the ledger itself. For each block, Ray gets only a short line and never an
exception, which would end the job and lose the rest of the batch.
"""

import json
import logging
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from longsum.batch.ledger import Done, Ledger
from longsum.batch.plan import Block
from longsum.batch.settings import BatchSettings
from longsum.batch.summarizing import BlockSummarizer
from longsum.batch.trial import journal
from longsum.batch.workers import Report
from longsum.common.errors import LongsumError, UnwritableError
from longsum.common.extras import missing_extras_explained


@dataclass(frozen=True, slots=True)
class RayEngine:
    """Summarizes blocks with actors on one machine or many.

    The actors read the corpus and write to the folder of the run, so that on a cluster both must be
    accessible from every machine.

    Attributes:
        ledger: The ledger for rows.
        settings: How to summarize.
        workers: Maximum number of actors; Ray starts fewer if there is no room, and more as a
            cluster grows.
        timeout: Seconds that a document may take; for each if several are encoded together.
        address: Address of a cluster, or `auto`; None starts Ray on this machine.
        gpus: Number of GPUs, or the share of one, for each actor.
    """

    ledger: Ledger
    settings: BatchSettings
    workers: int
    timeout: float
    address: str | None = None
    gpus: float = 0.0

    def run(self, blocks: Iterator[Block], report: Report) -> None:
        """Summarize blocks; each is committed before it is reported.

        Raises:
            LongsumError: Ray is not installed or unreachable, the system cannot be loaded, or rows
                cannot be written.
        """
        lines = [{"block": block.to_json()} for block in blocks]
        if not lines:
            return
        with missing_extras_explained():
            import ray
            from ray.data import ActorPoolStrategy, DataContext
            from ray.exceptions import RayError
        self._connect(ray)
        try:
            DataContext.get_current().enable_progress_bars = False
            logging.getLogger("ray.data").setLevel(logging.ERROR)
            dataset = ray.data.from_items(lines, override_num_blocks=len(lines)).map_batches(
                _Actor,
                fn_constructor_args=(self.ledger, asdict(self.settings), self.timeout),
                batch_size=1,
                batch_format="pandas",
                compute=ActorPoolStrategy(min_size=1, max_size=self.workers),
                num_cpus=1,
                num_gpus=self.gpus or None,
            )
            for row in dataset.iter_rows():
                _pass_on(row, report)
        except RayError as error:
            raise LongsumError(
                f"Ray ended the run ({type(error).__name__}); what is done is kept, so resume it."
            ) from None
        finally:
            ray.shutdown()

    def _connect(self, ray: Any) -> None:
        local: dict[str, Any] = {"num_cpus": self.workers + 1, "include_dashboard": False}
        try:
            ray.init(
                address=self.address,
                logging_level="ERROR",
                log_to_driver=False,
                **({} if self.address else local),
            )
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise LongsumError(
                f"Ray cannot be reached at '{self.address}' ({error}); start the cluster, or check "
                "--address."
            ) from None


class _Actor:
    """Summarizes one block after the other in a Ray process."""

    def __init__(self, ledger: Ledger, settings: dict[str, Any], timeout: float) -> None:
        self._ledger = ledger
        self._timeout = timeout
        self._settings = BatchSettings.from_dict(settings)
        self._summarizer: BlockSummarizer | None = None

    def __call__(self, batch: Any) -> Any:
        """Summarize the block of a batch; return the outcome."""
        import pandas as pd

        outcomes = [self._done(line) for line in batch["block"]]
        return pd.DataFrame({"outcome": [json.dumps(outcome) for outcome in outcomes]})

    def _done(self, line: str) -> dict[str, Any]:
        try:
            if self._summarizer is None:
                self._summarizer = BlockSummarizer.of_run(self._ledger, self._settings)
            block = Block.from_json(line)
            path = self._ledger.journal_file(block)
            with journal(path, block, self._timeout) as (trial, announce):
                rows = self._summarizer.rows(
                    block, announce, alone=trial.alone, given_up=trial.given_up
                )
                return asdict(self._ledger.commit(block, rows))
        except Exception as error:
            return {"error": str(error), "unwritable": isinstance(error, UnwritableError)}


def _pass_on(row: dict[str, Any], report: Report) -> None:
    value = json.loads(row["outcome"])
    if "error" in value:
        raise (UnwritableError if value["unwritable"] else LongsumError)(value["error"])
    report(Done(**value))
