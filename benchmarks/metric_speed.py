"""CPU seconds that each metric without a model takes for summaries of long documents.

Run: LONGSUM_DATA=… python benchmarks/metric_speed.py [--documents N] [--words N]

Documents of 9,000 words are assembled from papers of pmc_jats; summaries of 250 words by `lead` are
scored against the abstract of the last paper. `checks` are those made of every summary that a model
writes, here of the abstract itself. Times are processor time, which other work on the machine
hardly affects.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from time import process_time

from longsum.core.grounding.alignment import Aligner
from longsum.core.grounding.verification import Verifier
from longsum.core.library import summarize
from longsum.documents import DocumentBuilder
from longsum.evaluation.datasets import Example, load
from longsum.lab.comparison.comparison_metrics import summary_metrics
from longsum.language.sentences import split_sentences
from longsum.language.words import count_words


def main() -> None:
    """Print a line for each metric, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--words", type=int, default=9000, help="words of a document")
    options = parser.parse_args()
    examples = list(_long(options.documents, options.words))
    summaries = [summarize(example.document, "250w", "lead") for example in examples]
    print(f"{len(examples)} documents of {options.words:,} words")
    total = 0.0
    for name, metric in summary_metrics().items():
        began = process_time()
        for summary, example in zip(summaries, examples, strict=True):
            metric.score(summary, example)
        total += _told(name, process_time() - began)
    began = process_time()
    for example in examples:
        _check(example)
    total += _told("checks", process_time() - began)
    _told("all", total)


def _long(count: int, words: int) -> Iterator[Example]:
    """Yield examples whose documents are several papers."""
    while count:
        builder, held = DocumentBuilder(), 0
        for example in load("pmc_jats", "train"):
            builder.heading(1, example.document.title)
            for section in example.document.walk():
                builder.heading(1 + section.level, section.title)
                for paragraph in section.paragraphs:
                    builder.sentences([sentence.text for sentence in paragraph])
            held += sum(count_words(sentence.text) for sentence in example.document.sentences)
            if held < words:
                continue
            yield replace(example, document=builder.build(example.id))
            builder, held = DocumentBuilder(), 0
            count -= 1
            if not count:
                return


def _check(example: Example) -> None:
    texts = [sentence.text for sentence in example.document.sentences]
    aligner, verifier, reference = Aligner(texts), Verifier(texts), example.references[0]
    for start, end in split_sentences(reference):
        sentence = reference[start:end]
        verifier.doubts(sentence, [found.sentence for found in aligner.align(sentence)])


def _told(name: str, seconds: float) -> float:
    print(f"{name:20} {seconds:6.1f} s", flush=True)
    return seconds


if __name__ == "__main__":
    main()
