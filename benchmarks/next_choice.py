"""Do choices depend on earlier ones? Summaries in which each sentence names the next.

Run: python benchmarks/next_choice.py [--systems S …] [--seeds N …] [--json FILE]

A document is 16 sentences in no order, each with a name of its own, one of 32, and the name of
another sentence. The summary begins with the one sentence that is marked as the first; after each
sentence comes the one that it names, five in all, and then the end. The sentences outside the
summary name each other too, in a chain of their own, so that nothing but the chain from the first
distinguishes them. HiBERT (Stepwise, §4) reads sentences as the sums of learned vectors of their
two names. Stepwise, each choice is conditioned on those made before; `hibert` scores all sentences
at once, and the best five are the summary, so that its layers would have to follow the chain. The
table has the share of summary sentences found, and of summaries entirely right, on 2,000 documents
from other seeds; stepwise models follow their own choices, greedily. Finding the first and guessing
the rest gives 41 % of sentences. About 10 minutes on one core.
"""

import random
from collections.abc import Iterator
from itertools import pairwise

import torch
from torch import Tensor, nn

from longsum.core.encoder.extractor_settings import (
    DocumentEncoderConfig,
    HibertConfig,
    SentenceEncoderConfig,
)
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.modeling_extractive import plan_loss, salience_loss
from longsum.models.networks.extractive.units import Units
from puzzles import learn, options, show
from workers import finish

SENTENCES, CHOSEN, NAMES, SIZE = 16, 5, 32, 64
SYSTEMS = {
    "hibert, 1 layer": (False, 1),
    "hibert, 2 layers": (False, 2),
    "hibert, 4 layers": (False, 4),
    "stepwise, 1 layer": (True, 1),
    "stepwise, 2 layers": (True, 2),
}
Document = tuple[list[int], list[int], list[int]]
"""Each sentence's name and the one that it names, and the places of the summary's in order."""


class Reader(nn.Module):
    """HiBERT over sentences of two names each, with a mark on the first."""

    def __init__(self, stepwise: bool, layers: int) -> None:
        super().__init__()
        sentence = SentenceEncoderConfig(vocabulary=2, size=SIZE, layers=1, heads=4, feed_forward=8)
        document = DocumentEncoderConfig(
            layers=layers,
            feed_forward=2 * SIZE,
            positions="none",
            dropout=0.0,
            attention_dropout=0.0,
        )
        self.hibert = Hibert(HibertConfig(stepwise, sentence, document))
        self.own, self.named = nn.Embedding(NAMES, SIZE), nn.Embedding(NAMES, SIZE)
        self.first = nn.Parameter(torch.randn(SIZE))

    def forward(self, documents: list[Document], plans: Tensor) -> Tensor:
        """Return the logits of `ExtractiveModel.logits`, `[b, k, n + 1]`."""
        own, named, chosen = (torch.tensor(part) for part in zip(*documents, strict=True))
        vectors = self.own(own) + self.named(named)
        rows = torch.arange(len(own))
        first = torch.zeros(len(own), SENTENCES, 1)
        first[rows, chosen[:, 0]] = 1.0
        vectors = (vectors + first * self.first).flatten(0, 1)
        nothing = torch.zeros(len(vectors), dtype=torch.long)
        places = torch.zeros(*own.shape, 1, dtype=torch.long)
        sentences = torch.arange(len(vectors)).view_as(own)
        units = Units(
            nothing[:, None], nothing, sentences, sentences.clamp_max(-1), places, vectors
        )
        found: Tensor = self.hibert.logits(self.hibert.read(units), plans)
        return found


def main() -> None:
    """Train and test every system, and print a table."""
    given = options(__doc__, SYSTEMS, steps=1000, batch=32).parse_args()
    rows = []
    for name in given.systems:
        found = [scores(*SYSTEMS[name], seed, given.steps, given.batch) for seed in given.seeds]
        sentences, whole = map(list, zip(*found, strict=True))
        rows.append(show(name, {"sentences": sentences, "whole": whole}))
    finish({"next_choice": rows}, given.json)


def documents(generator: random.Random) -> Iterator[Document]:
    """Yield an endless stream of documents."""
    while True:
        names = generator.sample(range(NAMES), SENTENCES)
        order = generator.sample(range(SENTENCES), SENTENCES)
        summary, others = order[:CHOSEN], order[CHOSEN:]
        named = [0] * SENTENCES
        for one, next_one in (*pairwise(summary), *pairwise(others)):
            named[one] = names[next_one]
        # The last of a chain names no sentence of the document.
        for one in (summary[-1], others[-1]):
            named[one] = generator.choice([each for each in range(NAMES) if each not in names])
        yield names, named, summary


def scores(stepwise: bool, layers: int, seed: int, steps: int, batch: int) -> tuple[float, float]:
    """Train a system; return its share of sentences and of whole summaries of 2,000 documents."""
    torch.manual_seed(seed)
    reader = Reader(stepwise, layers)
    known, unseen = (documents(random.Random(f"{part} {seed}")) for part in ("train", "test"))
    learn([reader], lambda: judge(reader, [next(known) for _ in range(batch)]), steps)
    reader.eval()
    tested = [next(unseen) for _ in range(2000)]
    with torch.inference_mode():
        summaries = choose(reader, tested)
    right = [len({*found} & {*told}) for found, (*_, told) in zip(summaries, tested, strict=True)]
    return sum(right) / len(right) / CHOSEN, sum(each == CHOSEN for each in right) / len(right)


def judge(reader: Reader, given: list[Document]) -> tuple[Tensor, Tensor]:
    """Return the loss over documents; of stepwise models after each beginning of the summaries."""
    told = torch.tensor([chosen for *_, chosen in given])
    if not reader.hibert.stepwise:
        logits = reader(given, told.new_zeros(len(given), 1, 0))
        labels = torch.zeros(len(given), 1, SENTENCES + 1).scatter(2, told[:, None], 1.0)
        return salience_loss(logits, labels), logits
    steps = torch.arange(CHOSEN + 1)
    plans = told[:, None].expand(-1, CHOSEN + 1, -1)
    plans = plans.where(steps[:CHOSEN] < steps[:, None], -1)
    following = torch.cat([told, torch.full_like(told[:, :1], SENTENCES)], dim=1)
    targets = nn.functional.one_hot(following, SENTENCES + 1).float()
    logits = reader(given, plans)
    return plan_loss(logits, targets), logits


def choose(reader: Reader, given: list[Document]) -> list[list[int]]:
    """Return the sentences that a model chooses from each document."""
    plans = torch.zeros(len(given), 1, 0, dtype=torch.long)
    if not reader.hibert.stepwise:
        return reader(given, plans)[:, 0].topk(CHOSEN).indices.tolist()
    for _ in range(CHOSEN):
        logits = reader(given, plans)[..., :-1]
        if plans.shape[-1]:
            logits = logits.scatter(2, plans, -torch.inf)
        plans = torch.cat([plans, logits.argmax(dim=-1, keepdim=True)], dim=-1)
    return plans[:, 0].tolist()


if __name__ == "__main__":
    main()
