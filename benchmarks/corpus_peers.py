"""Documents per CPU second: corpora summarized by longsum, clusters of embeddings, and sumy.

Run: LONGSUM_DATA=… python benchmarks/corpus_peers.py [--data D …] [--documents N] [--repeat N]

The same documents of free training splits go through `longsum.summarize_all`, which reads the
text, splits it and fills 250 words, with each system; only the scoring of sentences differs:

- `stepwise`, the default, and `lead`, which scores nothing;
- k-means over the embeddings of sentence-transformers, whose encoder is the one that longsum ships
  (`longsum export --bert`), in fp32 as that library runs it, the nearest sentence of each cluster;
- sumy's TextRank, LexRank and LSA.

Times are processor time of one process with one thread, which hardly depends on other load, as wall
time would. Systems are loaded before, and take turns. Peers that are not installed are skipped.
"""

import argparse
import json
import os
import tempfile
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

from batch import DATA, LENGTH, texts_of
from extraction import Clusters, encoder_of, installed
from longsum.core.library import summarize_all
from longsum.core.loading import load_system
from longsum.core.recipes import DEFAULT
from longsum.core.systems.system import Summarizer
from longsum.language.words import count_words
from sumy_systems import METHODS, Sumy


def main(arguments: list[str] | None = None) -> None:
    """Print a row for each system."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", nargs="+", default=DATA, help="data sets")
    parser.add_argument("--documents", type=int, default=30, help="documents of all sets")
    parser.add_argument("--repeat", type=int, default=3, help="runs; the medians are printed")
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args(arguments)
    rows = measure(texts_of(options.data, options.documents), systems(), options.repeat)
    show(rows)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def systems() -> dict[str, Summarizer]:
    """Load the systems that are compared."""
    found: dict[str, Summarizer] = {name: load_system(name) for name in (DEFAULT, "lead")}
    if installed("sentence_transformers"):
        found["sentence-transformers, k-means"] = Clusters(shipped_encoder())
    if installed("sumy"):
        found |= {f"sumy {method}": Sumy(method) for method in METHODS}
    return found


def shipped_encoder() -> Any:
    """Let sentence-transformers run the sentence encoder that longsum ships."""
    from transformers.utils import logging

    from longsum.core.extractive.extractor_options import shipped_folder
    from longsum.core.model_files.folders import check_model
    from longsum.models.networks.extractive.convert_extractors import write_bert

    logging.disable_progress_bar()
    # BERT has a pooler, which the encoder lacks and nothing here uses.
    logging.set_verbosity_error()
    with tempfile.TemporaryDirectory() as folder:
        write_bert(check_model(shipped_folder()), Path(folder) / "bert")
        return encoder_of(str(Path(folder) / "bert"))


def measure(texts: list[str], found: dict[str, Summarizer], repeat: int) -> list[dict[str, Any]]:
    """Summarize all texts with each system, in turns after one short text; return the rates."""
    words = sum(map(count_words, texts))
    taken: dict[str, list[float]] = {name: [] for name in found}
    for system in found.values():
        list(summarize_all(["A sentence. Another sentence."], LENGTH, system))
    for _ in range(repeat):
        for name, system in found.items():
            taken[name].append(processor_seconds(texts, system))
    first = median(taken[next(iter(found))])
    return [
        {
            "system": name,
            "documents": len(texts),
            "words": words,
            "documents_per_second": len(texts) / median(seconds),
            "words_per_second": words / median(seconds),
            "times_default": median(seconds) / first,
        }
        for name, seconds in taken.items()
    ]


def processor_seconds(texts: list[str], system: Summarizer) -> float:
    """Return the processor time that this process takes for all texts, in seconds."""
    began = process_time()
    for _ in summarize_all(texts, LENGTH, system):
        pass
    return process_time() - began


def show(rows: list[dict[str, Any]]) -> None:
    """Print the table."""
    print(f"{rows[0]['documents']} documents, {rows[0]['words']:,} words; by the CPU second")
    print(f"{'':<32}{'documents':>10}{'words':>10}{'× default':>10}")
    for row in rows:
        print(
            f"{row['system']:<32}{row['documents_per_second']:>10.2f}"
            f"{row['words_per_second']:>10,.0f}{row['times_default']:>10.2f}"
        )


if __name__ == "__main__":
    main()
