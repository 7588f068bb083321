"""Writes invented games as Rotowire has them, one a line, to train with or to test a reader.

Run: python benchmarks/generated_games.py FILE.jsonl [--games N] [--seed N] [--renamed]

Each is marked as `generated` and has its plan and its report. `longsum table FILE.jsonl --game 1`
reads them like real ones; benchmarks refuse to measure anything on them.
"""

import argparse
import json
from itertools import islice
from pathlib import Path

from longsum.files import write_text
from longsum.tables.generated import Season, season_games


def main() -> None:
    """Write the games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=1230)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--renamed", action="store_true", help="new names in each game")
    options = parser.parse_args()
    if options.file.exists():
        parser.error(f"{options.file} exists; name a new file")
    season = Season(seed=options.seed, renamed=options.renamed)
    games = list(islice(season_games(season), options.games))
    write_text(options.file, "".join(json.dumps(game) + "\n" for game in games))
    print(f"{options.file}: {len(games):,} games")


if __name__ == "__main__":
    main()
