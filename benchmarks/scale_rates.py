"""The cost of a document, a block and a plan on this machine, from which `scale.py` projects.

Run: LONGSUM_DATA=… python benchmarks/scale_rates.py --json FILE [--words N …] [--repeat N] [--pdf]

Processor time of one process with one thread, medians of several runs, everything loaded before:

- a document of each length, summarized in 250 words by `lead` and by the default; and for the
  default, reading (splitting a plain text), tokens, the encoders, and the rest, which is selection;
- a block of 64 rows: writing it as Parquet, recording it, and finding on resuming that it is done;
- a document in the plan: seconds, bytes of the plan's file, and the driver's memory for unique ids;
- with `--pdf`, a page of three PDF files of Debian packages, which apt-get downloads.

Texts repeat the example with varied words (`speed.py`).
"""

import argparse
import json
import os
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

from batch import DATA, LENGTH, texts_of
from longsum.batch.corpora.corpus import Item
from longsum.batch.ledger import Ledger
from longsum.batch.plan import Block, BlockSize, blocks_of
from longsum.batch.rows import Row
from longsum.core.encoder.encode_units import encode_document
from longsum.core.encoder.network import texts_of as texts_in
from longsum.core.encoder.networks import load_network
from longsum.core.extractive.extractor_options import shipped_folder, shipped_tokenizer
from longsum.core.library import summarize_all
from longsum.core.loading import load_system
from longsum.core.model_files.folders import check_model
from longsum.core.recipes import DEFAULT
from longsum.core.systems.system import Summarizer
from longsum.documents.readers.detect import parse
from longsum.documents.readers.reading import as_document
from longsum.language.words import count_words
from real_documents import fetch, real_documents
from speed import write_text

SENTENCE_TOKENS = 128
ROWS = BlockSize().documents
PDFS = ("kernlab", "maint-guide", "sandwich")


def main(arguments: list[str] | None = None) -> None:
    """Print the rates; with `--json FILE` write them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--words", type=int, nargs="+", default=[500, 2_000, 8_000, 32_000])
    parser.add_argument("--repeat", type=int, default=3, help="runs; the median is reported")
    parser.add_argument("--blocks", type=int, default=300, help="blocks that are committed")
    parser.add_argument("--pdf", action="store_true", help="PDF files too")
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args(arguments)
    found: dict[str, Any] = {"documents": []}
    for text in texts(options.words):
        found["documents"].append(document_rates(text, options.repeat))
        print(shown(found["documents"][-1]), flush=True)
    parts: dict[str, Callable[[], dict[str, float]]] = {
        "block": lambda: block_rates(options.blocks),
        "plan": lambda: plan_rates(100_000),
    }
    if options.pdf:
        parts["pdf"] = pdf_rates
    for name, rates in parts.items():
        found[name] = rates()
        print(f"{name}: {shown(found[name])}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def texts(lengths: list[int]) -> Iterator[str]:
    """Yield a text of about each length in words."""
    with tempfile.TemporaryDirectory() as folder:
        for words in lengths:
            file = Path(folder) / "text.txt"
            write_text(file, words)
            yield file.read_text(encoding="utf-8")


def document_rates(text: str, repeat: int) -> dict[str, float]:
    """Return the processor seconds of a document, by system and by step of the default."""
    network = load_network(check_model(shipped_folder()), "auto", "onnx")
    document = as_document(text)
    encoded = encode_document(document, shipped_tokenizer(), SENTENCE_TOKENS)
    empty: list[tuple[int, ...]] = [()]
    work: dict[str, Callable[[], object]] = {
        name: partial(_summarize, text, load_system(name)) for name in ("lead", DEFAULT)
    }
    work |= {
        "reading": lambda: as_document(text),
        "tokens": lambda: encode_document(document, shipped_tokenizer(), SENTENCE_TOKENS),
        "sentence encoder": lambda: network.encode(texts_in(encoded)),
        "both encoders": lambda: network.read(encoded).logits(empty),
    }
    found = {name: seconds(each, repeat) for name, each in work.items()}
    steps = ("reading", "tokens", "both encoders")
    rest = max(found[DEFAULT] - sum(found[step] for step in steps), 0.0)
    return {"words": count_words(text), **found, "selection": rest}


def _summarize(text: str, system: Summarizer) -> None:
    for _ in summarize_all([text], LENGTH, system):
        pass


def block_rates(blocks: int) -> dict[str, float]:
    """Return the cost of storing a block of rows, which are from real documents."""
    summaries = list(summarize_all(texts_of(DATA, ROWS), LENGTH, "lead"))[:ROWS]
    items = [Item(f"document-{number}", (number,), 10_000) for number in range(blocks * ROWS)]
    planned = list(blocks_of(items, BlockSize()))
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger(Path(folder), "parquet", "this run")
        ledger.open()
        began = process_time()
        for block in planned:
            both = zip(block.items, summaries, strict=True)
            ledger.commit(block, [Row.of(item.id, made, 0.0, full=False) for item, made in both])
        committed = process_time() - began
        began = process_time()
        done = sum(ledger.done(block) is not None for block in planned)
        listed = process_time() - began
        sizes = [file.stat().st_size for file in (Path(folder) / "rows").iterdir()]
    assert done == blocks
    return {
        "rows": ROWS,
        "commit": committed / blocks,
        "listing": listed / blocks,
        "bytes_a_row": median(sizes) / ROWS,
    }


def plan_rates(documents: int) -> dict[str, float]:
    """Return the cost of a document in the plan."""
    began = process_time()
    size = sum(len(block.to_json()) + 1 for block in _plan(documents))
    taken = process_time() - began
    tracemalloc.start()
    for _ in _plan(documents):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {
        "seconds": taken / documents,
        "bytes": size / documents,
        "memory": peak / documents,
    }


def _plan(documents: int) -> Iterator[Block]:
    names = (f"part-000/document-{number:09}.txt" for number in range(documents))
    return blocks_of((Item(name, (name,), 6_000) for name in names), BlockSize())


def pdf_rates() -> dict[str, float]:
    """Return the cost of a page of a PDF file, in this process and without a cache."""
    pages, words, taken = 0, 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        for real in real_documents():
            if real.name in PDFS:
                data = fetch(real.origin, Path(folder))
                document = parse(data, "document.pdf")
                pages += max(sentence.page or 1 for sentence in document.sentences)
                words += count_words(document.text)
                taken += seconds(lambda data=data: parse(data, "document.pdf"), 3)  # type: ignore[misc]
    return {"pages": pages, "words_a_page": words / pages, "seconds_a_page": taken / pages}


def seconds(work: Callable[[], object], repeat: int) -> float:
    """Return the median processor time of a call, after a warm-up run."""
    work()
    found = []
    for _ in range(repeat):
        began = process_time()
        work()
        found.append(process_time() - began)
    return median(found)


def shown(rates: dict[str, float]) -> str:
    """Return rates as text."""
    return ", ".join(f"{name} {value:,.5g}" for name, value in rates.items())


if __name__ == "__main__":
    main()
