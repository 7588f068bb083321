"""The 60 games of the accuracy shared task (Thomson and Reiter 2020), with the marked errors.

Development uses the first 40 texts by id; the other 20 are only for the final figures.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.evaluation.datasets.record_files import csv_rows, json_lines, text_file
from longsum.tables.games.rotowire import game_table
from longsum.tables.table import Table
from longsum.tables.table_relations import Triple

LAST_OF_DEVELOPMENT = "S040"
PARTS = ("development", "final")


@dataclass(frozen=True)
class Mark:
    """An error that people marked: its category and its tokens, from 0."""

    category: str
    tokens: frozenset[int]


@dataclass(frozen=True)
class MarkedText:
    """A text that a system wrote about a game.

    Attributes:
        name: Its id.
        table: The table of the game.
        text: The text, in tokens between spaces.
        marks: The errors in it, in order.
    """

    name: str
    table: Table
    text: str
    marks: tuple[Mark, ...]

    def tokens(self, start: int, end: int) -> frozenset[int]:
        """Return the tokens that overlap with a span."""
        found = set()
        place = 0
        for number, token in enumerate(self.text.split(" ")):
            if place < end and start < place + len(token):
                found.add(number)
            place += len(token) + 1
        return frozenset(found)


def folder(name: str) -> Path:
    """Return a folder of the shared data."""
    root = os.environ.get("LONGSUM_DATA")
    if not root:
        raise LongsumError("Set LONGSUM_DATA to the folder of the shared data sets.")
    return Path(root) / name


def games() -> dict[str, Mapping[str, Any]]:
    """Return the games by id, in Rotowire's format."""
    path = folder("rotowire_shared_task") / "train.jsonl.xz"
    return {str(game["id"]): game for game in json_lines(path)}


def real_games(games: Iterable[Mapping[str, Any]], name: str) -> list[Mapping[str, Any]]:
    """Return games that results may be measured on.

    Raises:
        LongsumError: One of them is generated.
    """
    found = list(games)
    if any(game.get("generated") for game in found):
        raise LongsumError(f"{name} has generated games; results are measured on real games only.")
    return found


def marked_texts(part: str) -> list[MarkedText]:
    """Return the texts of one part with their marks; the other part is discarded."""
    data = folder("rotowire_shared_task")
    marks: dict[str, list[Mark]] = {}
    for row in csv_rows(data / "gsml.csv.xz"):
        first, last = int(row["DOC_TOKEN_START"]), int(row["DOC_TOKEN_END"])
        mark = Mark(row["TYPE"], frozenset(range(first - 1, last)))
        marks.setdefault(_id(row["TEXT_ID"]), []).append(mark)
    all_games = games()
    texts = []
    for record in json_lines(data / "texts.jsonl.xz"):
        name = _id(record["id"])
        if (name <= LAST_OF_DEVELOPMENT) == (part == "development"):
            ordered = sorted(marks.get(name, []), key=lambda mark: min(mark.tokens))
            table = game_table(all_games[name])
            texts.append(MarkedText(name, table, record["text"], tuple(ordered)))
    return texts


def published_relations() -> dict[str, list[Triple]]:
    """Return the published relations of the games' reference summaries, by id."""
    data = folder("rotowire_extra") / "roto-gold-test.h5-tuples.txt.xz"
    relations = read_triples(text_file(data))
    rows = csv_rows(folder("rotowire_shared_task") / "games.csv.xz")
    return {_id(row["TEXT_ID"]): relations[int(row["LINE_ID_FROM_TEST_SET"])] for row in rows}


def read_triples(text: str) -> list[list[Triple]]:
    """Read the relations of reports from lines `entity|value|type`.

    A blank line separates reports, and the published extractor writes one at the beginning.
    """
    reports: list[list[Triple]] = [[]]
    for line in text.removeprefix("\n").removesuffix("\n").split("\n"):
        if line.strip():
            reports[-1].append(Triple(*line.strip().split("|")))
        else:
            reports.append([])
    return reports


def _id(name: str) -> str:
    return name.removesuffix(".txt")
