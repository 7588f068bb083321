from itertools import product
from typing import NamedTuple

import pytest
import torch

from longsum.models.networks.words.modeling_words import beam_search
from longsum.models.networks.words.vocabulary import START, STOP

WORDS = 5


class State(NamedTuple):
    written: torch.Tensor


class Toy:
    """Log-probabilities that depend on the whole text so far, which is the state."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def step(self, last: torch.Tensor, state: State) -> tuple[torch.Tensor, State]:
        written = torch.cat([state.written, last[:, None]], dim=1)
        return torch.stack([self.scores(tuple(row.tolist())) for row in written]), State(written)

    def scores(self, written: tuple[int, ...]) -> torch.Tensor:
        generator = torch.Generator().manual_seed(hash((self.seed, written)) % 2**31)
        return (2 * torch.randn(WORDS, generator=generator)).log_softmax(dim=-1)

    def search(self, beams: int, min_tokens: int, max_tokens: int):
        return beam_search(
            self.step,
            State(torch.zeros(1, 0, dtype=torch.long)),
            beams=beams,
            min_tokens=min_tokens,
            max_tokens=max_tokens,
        )

    def mean(self, tokens: tuple[int, ...]) -> float:
        written = (*tokens, STOP)
        gains = [self.scores((START, *written[:place]))[word] for place, word in enumerate(written)]
        return float(sum(gains)) / len(written)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("least", [0, 2])
def test_a_wide_beam_equals_an_exhaustive_search(seed, least):
    toy, most = Toy(seed), 3
    others = [word for word in range(WORDS) if word != STOP]
    texts = [text for size in range(least, most + 1) for text in product(others, repeat=size)]
    best = max(texts, key=toy.mean)
    found = toy.search(beams=200, min_tokens=least, max_tokens=most)
    assert found.ended
    assert found.tokens == best
    assert found.score == pytest.approx(toy.mean(best), abs=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_lengths_are_kept(seed):
    toy = Toy(seed)
    for beams, least, most in [(1, 0, 5), (4, 3, 5), (2, 5, 5)]:
        found = toy.search(beams, least, most)
        assert len(found.tokens) <= most
        assert STOP not in found.tokens
        assert len(found.tokens) >= (least if found.ended else most)


def test_one_beam_is_greedy():
    toy = Toy(3)
    tokens: tuple[int, ...] = ()
    for _ in range(4):
        # Its two best continuations are looked at; the end is skipped before the minimum length.
        order = toy.scores((START, *tokens)).argsort(descending=True).tolist()
        tokens = (*tokens, next(word for word in order if word != STOP))
    assert toy.search(1, 4, 4).tokens == tokens


class Endless(Toy):
    def scores(self, written: tuple[int, ...]) -> torch.Tensor:  # noqa: ARG002
        return torch.tensor([-1.0, -2.0, -9.0, -99.0, -3.0, -4.0])


def test_an_unfinished_text_is_returned_as_it_is():
    found = Endless(0).search(beams=2, min_tokens=0, max_tokens=3)
    assert (found.tokens, found.ended, found.score) == ((0, 0, 0), False, -1.0)
