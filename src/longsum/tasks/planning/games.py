"""Games to plan for, each with the plan that a planner learns."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from longsum.datasets.info import SHARED_VARIABLE
from longsum.documents.readers.limits import ReadLimits
from longsum.errors import LongsumError
from longsum.language.sentences import sentence_texts
from longsum.tables.generated import Season, is_generated, season_games
from longsum.tables.oracle_plans import oracle_plan
from longsum.tables.plan import Plan, plan_from_json
from longsum.tables.read import read_text
from longsum.tables.rotowire import game_table, read_games
from longsum.tables.table import Table
from longsum.tables.text_checks import matcher_for
from longsum.wording import quote

GENERATED = "generated"
REAL = "rotowire_shared_task"
FULL = "rotowire"
SOURCES = (GENERATED, REAL, FULL)
LICENSES: Mapping[str, str] = {GENERATED: "CC0-1.0", REAL: "CC0-1.0", FULL: "none stated"}
"""Of the games of each source; those of `SHIPPABLE` let the weights be handed on."""
SHIPPABLE = frozenset({GENERATED, REAL})
_FULL_FILES: Mapping[str, str] = {"train": "train.json", "validation": "valid.json"}
# Seasons that are learned from begin at 0, and those that are measured here.
_MEASURED_SEED = 1_000_000


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """A game as a table.

    Attributes:
        table: The table.
        plan: What its reference says, by the matcher; of a generated game the plan itself.
        generated: Whether it is invented.
    """

    table: Table
    plan: Plan
    generated: bool


def load_games(name: str, split: str, limit: int | None = None) -> Iterator[Mapping[str, Any]]:
    """Yield the games of a source, as Rotowire has them.

    Args:
        name: `generated`: seasons of invented games. `rotowire_shared_task`: the 60 real games
            under `LONGSUM_DATA`, whatever the split. `rotowire`: the full download there.
        split: `train` or `validation`.
        limit: The most games; generated ones have no end without it.

    Raises:
        LongsumError: There is no such source, or its file is missing or damaged.
    """
    if name not in SOURCES:
        raise LongsumError(f"There are no games {quote(name)}; choose of {', '.join(SOURCES)}.")
    if name == GENERATED:
        return islice(_seasons(0 if split == "train" else _MEASURED_SEED), limit)
    file = f"{REAL}/train.jsonl.xz" if name == REAL else f"{FULL}/{_FULL_FILES[split]}"
    return iter(read_game_file(_shared_folder() / file)[:limit])


def read_game_file(path: Path) -> Sequence[Mapping[str, Any]]:
    """Return the games of a file, which may be compressed.

    Raises:
        LongsumError: The file is missing, damaged, or has no games.
    """
    # The full download has more characters than any document.
    text, name = read_text(path, ReadLimits(characters=500_000_000))
    return read_games(text, name)


def reference_sentences(game: Mapping[str, Any]) -> list[str]:
    """Return the sentences of a game's reference report; none if it has none."""
    summary = game.get("summary") or ""
    text = summary if isinstance(summary, str) else " ".join(str(word) for word in summary)
    return sentence_texts(text)


def planned_game(game: Mapping[str, Any]) -> PlannedGame:
    """Return a game with the plan that its reference follows, or that it was made with.

    Raises:
        LongsumError: It is not a game, or its plan is none of it.
    """
    table = game_table(game)
    if is_generated(game) and "plan" in game:
        return PlannedGame(table, plan_from_json(game["plan"], table), True)
    plan = oracle_plan(matcher_for(table), reference_sentences(game))
    return PlannedGame(table, plan, is_generated(game))


def _seasons(seed: int) -> Iterator[Mapping[str, Any]]:
    while True:
        yield from season_games(Season(seed=seed))
        seed += 1


def _shared_folder() -> Path:
    folder = os.environ.get(SHARED_VARIABLE, "")
    if not folder:
        raise LongsumError(
            f"{SHARED_VARIABLE} names no folder; set it to the one that has {REAL} or {FULL}."
        )
    return Path(folder)
