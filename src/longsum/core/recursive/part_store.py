"""Stores summaries of parts in a folder, so that an interrupted run can resume.

Each file contains one summary. Its name is the hash of everything that the summary depends on: the
part's text and structure, the system with its settings and weights, the length, the focus and the
seed. So a folder can serve several books, and an old summary is never found with new settings.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from longsum.common.errors import LongsumError
from longsum.common.files import read_kept, write_kept
from longsum.common.structured_text import parse_json
from longsum.common.threads import side_by_side
from longsum.core.summaries import Budget, Coverage, FinishReason, Notice, Summary, SummarySentence
from longsum.core.systems.system import Request, System
from longsum.documents.document_json import document_to_json
from longsum.documents.model import Document

SCHEMA = "longsum/part/4"
# A larger file is not the summary of a part, and is not read into memory.
_MOST_BYTES = 2**28


@dataclass(frozen=True, slots=True)
class _Stored:
    """The stored content of a summary: everything that its request does not determine."""

    sentences: tuple[SummarySentence, ...]
    sentences_read: int
    finish_reason: FinishReason
    notices: tuple[Notice, ...]


_STORED = TypeAdapter(_Stored)


class PartStore:
    """A folder with one file per finished part; files are written atomically."""

    def __init__(self, folder: Path) -> None:
        """Open the folder, creating it if necessary.

        Raises:
            LongsumError: The folder cannot be created or written to.
        """
        self._folder = folder
        try:
            folder.mkdir(0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise LongsumError(
                f"The working folder '{folder}' cannot be used ({error.strerror}); name another "
                "one."
            ) from None
        self._identities: dict[System, Any] = {}

    def load(self, system: System, request: Request) -> Summary | None:
        """Return the stored summary of a part, or None; a damaged file counts as missing."""
        path = self._path(system, request)
        try:
            content = parse_json(read_kept(path, _MOST_BYTES))
            if content["sha256"] != _sha256([path.name, content["summary"]]):
                return None
            stored = _STORED.validate_python(content["summary"])
            for number in chain.from_iterable(map(_referred, stored.sentences)):
                if not 0 <= number < len(request.document.sentences):
                    return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return Summary(
            document=request.document,
            sentences=stored.sentences,
            budget=request.budget,
            coverage=Coverage(stored.sentences_read, len(request.document.sentences)),
            system=system.name,
            settings=system.settings,
            seed=request.seed,
            finish_reason=stored.finish_reason,
            notices=stored.notices,
        )

    def save(self, system: System, request: Request, summary: Summary) -> None:
        """Write the summary of a part.

        Raises:
            LongsumError: The folder cannot be written to.
        """
        stored = _Stored(
            summary.sentences,
            summary.coverage.sentences_read,
            summary.finish_reason,
            summary.notices,
        )
        value = _STORED.dump_python(stored, mode="json")
        path = self._path(system, request)
        content = {"schema": SCHEMA, "summary": value, "sha256": _sha256([path.name, value])}
        write_kept(path, json.dumps(content).encode())

    def _path(self, system: System, request: Request) -> Path:
        text = document_to_json(request.document)
        # The same book under another file name is the same book.
        del text["source"]
        key = {
            "schema": SCHEMA,
            "version": version("longsum"),
            "text": text,
            "system": self._identity(system),
            "budget": str(request.budget),
            "focus": request.focus,
            "seed": request.seed,
        }
        return self._folder / f"{_sha256(key)}.json"

    def _identity(self, system: System) -> Any:
        if system not in self._identities:
            self._identities[system] = [system.name, system.settings, system.identity]
        return self._identities[system]


@dataclass(frozen=True, slots=True)
class PartReader:
    """Summarizes parts with a system, or loads their summaries from a store, if there is one."""

    system: System
    focus: str | None = None
    seed: int = 0
    store: PartStore | None = None

    def summaries(
        self, documents: Sequence[Document], budgets: Sequence[Budget]
    ) -> Iterator[Summary]:
        """Yield the summaries of parts in order, computed several at a time if that is faster."""
        apply = side_by_side if self.system.concurrent else map
        return iter(apply(lambda part: self.summarize(*part), zip(documents, budgets, strict=True)))

    def summarize(self, document: Document, budget: Budget) -> Summary:
        """Summarize a part, or load its summary from the store."""
        request = Request(document, budget, self.focus, self.seed)
        stored = None if self.store is None else self.store.load(self.system, request)
        if stored is not None:
            return stored
        summary = self.system.summarize(document, budget, focus=self.focus, seed=self.seed)
        if self.store is not None:
            self.store.save(self.system, request, summary)
        return summary


def _referred(sentence: SummarySentence) -> Iterator[int]:
    """Yield the positions of the document sentences that a summary sentence refers to."""
    yield from (source.sentence for source in sentence.sources)
    yield from (insertion.source.sentence for insertion in sentence.insertions)
    yield from chain.from_iterable(rival.sentences for rival in sentence.rivals)
    if sentence.runner_up is not None:
        yield sentence.runner_up


def _sha256(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
