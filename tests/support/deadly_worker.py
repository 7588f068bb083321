"""A batch worker that dies or sleeps at documents with certain names."""

import os
import signal
import time
from typing import Any

from longsum.batch import summarizing
from longsum.batch.ledger import Ledger
from longsum.batch.settings import BatchSettings
from longsum.batch.workers import serve_blocks
from longsum.core.pipeline import summarize_with
from longsum.documents import Document


def serve_dangerously(connection: Any, ledger: Ledger, settings: BatchSettings) -> None:
    def dangerous(document: Document, *args: Any) -> Any:
        if "deadly" in document.source.name:
            os.kill(os.getpid(), signal.SIGKILL)
        if "sleepy" in document.source.name:
            time.sleep(60)
        return summarize_with(document, *args)

    summarizing.summarize_with = dangerous
    serve_blocks(connection, ledger, settings)


def end_at_once(_connection: Any, _ledger: Ledger, _settings: BatchSettings) -> None:
    raise SystemExit(3)
