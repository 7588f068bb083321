"""The neural extractor against sumy and against clusters of embeddings, in the same run.

Run: python benchmarks/extraction.py [--model FOLDER | --random] [--words N …] [--json FILE]

Each system makes a summary of 250 words of the same document, from sentences to `Summary`; reading
the file and loading the model are not counted. Systems take turns, each in a process of its own,
after one short document to warm up. Shown: the median time, documents per second, how many times a
peer's time is ours, and the peak of memory over the model. A second table shows that a step costs
the same however much has been chosen. With `--random` the weights are random, of the shape of
`stepwise-small`: they choose other sentences in the same time.

sumy compares every pair of sentences, so it is left out of the longest documents. The clusters are
k-means on the states of an encoder of our encoder's shape, run by sentence-transformers (random
weights, so nothing is downloaded). A peer that is not installed is left out. About 10 minutes on
two cores.
"""

import argparse
import importlib.util
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longsum.core.encoder.extractor_settings import (
    DocumentEncoderConfig,
    HibertConfig,
    SentenceEncoderConfig,
)
from longsum.core.extractive.summarizer import ExtractiveSummarizer, Ranked
from longsum.core.summaries import Budget, Summary
from longsum.core.systems.system import Request
from longsum.documents import Document
from longsum.documents.readers import read
from longsum.documents.sentence_features import PLACES
from longsum.language.words import count_words
from speed import EXAMPLE, MOST_WORDS_FOR_PEERS, write_text
from sumy_systems import Sumy
from workers import Subject, exponent, finish, take_turns, working

OURS, CLUSTERS = "longsum extractor", "k-means of states"
SENTENCE_TOKENS = 128
# As the recipe `stepwise-small` says.
SHAPE = HibertConfig(
    sentence_encoder=SentenceEncoderConfig(vocabulary=12_000, representation="mean"),
    document_encoder=DocumentEncoderConfig(
        layers=3,
        feed_forward=768,
        summary_layers=1,
        positions="places",
        places=tuple(PLACES.values()),
        headings=True,
    ),
)
Row = dict[str, Any]


def main(arguments: list[str] | None = None) -> None:
    """Print the tables; with `--json FILE` write the figures as JSON as well."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--model", help="folder of an extractor; by default the one that ships")
    parser.add_argument("--random", action="store_true", help="take random weights")
    parser.add_argument("--words", type=int, nargs="+", default=[2_000, 10_000, 100_000])
    parser.add_argument("--summary", type=int, default=250, help="words of the summaries")
    parser.add_argument("--step-words", type=int, default=10_000, help="words for the steps' cost")
    parser.add_argument("--steps", type=int, nargs="+", default=[4, 8, 16, 32, 64])
    parser.add_argument("--precision", choices=["auto", "bf16", "fp32"], default="auto")
    parser.add_argument("--repeat", type=int, default=5, help="runs; the median is reported")
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args(arguments)
    settings = (options.model, options.random, options.precision)
    subjects: dict[str, tuple[Any, ...]] = {OURS: (build_ours, *settings)}
    if installed("sumy"):
        subjects |= {f"sumy {name}": (build_sumy, name) for name in ("textrank", "lexrank")}
    if installed("sentence_transformers"):
        subjects[CLUSTERS] = (build_clusters,)
    with tempfile.TemporaryDirectory() as folder:
        documents = {words: make(Path(folder), words) for words in options.words}
        long = make(Path(folder), options.step_words)
        with working(subjects, make(Path(folder), 200), Budget(50)) as workers:
            rows: list[Row] = []
            for words, document in documents.items():
                now = {
                    name: worker
                    for name, worker in workers.items()
                    if not name.startswith("sumy") or words <= MOST_WORDS_FOR_PEERS
                }
                found = take_turns(now, options.repeat, document, Budget(options.summary))
                rows += rows_of(found, document)
            show(rows)
            ours = {OURS: workers[OURS]}
            steps = [step_cost(ours, options.repeat, long, count) for count in options.steps]
            show_steps(steps, long)
    finish({"extraction": rows, "steps": steps}, options.json)


def installed(package: str) -> bool:
    """Tell whether a peer is there; say so if it is not."""
    found = importlib.util.find_spec(package) is not None
    if not found:
        print(f"{package} is not installed and left out; 'pip install {package}' adds it.")
    return found


def make(folder: Path, words: int) -> Document:
    """Make a document of about so many words."""
    file = folder / f"{words}.txt"
    write_text(file, words)
    return read(file)


def rows_of(found: dict[str, Any], document: Document) -> list[Row]:
    """Return a row for each system."""
    sizes = {
        "words": sum(count_words(sentence.text) for sentence in document.sentences),
        "sentences": len(document.sentences),
    }
    return [
        {
            "system": name,
            **sizes,
            "seconds": reading.seconds,
            "documents_per_second": 1 / reading.seconds,
            "times_ours": reading.seconds / found[OURS].seconds,
            "mb": reading.megabytes,
            "chosen": reading.reports[0]["chosen"],
        }
        for name, reading in found.items()
    ]


def show(rows: list[Row]) -> None:
    """Print the table, and how our time grows with length."""
    heads = ("words", "sentences", "seconds", "documents/s", "× ours", "MB")
    print(f"{'':<20}" + "".join(f"{head:>12}" for head in heads))
    for row in rows:
        print(
            f"{row['system']:<20}{row['words']:>12,}{row['sentences']:>12,}{row['seconds']:>12.3f}"
            f"{row['documents_per_second']:>12.2f}{row['times_ours']:>12.1f}{row['mb']:>12.0f}"
        )
    ours = [row for row in rows if row["system"] == OURS]
    if len(ours) > 1:
        power = exponent([row["words"] for row in ours], [row["seconds"] for row in ours])
        print(f"{OURS}: time grows with length to the power {power:.2f}.")


def step_cost(workers: dict[str, Any], repeat: int, document: Document, count: int) -> Row:
    """Measure the mean cost of the first so many steps."""
    found = take_turns(workers, repeat, document, Budget(count, "sentences"))[OURS]
    costs = [report["select"] / report["chosen"] for report in found.reports]
    return {"steps": found.reports[0]["chosen"], "ms_per_step": 1000 * statistics.median(costs)}


def show_steps(rows: list[Row], document: Document) -> None:
    """Print what a step costs by how many there are."""
    print(f"\nChoosing from {len(document.sentences):,} sentences")
    print(f"{'chosen':>12}{'ms a step':>12}")
    for row in rows:
        print(f"{row['steps']:>12}{row['ms_per_step']:>12.2f}")


def build_ours(folder: str | None, random: bool, precision: Any) -> Subject:
    """Make our extractor: of a folder, the one that ships, or of random weights."""
    import torch

    from longsum.core.extractive.extractor_options import ExtractorConfig
    from longsum.core.extractive.neural import NeuralExtractor
    from longsum.models.networks.extractive.hibert import Hibert
    from longsum.models.networks.extractive.torch_network import TorchNetwork

    torch.manual_seed(0)
    config = ExtractorConfig(folder, sentence_tokens=SENTENCE_TOKENS, precision=precision)
    network = TorchNetwork(Hibert(SHAPE), "cpu", precision)
    parts = (network, word_pieces()) if random else ()
    return subject(NeuralExtractor("extractor", config, *parts))


def build_sumy(method: str) -> Subject:
    """Make one of sumy's summarizers."""
    return subject(Sumy(method))


