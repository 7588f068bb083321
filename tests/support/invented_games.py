"""The invented games that tests train on, as `benchmarks/generated_games.py` writes them."""

from pathlib import Path

from longsum.evaluation.datasets.record_files import json_lines

FOLDER = Path(__file__).parents[1] / "data" / "generated_games"
GAMES = tuple(json_lines(FOLDER / "train.jsonl.xz"))
