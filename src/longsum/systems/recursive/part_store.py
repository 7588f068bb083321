"""Summaries of parts in a folder, so that work that was broken off goes on where it stood.

A file holds one summary. Its name is the hash of all that the summary depends on: the part's text
and structure, the system with its settings and weights, the length, the focus and the seed. So a
folder may serve several books, and a changed setting never finds an old summary.
"""

import hashlib
import json
from dataclasses import astuple
from importlib.metadata import version
from pathlib import Path
from typing import Any

from longsum.documents.document_json import document_to_json
from longsum.errors import LongsumError
from longsum.files import write_text
from longsum.summaries import Coverage, Notice, Rival, SourceSpan, Summary, SummarySentence
from longsum.systems.system import Request, System

SCHEMA = "longsum/part/2"


class PartStore:
    """A folder with a file for every part that is done; a file appears whole or not at all."""

    def __init__(self, folder: Path) -> None:
        """Open the folder, or make it.

        Raises:
            LongsumError: It cannot be made or written to.
        """
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LongsumError(
                f"The working folder '{folder}' cannot be used ({error.strerror}); name another "
                "one."
            ) from None
        self._identities: dict[int, Any] = {}

    def load(self, system: System, request: Request) -> Summary | None:
        """Return the summary of a part if it is there; a damaged file counts as none."""
        try:
            held = json.loads(self._path(system, request).read_text(encoding="utf-8"))
            if held["sha256"] != _sha256(held["summary"]):
                return None
            return _from_json(held["summary"], system, request)
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            return None

    def save(self, system: System, request: Request, summary: Summary) -> None:
        """Write the summary of a part.

        Raises:
            LongsumError: The folder cannot be written to.
        """
        path = self._path(system, request)
        value = _to_json(summary)
        held = {"schema": SCHEMA, "summary": value, "sha256": _sha256(value)}
        write_text(path, json.dumps(held, ensure_ascii=False))

    def _path(self, system: System, request: Request) -> Path:
        text = document_to_json(request.document)
        # A book of another file name is the same book.
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
        if id(system) not in self._identities:
            self._identities[id(system)] = [system.name, system.settings, system.identity]
        return self._identities[id(system)]


def _sha256(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _to_json(summary: Summary) -> dict[str, Any]:
    return {
        "sentences": [
            {
                "text": sentence.text,
                "sources": [
                    [source.sentence, source.score, source.method] for source in sentence.sources
                ],
                "score": sentence.score,
                "reasons": dict(sentence.reasons),
                "step": sentence.step,
                "runner_up": sentence.runner_up,
                "doubts": list(sentence.doubts),
                "expands": sentence.expands,
                "rivals": [astuple(rival) for rival in sentence.rivals],
            }
            for sentence in summary.sentences
        ],
        "sentences_read": summary.coverage.sentences_read,
        "finish_reason": summary.finish_reason,
        "notices": [astuple(notice) for notice in summary.notices],
    }


def _from_json(held: dict[str, Any], system: System, request: Request) -> Summary:
    document = request.document
    return Summary(
        document=document,
        sentences=tuple(
            SummarySentence(
                text=sentence["text"],
                sources=tuple(
                    SourceSpan.of(document, place, score, method)
                    for place, score, method in sentence["sources"]
                ),
                score=sentence["score"],
                reasons=sentence["reasons"],
                step=sentence["step"],
                runner_up=sentence["runner_up"],
                doubts=tuple(sentence["doubts"]),
                expands=sentence["expands"],
                rivals=tuple(
                    Rival(tuple(places), score, repeats)
                    for places, score, repeats in sentence["rivals"]
                ),
            )
            for sentence in held["sentences"]
        ),
        budget=request.budget,
        coverage=Coverage(held["sentences_read"], len(document.sentences)),
        system=system.name,
        settings=system.settings,
        seed=request.seed,
        finish_reason=held["finish_reason"],
        notices=tuple(Notice(kind, text) for kind, text in held["notices"]),
    )
