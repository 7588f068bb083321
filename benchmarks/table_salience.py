"""How much each of a player's counts contributes to a mention in a report: weights of `plan_game`.

A logistic regression over the performances of the 1,230 games of the season 2017–18, whose reports
the labels say mention a player or not; none of them is among the sixty games of the evaluation.

    python benchmarks/table_salience.py --root "$LONGSUM_DATA"
"""

import argparse
import json
import lzma
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from longsum.tables.games.game_plan import SALIENCE

# Columns of the file's features: minutes, and the counts of SALIENCE in its order.
_MINUTES = 2
_COUNTS = (4, 13, 14, 15, 16)


def main() -> None:
    """Print the weights in points, and how well they and points alone predict who is mentioned."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=Path, required=True)
    file = (
        parser.parse_args().root / "rotowire_extra" / "sportsett_player_mention_validation.json.xz"
    )
    games = json.loads(lzma.decompress(file.read_bytes()))
    performances, labels = [], []
    for game in games:
        features = np.array(game["features"], float)
        played = features[:, _MINUTES] > 0
        performances.append(features[played][:, _COUNTS])
        labels.append(np.array(game["labels"])[played])
    every, mentioned = np.concatenate(performances), np.concatenate(labels)
    fitted = LogisticRegression(C=100, max_iter=2000).fit(every, mentioned)
    weights = fitted.coef_[0] / fitted.coef_[0][0]
    print(f"{len(every):,} performances, {mentioned.mean():.1%} mentioned")
    for name, weight, used in zip(SALIENCE, weights, SALIENCE.values(), strict=True):
        print(f"{name:12} {weight:.2f} (used: {used})")
    for name, chosen in (("points alone", [1, 0, 0, 0, 0]), ("these weights", SALIENCE.values())):
        precision = _precision(performances, labels, np.array(list(chosen), float))
        print(f"{name}: {precision:.1%} of as many players as are mentioned are")


def _precision(
    performances: list[NDArray[np.float64]],
    labels: list[NDArray[np.int64]],
    weights: NDArray[np.float64],
) -> float:
    hits = total = 0
    for counts, mentioned in zip(performances, labels, strict=True):
        best = np.argsort(-(counts @ weights), kind="stable")[: mentioned.sum()]
        hits += mentioned[best].sum()
        total += mentioned.sum()
    return float(hits / total)


if __name__ == "__main__":
    main()
