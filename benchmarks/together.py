"""How much time summarizing documents together saves.

Run: LONGSUM_DATA=… python benchmarks/together.py [--data D …] [--limit N] [--repeat N]

For each data set: seconds to summarize its documents with `longsum.summarize`, one after the other,
and with `longsum.summarize_all`, as medians of N runs each; and whether the texts are the same. One
process, with the system loaded before, on validation documents.
"""

import argparse
from statistics import median
from time import perf_counter

import longsum
from longsum.evaluation.datasets import dataset_info, load

DATA = ("gov_reports_examples", "scisummnet", "bbc_news_summary")


def main() -> None:
    """Print a line for each data set."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", nargs="+", default=DATA, help="data sets")
    parser.add_argument("--limit", type=int, default=20, help="documents per data set")
    parser.add_argument("--repeat", type=int, default=3, help="runs; the medians are printed")
    options = parser.parse_args()
    longsum.summarize("A sentence. Another sentence.")
    print("| data | documents | alone, s | together, s | same texts |")
    print("|---|---|---|---|---|")
    for name in options.data:
        splits = dataset_info(name).splits
        split = "validation" if "validation" in splits else splits[0]
        documents = [example.document for example in load(name, split, limit=options.limit)]
        alone, together = [], []
        for _ in range(options.repeat):
            began = perf_counter()
            one = [longsum.summarize(document).text for document in documents]
            alone.append(perf_counter() - began)
            began = perf_counter()
            all_ = [summary.text for summary in longsum.summarize_all(documents)]
            together.append(perf_counter() - began)
        same = sum(first == second for first, second in zip(one, all_, strict=True))
        print(
            f"| {name} | {len(documents)} | {median(alone):.1f} | {median(together):.1f} "
            f"| {same} of {len(documents)} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