def build_clusters() -> Subject:
    """Make k-means over the states of an encoder of our encoder's shape."""
    return subject(Clusters(sentence_transformer()))


def subject(system: ExtractiveSummarizer) -> Subject:
    """Let a system be measured."""

    def report(summary: Summary) -> Row:
        return {"chosen": len(summary.sentences), "select": summary.timings["select"]}

    return Subject(system.summarize, report)


def word_pieces() -> Any:
    """Make a tokenizer as BERT's, of the words of the example."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    size = SHAPE.sentence_encoder.vocabulary
    trainer = trainers.WordPieceTrainer(
        vocab_size=size, special_tokens=special, show_progress=False
    )
    tokenizer.train_from_iterator([read(EXAMPLE).text], trainer)
    return tokenizer


@dataclass(frozen=True, slots=True)
class ClustersConfig:
    """Settings of the clusters: none."""


class Clusters(ExtractiveSummarizer):
    """The sentence nearest to the middle of each cluster, the largest clusters first.

    Args:
        encoder: An encoder of sentence-transformers.
    """

    def __init__(self, encoder: Any) -> None:
        super().__init__("k-means", ClustersConfig())
        self._encoder = encoder

    def rank(self, request: Request) -> Ranked:
        """Make as many clusters as sentences of average length fit in the budget."""
        import numpy as np
        from sklearn.cluster import KMeans

        from longsum.core.extractive.selection import FixedRanking

        document, budget = request.document, request.budget
        texts = [sentence.text for sentence in document.sentences]
        states = np.asarray(self._encoder.encode(texts, show_progress_bar=False))
        mean = np.mean(budget.costs(document.sentences))
        count = int(np.clip(budget.capacity(document) / mean, 1, len(texts)))
        found = KMeans(count, n_init=1, random_state=request.seed).fit(states)
        nearest = found.transform(states).argmin(axis=0)
        scores = np.zeros(len(texts))
        scores[nearest] = np.bincount(found.labels_, minlength=count)
        return Ranked(FixedRanking(scores, "cluster"))


def sentence_transformer() -> Any:
    """Make an encoder of our encoder's shape as sentence-transformers runs it."""
    import torch
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    shape = SHAPE.sentence_encoder
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.size,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.feed_forward,
        max_position_embeddings=shape.positions,
    )
    marks = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    with tempfile.TemporaryDirectory() as folder:
        BertModel(config).save_pretrained(folder)
        PreTrainedTokenizerFast(tokenizer_object=word_pieces(), **marks).save_pretrained(folder)
        return encoder_of(folder)


def encoder_of(folder: str) -> Any:
    """Let sentence-transformers run a BERT on the CPU; a sentence is the mean of its states."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer

    encoder = Transformer(folder, max_seq_length=SENTENCE_TOKENS)
    pooling = Pooling(encoder.auto_model.config.hidden_size, "mean")
    return SentenceTransformer(modules=[encoder, pooling], device="cpu")


if __name__ == "__main__":
    main()
