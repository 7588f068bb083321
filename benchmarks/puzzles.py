"""Synthetic documents that can only be solved by what a paper claims, and training on them.

Shared by `structure.py` (HIBRIDS), `distant_segments.py` (top-down), `spread_facts.py` (HEPOS) and
`next_choice.py` (Stepwise). Each has its documents, its systems and its judge.
"""

import argparse
import random
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

RATE = 2e-3
PAD = 0
KEYS = VALUES = 8
QUESTIONS = range(1, 1 + KEYS)
FACTS = range(QUESTIONS.stop, QUESTIONS.stop + KEYS * VALUES)
FILLERS = range(FACTS.stop, FACTS.stop + 8)
"""Tokens: a question has a key, a fact a key and a value."""
Judge = Callable[[], tuple[Tensor, Tensor]]
"""Reads the next documents: the mean loss over them, and the share that is answered rightly."""


def options(doc: str | None, systems: Iterable[str], steps: int, batch: int) -> Any:
    """Return a parser with the common options and these defaults."""
    parser = argparse.ArgumentParser(description=doc.split("\n")[0] if doc else None)
    systems = list(systems)
    parser.add_argument("--systems", nargs="+", default=systems, choices=systems)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--json", type=Path, help="output file for the results")
    # A second thread does not speed up products this small.
    torch.set_num_threads(1)
    return parser


def learn(modules: Iterable[nn.Module], judge: Judge, steps: int) -> None:
    """Train with AdamW, a one-cycle learning rate, and gradients clipped to a norm of 1."""
    parameters = [each for module in modules for each in module.parameters()]
    optimizer = torch.optim.AdamW(parameters, lr=RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    for _ in range(steps):
        loss, _ = judge()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        schedule.step()


def accuracy(judge: Judge, batches: int = 10) -> float:
    """Return the share of correct answers over a number of batches."""
    with torch.inference_mode():
        return float(torch.stack([judge()[1] for _ in range(batches)]).mean())


@dataclass(frozen=True, slots=True)
class FactDocument:
    """A document of filler with facts at random places.

    Attributes:
        tokens: Its tokens.
        keys: The facts' keys.
        values: Their values.
        asked: The places of their questions, if it has any.
    """

    tokens: list[int]
    keys: list[int]
    values: list[int]
    asked: list[int]


def fact_documents(
    generator: random.Random, tokens: int, facts: int, apart: int | None = None
) -> Iterator[FactDocument]:
    """Yield an endless stream of documents.

    Args:
        generator: The random generator.
        tokens: Tokens of each.
        facts: Facts of each, of different keys.
        apart: The minimum distance of each fact and its question; None for no questions.
    """
    while True:
        keys = generator.sample(range(KEYS), facts)
        values = generator.choices(range(VALUES), k=facts)
        made = FactDocument(generator.choices(FILLERS, k=tokens), keys, values, [])
        free = set(range(tokens))
        for key, value in zip(keys, values, strict=True):
            place = generator.choice(sorted(free))
            made.tokens[place] = FACTS[key * VALUES + value]
            free.remove(place)
            if apart is not None:
                asked = generator.choice(sorted(one for one in free if abs(one - place) >= apart))
                made.tokens[asked] = QUESTIONS[key]
                made.asked.append(asked)
                free.remove(asked)
        yield made


def answer_loss(logits: Tensor, answers: Tensor) -> tuple[Tensor, Tensor]:
    """Return the mean loss and the share of right answers, of logits `[b, k, VALUES]`."""
    right = (logits.argmax(dim=-1) == answers).float().mean()
    return nn.functional.cross_entropy(logits.mT, answers), right


def padded(rows: list[list[int]], filling: int) -> Tensor:
    """Return rows as a tensor, padded on the right."""
    longest = max(map(len, rows))
    return torch.tensor([row + [filling] * (longest - len(row)) for row in rows])


def show(name: str, columns: Mapping[str, list[float]]) -> dict[str, Any]:
    """Print a row in per cent: the mean, lowest and highest of the seeds for each column."""
    cells = []
    for column, found in columns.items():
        shares = [100 * each for each in found]
        mean = statistics.fmean(shares)
        cells.append(f"{column} {mean:5.1f} ({min(shares):.1f} to {max(shares):.1f})")
    print(f"{name:<24}{'   '.join(cells)}", flush=True)
    return {"system": name, **columns}
