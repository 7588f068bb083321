"""What an inference model adds to the rules of `longsum check`, on labelled claims.

Run: LONGSUM_DATA=… python benchmarks/judges.py JUDGE [--half seen|kept] [--limit N] [--share S]

JUDGE is an argument of `longsum check --judge`, or an ONNX graph of a classifier with the inputs
`input_ids` and `attention_mask` whose last output is the score that two texts contradict each
other, with its `tokenizer.json` in the folder or one below. It reads the sources of each claim of
`check_pairs.tsv`, as the check finds them, and the claim. A language model contradicts or does not;
for a classifier a claim counts as contradicted above the score that a share S of the true claims of
the half `seen` reaches. The table has the claims that the rules doubt, those that the judge
contradicts, and those with either, by kind of change.
"""

import argparse
import csv
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from random import Random

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

import checks
from longsum import read_bytes
from longsum.checking.judging import load_judge
from longsum.checking.text_check import CheckedSentence
from longsum.common.arrays import Mask

Against = Callable[[str, str], float]
"""How much a model takes a claim for contradicted by a text."""
Row = Mapping[str, str]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("judge", help="a judge, or the ONNX graph of a classifier")
    parser.add_argument("--half", choices=("seen", "kept"), default="seen", help="of the documents")
    parser.add_argument("--limit", type=int, help="maximum number of claims, drawn at random")
    parser.add_argument("--share", type=float, default=0.03, help="of true claims contradicted")
    options = parser.parse_args()
    graph = options.judge.endswith(".onnx")
    against = of_graph(Path(options.judge)) if graph else of_judge(options.judge)
    rows = rows_of(options.half, options.limit)
    values = np.array([against(told(row), row["claim"]) for row in rows])
    threshold = 0.5
    if graph:
        true = [row for row in rows_of("seen", None) if row["label"] == "same"]
        known = [against(told(row), row["claim"]) for row in true]
        threshold = float(np.quantile(known, 1 - options.share))
    doubted = np.array([checked(row).verdict != "confirmed" for row in rows])
    show(rows, {"rules": doubted, "judge": values > threshold})


def rows_of(half: str, limit: int | None) -> list[dict[str, str]]:
    """Return the claims of a half, or a random sample of them."""
    with checks.PAIRS.open(encoding="utf-8", newline="") as file:
        read = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        rows = [row for row in read if row["half"] == half]
    return rows if limit is None else Random(0).sample(rows, min(limit, len(rows)))


def told(row: Row) -> str:
    """Return the sources of a claim, as a judge reads them."""
    sentences = checks.document(row["document"]).sentences
    places = sorted({source.sentence for source in checked(row).sources})
    return " ".join(sentences[place].text for place in places)


def checked(row: Row) -> CheckedSentence:
    """Return a claim with its sources and verdict."""
    (claim,) = checks.checker(row["document"]).checked(
        read_bytes(row["claim"].encode()).sentences[:1]
    )
    return claim


def of_judge(name: str) -> Against:
    """Return a function that asks a judge of the package."""
    judge = load_judge(name)

    def against(text: str, claim: str) -> float:
        opinion = judge.opinion(text, claim)
        return float(opinion is not None and opinion.label == "contradiction")

    return against


def of_graph(path: Path) -> Against:
    """Return a function that asks a classifier whose last output is for contradictions."""
    session = onnxruntime.InferenceSession(str(path))
    shape = session.get_inputs()[0].shape
    length = shape[1] if isinstance(shape[1], int) else 256
    tokenizer = Tokenizer.from_file(str(next(path.parent.rglob("tokenizer.json"))))
    tokenizer.enable_truncation(length, strategy="only_first")
    tokenizer.enable_padding(length=length)

    def against(text: str, claim: str) -> float:
        found = tokenizer.encode(text, claim)
        given = {"input_ids": [found.ids], "attention_mask": [found.attention_mask]}
        (logits,) = session.run(None, {name: np.array(ids) for name, ids in given.items()})
        others, last = logits[0, :-1], logits[0, -1]
        return float(last - np.logaddexp.reduce(others))

    return against


def show(rows: Sequence[Row], by_who: Mapping[str, Mask]) -> None:
    """Print the share of claims that each doubts, and that either doubts."""
    by_who = {**by_who, "either": np.any([*by_who.values()], axis=0)}
    print(f"| | kind | claims | {' | '.join(by_who)} |")
    print(f"|---|---|--:|{'--:|' * len(by_who)}")

    def line(names: Sequence[str], places: Sequence[int]) -> None:
        shares = [f"{found[list(places)].mean():.0%}" for found in by_who.values()]
        print(f"| {' | '.join(names)} | {len(places)} | {' | '.join(shares)} |")

    labels = {"changed": "changed", "same": "the same"}
    for label, name in labels.items():
        own = [at for at, row in enumerate(rows) if row["label"] == label]
        own.sort(key=lambda at: rows[at]["kind"])
        for kind, places in groupby(own, key=lambda at: rows[at]["kind"]):
            line((name, kind.replace("_", " ")), [*places])
        line((f"**{name}**", "**all**"), own)


if __name__ == "__main__":
    main()
