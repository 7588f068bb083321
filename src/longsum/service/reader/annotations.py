"""Annotations (kept, dropped, noted): stored with the document, and anchored in every summary.

An annotation is anchored to its words, to the text before them in the document and to their offset
(quote and position selectors of the Web Annotation model), not to a summary.
"""

import difflib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from longsum.common.errors import LongsumError
from longsum.service.lines import Line
from longsum.service.store import Store

Mark = Literal["keep", "drop"]
_SCHEMA = """
CREATE TABLE IF NOT EXISTS annotations (
    id TEXT PRIMARY KEY, document TEXT NOT NULL, created REAL NOT NULL, state TEXT,
    note TEXT NOT NULL, quote TEXT NOT NULL, before TEXT NOT NULL, start INTEGER,
    place TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS annotations_by_document ON annotations (document);
CREATE TRIGGER IF NOT EXISTS annotations_went AFTER DELETE ON documents BEGIN
    DELETE FROM annotations WHERE document = old.id;
END;
"""
_MOST = 5000
"""Maximum number of annotations of a document."""
_FIGURES = re.compile(r"\d[\d.,]*")
_ALIKE = 0.8
"""Share of common words from which one sentence counts as a changed form of another."""


class Change(BaseModel):
    """A change to a sentence: kept, dropped or neither, and the note on it."""

    model_config = ConfigDict(extra="forbid")

    state: Mark | None = None
    note: Annotated[str, Field(max_length=10_000)] = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotation.

    Attributes:
        id: Its id in requests.
        document: The id of its document.
        state: Whether its sentence is kept or dropped.
        note: The note.
        quote: The sentence it was made on.
        before: The text before its source in the document.
        start: Offset of its source in the document; None if it has none.
        place: Section and page, for display.
    """

    id: str
    document: str
    state: Mark | None
    note: str
    quote: str
    before: str
    start: int | None
    place: str


_ITS_OWN = "(document = ?1 OR document IN (SELECT document FROM members WHERE dossier = ?1))"


class Annotations:
    """The annotations in the database of a service."""

    def __init__(self, store: Store) -> None:
        self._store = store
        store.add_tables(_SCHEMA)

    def of(self, document: str) -> list[Annotation]:
        """Return the annotations of a document in order of creation.

        Combined documents have those of each member, whose places in the whole are unknown.
        """
        query = (
            "SELECT id, document, state, note, quote, before, CASE document WHEN ?1 THEN start "
            f"END, place FROM annotations WHERE {_ITS_OWN} ORDER BY created, id"
        )
        return [Annotation(*row) for row in self._store.rows(query, document)]

    def change(
        self, document: str, line: Line, known: Annotation | None, change: Change
    ) -> str | None:
        """Store a change; return the annotation's id, or None if nothing is left of it.

        An existing annotation keeps the words it was made on.

        Raises:
            LongsumError: The document has too many.
        """
        if change.state is None and not change.note:
            if known is not None:
                self.remove(document, known.id)
            return None
        with self._store.transaction():
            if known is not None:
                update = "UPDATE annotations SET state = ?, note = ? WHERE id = ?"
                self._store.change(update, change.state, change.note, known.id)
                return known.id
            count = "SELECT count(*) FROM annotations WHERE document = ?"
            if self._store.rows(count, document)[0][0] >= _MOST:
                raise LongsumError(f"A document may have at most {_MOST:,} notes; remove some.")
            identity = secrets.token_urlsafe(9)
            self._store.change(
                "INSERT INTO annotations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                *(identity, document, self._store.clock(), change.state, change.note),
                *(line.text, line.before, line.start, line.citation),
            )
            return identity

    def remove(self, document: str, identity: str) -> bool:
        """Remove an annotation; return whether there was one."""
        delete = f"DELETE FROM annotations WHERE {_ITS_OWN} AND id = ?2"
        return self._store.change(delete, document, identity)


def anchor(annotation: Annotation, lines: Sequence[Line]) -> int | None:
    """Find the sentence of a summary for an annotation; None if there is none.

    Preferred is a sentence with the same words, then one from the same place in the document, such
    as a shortened one, then one with the same figures and nearly the same words. Among several with
    the same words, the one after the same text is taken, then the nearest in the document.
    """
    same = [place for place, line in enumerate(lines) if line.text == annotation.quote]
    if same:
        return min(same, key=lambda place: _distance(annotation, lines[place]))
    for place, line in enumerate(lines):
        if line.start == annotation.start is not None:
            return place
    return _nearly(annotation, lines)


def _distance(annotation: Annotation, line: Line) -> tuple[bool, int]:
    far = abs((line.start or 0) - (annotation.start or 0))
    return line.before != annotation.before, far


def _nearly(annotation: Annotation, lines: Sequence[Line]) -> int | None:
    words = annotation.quote.lower().split()
    figures = _FIGURES.findall(annotation.quote)
    best, found = _ALIKE, None
    for place, line in enumerate(lines):
        if _FIGURES.findall(line.text) != figures:
            continue
        matcher = difflib.SequenceMatcher(None, words, line.text.lower().split(), autojunk=False)
        if matcher.quick_ratio() > best and matcher.ratio() > best:
            best, found = matcher.ratio(), place
    return found
