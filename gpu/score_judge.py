"""What a trained judge adds to the rules of `longsum check`, on the half `seen` of labelled pairs.

Run: LONGSUM_DATA=… PYTHONPATH=src python gpu/score_judge.py JUDGE

Rules, the judge alone, and both combined by a logistic regression that is fitted on four fifths of
the documents and applied to the rest, are compared by the share of changed claims that are doubted
when no more than a given share of the true ones is. The area under the curve is the judge's: how
often a changed claim is less probable than a true one, for all claims and those that the rules
accept.
"""

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

import numpy as np
from judge_runtime import Entailer
from numpy.typing import NDArray

from longsum import read_bytes

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
import checks

SHARES = 0.05, 0.08, 0.12, 0.2
SOFT = frozenset({"negation", "direction", "role"})
VAGUE = frozenset({"wording", "source"})
Values = NDArray[np.float64]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("judge", type=Path)
    judge = Entailer(parser.parse_args().judge)
    with checks.PAIRS.open(encoding="utf-8", newline="") as file:
        rows = [
            row
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if row["half"] == "seen"
        ]
    found, pairs = [], []
    for row in rows:
        document = checks.document(row["document"])
        (claim,) = checks.checker(row["document"]).checked(
            read_bytes(row["claim"].encode()).sentences[:1]
        )
        kinds = {each.kind for each in claim.findings}
        found.append([bool(kinds - SOFT - VAGUE), bool(kinds & SOFT), bool(kinds & VAGUE)])
        places = sorted({source.sentence for source in claim.sources})
        told = " ".join(document.sentences[place].text for place in places)
        pairs.append((told, row["claim"]))
    rules = np.array(found, float)
    changed = np.array([row["label"] == "changed" for row in rows])
    logits = judge.logits(pairs).astype(float)
    odds = np.logaddexp(logits[:, 1], logits[:, 2]) - logits[:, 0]
    silent = ~rules.any(1)
    print(f"area under the curve: {area(odds, changed):.2f}; where rules find nothing: ", end="")
    print(f"{area(odds[silent], changed[silent]):.2f}")
    documents = np.array([row["document"] for row in rows])
    print(f"{'true claims doubted':<20}" + "".join(f"{share:>7.0%}" for share in SHARES))
    columns = {"rules": rules, "judge": odds[:, None], "both": np.c_[rules, odds]}
    for name, values in columns.items():
        scores = held_out_scores(values, changed, documents)
        shares = [recall(scores, changed, share) for share in SHARES]
        print(f"{name:<20}" + "".join(f"{share:>7.0%}" for share in shares))


def area(scores: Values, changed: NDArray[np.bool_]) -> float:
    """Return how often a changed claim has the higher score; ties count half."""
    one, other = scores[changed][:, None], scores[~changed][None]
    return float(((one > other) + (one == other) / 2).mean())


def recall(scores: Values, changed: NDArray[np.bool_], share: float) -> float:
    """Return the share of changed claims above the threshold that a share of true ones exceeds."""
    true = np.sort(scores[~changed])[::-1]
    return float((scores[changed] > true[int(share * len(true))]).mean())


def held_out_scores(values: Values, changed: NDArray[np.bool_], documents: NDArray[Any]) -> Values:
    """Return log-odds of each claim by regressions that did not see its document."""
    names = np.random.default_rng(0).permutation(np.unique(documents))
    scores = np.zeros(len(values))
    inputs = np.c_[values, np.ones(len(values))]
    for fold in range(5):
        held = np.isin(documents, names[fold::5])
        scores[held] = inputs[held] @ fitted(inputs[~held], changed[~held])
    return scores


def fitted(inputs: Values, targets: NDArray[np.bool_], penalty: float = 1.0) -> Values:
    """Return the weights of a logistic regression by Newton's method; the last is the constant."""
    weights = np.zeros(inputs.shape[1])
    shrunk = penalty * np.eye(inputs.shape[1])
    shrunk[-1, -1] = 1e-6
    for _ in range(30):
        shares = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (shares - targets) + shrunk @ weights
        curve = (inputs.T * (shares * (1 - shares))) @ inputs + shrunk
        weights -= np.linalg.solve(curve, slope)
    return weights


if __name__ == "__main__":
    main()
