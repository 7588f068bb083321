"""Time the greedy oracle against its definition on a real report of 9,000 words.

Run: LONGSUM_DATA=… python benchmarks/oracle.py [--json FILE] [--repeat N]
"""

import argparse
import json
import lzma
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from longsum.documents import Source
from longsum.documents.readers.json.json import document_from_record
from longsum.evaluation.metrics.oracle import OracleStep, oracle_steps
from longsum.language.words import count_words
from oracle_naive import greedy_oracle_naive

WORDS = 9000
FILES = ("gov_reports_examples/gao", "gov_reports_examples/crs", "pmc_jats/val")


def main() -> None:
    """Print a small table; with `--json FILE` write it as JSON as well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="output file for the results")
    parser.add_argument("--repeat", type=int, default=7, help="runs; the median is reported")
    options = parser.parse_args()
    found = next(_long_documents(), None)
    if found is None:
        sys.exit("No text: set LONGSUM_DATA to the data folder (gov_reports_examples or pmc_jats).")
    name, sentences, reference = found

    def fast() -> list[OracleStep]:
        return oracle_steps(sentences, [reference])

    def naive() -> list[OracleStep]:
        return greedy_oracle_naive(sentences, [reference])

    if fast() != naive():
        sys.exit("The two oracles disagree; the times would mean nothing.")
    fast_seconds, naive_seconds = _median(fast, options.repeat), _median(naive, options.repeat)
    result = {
        "document": name,
        "words": sum(count_words(sentence) for sentence in sentences),
        "sentences": len(sentences),
        "reference_words": count_words(reference),
        "chosen": len(fast()),
        "objective": round(fast()[-1].objective, 4),
        "repeat": options.repeat,
        "naive_ms": round(1000 * naive_seconds, 2),
        "fast_ms": round(1000 * fast_seconds, 2),
        "ratio": round(naive_seconds / fast_seconds, 1),
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
    }
    for key, value in result.items():
        print(f"{key:>16}  {value}")
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


def _long_documents() -> Iterator[tuple[str, list[str], str]]:
    root = os.environ.get("LONGSUM_DATA")
    for file in FILES if root else ():
        path = Path(root or "") / f"{file}.jsonl.xz"
        if not path.exists():
            continue
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                document = document_from_record(record, Source(file))
                sentences = _first_words([found.text for found in document.sentences])
                if sentences:
                    yield f"{file}: {record['title']}", sentences, record["summary"]


def _first_words(sentences: list[str]) -> list[str] | None:
    words = 0
    for count, sentence in enumerate(sentences):
        words += count_words(sentence)
        if words >= WORDS:
            return sentences[: count + 1]
    return None


def _median(function: Callable[[], object], repeat: int) -> float:
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


if __name__ == "__main__":
    main()
