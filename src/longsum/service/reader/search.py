"""Search over the library: titles, sources and summaries, by SQLite's full text index."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from longsum.service.lines import FORM, Lines
from longsum.service.store import Store

Kind = Literal["title", "source", "summary"]
_SCHEMA = """
CREATE VIRTUAL TABLE IF NOT EXISTS found USING fts5(
    body, document UNINDEXED, job UNINDEXED, kind UNINDEXED, place UNINDEXED,
    tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE IF NOT EXISTS indexed (what TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT;
CREATE TRIGGER IF NOT EXISTS index_went AFTER DELETE ON documents BEGIN
    DELETE FROM found WHERE document = old.id;
    DELETE FROM indexed WHERE document = old.id;
END;
"""
_PRESENT = """
SELECT id, id, name, about FROM documents WHERE about IS NOT NULL
UNION ALL SELECT jobs.id, document, '', '' FROM jobs JOIN results ON job = jobs.id AND form = ?
WHERE state = 'done'
"""
"""Everything searchable: each document that was read, and each summary, with its document."""
_OPEN, _CLOSE = "\x02", "\x03"
MOST = 60
"""Maximum number of hits."""
_WORDS = 16
"""Maximum number of words of a query."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A place where words were found.

    Attributes:
        document: The id of the document.
        job: The summary that it is in or shown with; empty if there is none.
        kind: Whether it is in a title, a source or a summary.
        place: The section, or the summary's length.
        parts: The text around the words, alternating: not matched, matched, not matched, …
        text: The paragraph or sentence.
    """

    document: str
    job: str
    kind: Kind
    place: str
    parts: tuple[str, ...]
    text: str


class Search:
    """The index in a service's database, updated with every search."""

    def __init__(self, store: Store) -> None:
        self._store = store
        store.add_tables(_SCHEMA)

    def find(self, words: str) -> list[Hit]:
        """Return the places with all words of a query, best first; the last may be a prefix."""
        query = _query(words)
        if not query:
            return []
        self.refresh()
        select = (
            "SELECT document, job, kind, place, snippet(found, 0, ?, ?, ' … ', 40), body "
            "FROM found WHERE found MATCH ? ORDER BY kind = 'title' DESC, rank LIMIT ?"
        )
        rows = self._store.rows(select, _OPEN, _CLOSE, query, MOST)
        return [
            Hit(document, job, kind, place, tuple(re.split(f"[{_OPEN}{_CLOSE}]", said)), body)
            for document, job, kind, place, said, body in rows
        ]

    def refresh(self) -> None:
        """Add new documents and summaries, and remove those that are gone."""
        with self._store.transaction() as database:
            known = {what for (what,) in database.execute("SELECT what FROM indexed")}
            present = database.execute(_PRESENT, (FORM,)).fetchall()
            for gone in known - {what for what, *_ in present}:
                database.execute("DELETE FROM found WHERE ? IN (document, job)", (gone,))
                database.execute("DELETE FROM indexed WHERE what = ?", (gone,))
        # One at a time, so that the service can continue in between.
        for what, document, name, about in present:
            if what in known:
                continue
            read = what == document
            rows = self._of_document(what, name, about) if read else self._of_job(what, document)
            with self._store.transaction() as database:
                # Another search may have added it in the meantime.
                insert = "INSERT OR IGNORE INTO indexed VALUES (?, ?)"
                if self._store.change(insert, what, document):
                    database.executemany("INSERT INTO found VALUES (?, ?, ?, ?, ?)", rows)

    def _of_document(self, identity: str, name: str, about: str) -> Iterator[tuple[str, ...]]:
        from longsum.documents.document_json import document_from_json

        title = json.loads(about).get("title") or ""
        yield " · ".join(filter(None, (title, name))), identity, "", "title", ""
        with suppress(OSError, ValueError):
            values = json.loads((self._store.place(identity) / "read.json").read_bytes())
            for section in document_from_json(values).walk():
                for paragraph in section.paragraphs:
                    said = " ".join(sentence.text for sentence in paragraph)
                    yield said, identity, "", "source", section.title

    def _of_job(self, job: str, document: str) -> Iterator[tuple[str, ...]]:
        if (stored := self._store.result(job, FORM)) is not None:
            found = Lines.model_validate_json(stored)
            for line in found.lines:
                yield line.text, document, job, "summary", found.rungs[line.rungs[0]]


def _query(words: str) -> str:
    """Return an FTS5 query for exactly these words; the last may be a prefix."""
    found = re.findall(r"\w+", words)[:_WORDS]
    if not found:
        return ""
    return " ".join(f'"{word}"' for word in found) + ("" if words.endswith(" ") else "*")
