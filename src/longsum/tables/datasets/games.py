"""Basketball games as documents: the records of a game as sentences, with its report.

The sentences are those of Table 5 of Stepwise (Narayan et al. 2020); the game itself, as Rotowire
gives it, is in `Example.extra["game"]`.
"""

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from longsum.evaluation.datasets.info import (
    HASHED_SPLITS,
    Dataset,
    DatasetInfo,
    Example,
    as_paragraphs,
    hash_split,
)
from longsum.evaluation.datasets.record_files import json_lines, require_split_file, text_file
from longsum.tables.games.rotowire import game_table, read_games, reference_text
from longsum.tables.linearization import filtered, record_string

FOLDS = tuple(f"fold{number}" for number in range(1, 6))
"""The splits of the shared games for cross-validation: each game is in one of them."""

_SHARED = DatasetInfo(
    name="rotowire_games",
    description="60 NBA games with the reports that people wrote about them",
    license="CC0-1.0",
    ships=True,
    splits=(*HASHED_SPLITS, *FOLDS),
    source="github:ehudreiter/accuracySharedTask",
    paper_or_url="https://aclanthology.org/2021.inlg-1.23",
    note="The games are from the test split of RotoWire; each is in one of five folds.",
)
_ALL = DatasetInfo(
    name="rotowire",
    description="NBA games of 2014 to 2017 with the reports that people wrote about them",
    license="none stated",
    ships=False,
    splits=HASHED_SPLITS,
    source="github:harvardnlp/boxscore-data",
    paper_or_url="https://aclanthology.org/D17-1239",
    note="Put train.json, valid.json and test.json into rotowire; some games are in two splits.",
)
_GENERATED = DatasetInfo(
    name="generated_games",
    description="Games that nobody played, with reports made of templates",
    license="Apache-2.0",
    ships=True,
    splits=("train", "validation"),
    source="longsum",
    note="For training alone: `python benchmarks/generated_games.py FOLDER` writes them.",
    variable="LONGSUM_DATA_GENERATED_GAMES",
)
_PLANTED = DatasetInfo(
    name="planted_games",
    description="A few of such games",
    license="Apache-2.0",
    ships=True,
    splits=HASHED_SPLITS,
    source="longsum",
    note="For trying things out, never for saying how good a system is.",
    variable="",
)


def example_of(info: DatasetInfo, game: Mapping[str, Any], id: str, split: str) -> Example:
    """Return a game as an example.

    Args:
        info: The data set that it is from.
        game: The game, as Rotowire gives it; its `summary` is a text or a list of tokens.
        id: Its identifier.
        split: Its split.

    Raises:
        LongsumError: Something that every game has is missing, or a value cannot be one of a game.
    """
    table = game_table(game, f"The game {id}")
    lines = [record_string(table.records[index]) for index in filtered(table)]
    return info.example(
        as_paragraphs(lines, table.title) | {"paragraph_unit": "sentence"},
        id=id,
        references=[untokenized(reference_text(game))],
        split=split,
        extra={"game": game},
    )


def _read_shared(root: Path, split: str) -> Iterator[Example]:
    path = root / "rotowire_shared_task" / "train.jsonl.xz"
    for number, game in enumerate(json_lines(path)):
        id = str(game["id"])
        own = FOLDS[number % len(FOLDS)] if split in FOLDS else hash_split(id)
        if own == split:
            yield example_of(_SHARED, game, id, split)


def _read(root: Path, split: str) -> Iterator[Example]:
    path = require_split_file(root / "rotowire", split, "{split}.json")
    for number, game in enumerate(read_games(text_file(path), path.name)):
        yield example_of(_ALL, game, f"{split}_{number}", split)


def _read_generated(root: Path, split: str) -> Iterator[Example]:
    for game in json_lines(require_split_file(root, split, "{split}.jsonl")):
        yield example_of(_GENERATED, game, str(game["id"]), split)


def _read_planted(root: Path, split: str) -> Iterator[Example]:  # noqa: ARG001
    path = Path(str(files("longsum.tables.datasets").joinpath("planted_games.jsonl.xz")))
    for game in json_lines(path):
        if game["split"] == split:
            yield example_of(_PLANTED, game, game["id"], split)


_TOKENIZED = (
    (re.compile(r"``|''"), '"'),
    # "33 - 21", "double - double", "8 - of - 15".
    (re.compile(r"(?<=\w) - (?=\w)"), "-"),
    (re.compile(r"(?<=\w) (?=(?:'(?:s|re|ve|ll|d|m)|n't)(?!\w))", re.IGNORECASE), ""),
    # "The Lakers ' bench".
    (re.compile(r"(?<=s) (?=' )"), ""),
    (re.compile(r" (?=[.,;:!?%)\]](?: |$))"), ""),
    (re.compile(r"(?<=[(\[]) "), ""),
    (re.compile(r'(?:(?<= )|^)" ([^"]*) "'), r'"\1"'),
)


def untokenized(text: str) -> str:
    """Return a text without the spaces that a tokenizer put between its words and marks.

    The words and marks stay as they are, in their order.
    """
    text = " ".join(text.split())
    for pattern, replacement in _TOKENIZED:
        text = pattern.sub(replacement, text)
    return text


GAME_DATASETS = (
    Dataset(_SHARED, _read_shared),
    Dataset(_ALL, _read),
    Dataset(_GENERATED, _read_generated),
    Dataset(_PLANTED, _read_planted),
)
