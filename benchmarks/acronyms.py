"""Prints the expansions that summaries would add to acronyms, for people to judge.

Run: LONGSUM_DATA=… python benchmarks/acronyms.py NAME SPLIT LIMIT

One line for each acronym that a document uses after its definition, then their number.
"""

import sys

from longsum.documents.fitness.fitness import fitness_of
from longsum.evaluation.datasets import load


def main() -> None:
    """Print the acronyms of the documents of a data set."""
    name, split, limit = sys.argv[1:]
    count = 0
    for example in load(name, split, limit=int(limit)):
        for acronym, found in fitness_of(example.document).acronyms.definitions.items():
            count += 1
            print(f"{example.id}\t{acronym}\t{found.meaning}")
    print(f"{count} acronyms")


if __name__ == "__main__":
    main()
