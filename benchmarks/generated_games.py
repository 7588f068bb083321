"""Writes the data set `generated_games`: invented games as Rotowire has them, one a line.

Run: python benchmarks/generated_games.py FOLDER [--games N] [--seed N]

FOLDER gets `train.jsonl` with N games, of the season of that seed and those after it, and
`validation.jsonl` with 24 of a season far from them. Each game is marked as `generated`, has names
of its own, so that none can be learned by heart, and has its plan and its report.
`LONGSUM_DATA_GENERATED_GAMES=FOLDER longsum train hibert-planner -o …` learns from them, and
`longsum table FOLDER/train.jsonl --game 1` reads them like real ones; benchmarks refuse to measure
anything on them.

`--sample` writes FOLDER/planted_games.jsonl.xz instead, the few that ship, each with its split.
"""

import argparse
import json
import lzma
import os
from collections.abc import Iterator
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

from invented.seasons import Season, season_games
from longsum.common.files import make_folder, write_text

SEASON = 1230
"""The games of a season."""
VALIDATION = 24
_FAR = 1_000_000
SAMPLE = {"train": 24, "validation": 8, "test": 8}


def main() -> None:
    """Write the games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=SEASON)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sample", action="store_true")
    options = parser.parse_args()
    if options.sample:
        write_sample(options.folder)
        return
    if (options.folder / "train.jsonl").exists():
        parser.error(f"{options.folder} has games; name a new folder")
    write_games(options.folder, options.games, options.seed)
    print(f"{options.folder}: {options.games:,} games, and {VALIDATION} to validate with")


def provide(folder: Path, number: int) -> None:
    """Let `load` find this many generated games, in a folder that is created if necessary."""
    folder = folder.with_name(f"{folder.name}-{number}")
    if not (folder / "train.jsonl").exists():
        write_games(folder, number)
    os.environ["LONGSUM_DATA_GENERATED_GAMES"] = str(folder)


def write_games(folder: Path, number: int, seed: int = 0) -> None:
    """Write games for training and validation to a folder."""
    make_folder(folder)
    for name, own, first in (("validation", VALIDATION, _FAR), ("train", number, seed)):
        lines = (json.dumps(game) + "\n" for game in islice(games(first), own))
        write_text(folder / f"{name}.jsonl", "".join(lines))


def write_sample(folder: Path) -> None:
    """Write the games that ship, of seasons far from all others."""
    make_folder(folder)
    splits = (split for split, count in SAMPLE.items() for _ in range(count))
    lines = (
        json.dumps({**game, "split": split, "id": f"planted-{number}"}) + "\n"
        for number, (split, game) in enumerate(zip(splits, games(2 * _FAR), strict=False))
    )
    packed = lzma.compress("".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)
    (folder / "planted_games.jsonl.xz").write_bytes(packed)


def games(first: int) -> Iterator[dict[str, Any]]:
    """Yield an endless stream of games, of the season of a seed and those after it."""
    seasons = (season_games(Season(seed=seed, renamed=True)) for seed in count(first))
    return chain.from_iterable(seasons)


if __name__ == "__main__":
    main()
