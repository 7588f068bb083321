from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import FlatConfig, SentenceEncoderConfig
from longsum.models.networks.extractive.flat import FlatSum
from longsum.models.networks.extractive.units import Units

from .conftest import randomised, score, units

Make = Callable[..., FlatSum]
Join = Callable[..., Units]
PLANS = torch.tensor([[[0, 2, -1], [3, -1, -1]], [[6, 1, 4], [-1, -1, -1]]])
ROOM = 200


@pytest.fixture
def build(tiny: SentenceEncoderConfig) -> Make:
    return lambda stepwise=True, positions=ROOM: randomised(
        lambda: FlatSum(FlatConfig(stepwise, replace(tiny, positions=positions)))
    )


def texts(units: Units, document: int = 0) -> list[Tensor]:
    """The tokens of each sentence of a document."""
    rows = [row for row in units.sentences[document].tolist() if row >= 0]
    return [units.tokens[row, : units.lengths[row]] for row in rows]


def by_hand(model: FlatSum, document: list[Tensor], summary: list[Tensor]) -> Tensor:
    """Scores of the sentences of a document and of the end, from their definition."""
    encoder = model.encoder
    vectors = encoder.embedding.tokens(torch.cat([*document, *summary]))[None]
    if model.stepwise:
        vectors = torch.cat([vectors, model.end[None, None]], dim=1)
    real = torch.ones(vectors.shape[:2], dtype=torch.bool)
    states = encoder.transform(encoder.embedding.place(vectors), real)[0]
    starts = torch.tensor([0, *(len(text) for text in document[:-1])]).cumsum(0)
    if model.stepwise:
        starts = torch.cat([starts, torch.tensor([-1])])
    found: Tensor = model.salience(states[starts])[:, 0]
    return found


def test_the_summary_follows_the_document_and_the_end_follows_both(build) -> None:
    model, given = build(), units(4, 7)
    scores = score(model, given, PLANS)
    for document, count in enumerate((4, 7)):
        sentences = texts(given, document)
        for number, plan in enumerate(PLANS[document].tolist()):
            summary = [sentences[place] for place in plan if place >= 0]
            expected = by_hand(model, sentences, summary)
            found = scores[document, number][[*range(count), -1]]
            torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize("positions", [2, 16, 17, ROOM])
@pytest.mark.parametrize("stepwise", [True, False])
def test_a_sentence_is_read_while_its_start_fits(positions, stepwise, build) -> None:
    model, given = build(stepwise=stepwise, positions=positions), units(7, seeds=[1])
    sentences = texts(given)
    starts = torch.tensor([0, *map(len, sentences)]).cumsum(0)[:-1]
    fits = starts < positions - stepwise
    reading = model.read(given)
    scores = model.logits(reading, torch.full((1, 1, 0), -1))[0, 0]
    assert torch.equal(scores[:-1].isfinite(), fits)
    whole = torch.cat(sentences)[: positions - stepwise]
    kept = [whole[start:stop] for start, stop in zip(starts, [*starts[1:], None], strict=True)]
    expected = by_hand(model, [text for text in kept if len(text)], [])
    torch.testing.assert_close(scores[scores.isfinite()], expected, atol=1e-5, rtol=0)


def test_the_document_loses_its_end_as_the_summary_grows(build: Make) -> None:
    given = units(7, seeds=[1])
    model = build(positions=int(given.lengths[:7].sum()) + 1)
    order = [6, 0, 3, 1, 2, 4, 5]
    plans = [torch.tensor([[order[:chosen]]], dtype=torch.int64) for chosen in range(8)]
    scored = [score(model, given, plan)[0, 0].isfinite() for plan in plans]
    assert all(each[-1] for each in scored)
    read = [each[:-1].sum().item() for each in scored]
    assert read == sorted(read, reverse=True)
    assert (read[0], read[-1]) == (7, 0)
    assert read[4] < 7


def test_only_the_first_state_may_represent_a_sentence(tiny: SentenceEncoderConfig) -> None:
    with pytest.raises(LongsumError, match="representation to 'first'"):
        FlatSum(FlatConfig(True, replace(tiny, representation="mean")))
