from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import SentenceEncoderConfig
from longsum.models.networks.extractive.extractor_layers import SentenceEncoder, encode_sorted
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.units import Units

from .conftest import hibert, randomised, score

Make = Callable[..., Hibert]
Join = Callable[..., Units]
PLACED: dict[str, Any] = {"positions": "places", "places": (3, 3), "headings": True}


@pytest.fixture
def build(tiny: SentenceEncoderConfig) -> Make:
    return lambda **settings: randomised(lambda: hibert(**settings)(tiny))


@torch.inference_mode()
def test_counted_from_the_end_what_was_chosen_long_ago_changes_nothing_but_itself(
    build, units
) -> None:
    model = build(counted="end", plan=2)
    found, short = (
        model.document_encoder.summary(model.read(units(7)).vectors, torch.tensor([[plan]]))[0]
        for plan in ([0, 2, 5, 3], [5, 3, -1])
    )
    torch.testing.assert_close(found[0, -2:], short[0, 1:3])


@torch.inference_mode()
def test_without_positions_sentences_have_no_order(build: Make, units: Join) -> None:
    model = build(positions="none", points=True)
    given = units(7)
    order = torch.tensor([3, 0, 6, 1, 5, 2, 4])
    moved = replace(given, sentences=given.sentences[:, order], headings=given.headings[:, order])
    plan = torch.tensor([[[1, 4]]])
    found = score(model, given, plan)[0, 0]
    other = score(model, moved, order.argsort()[plan])[0, 0]
    torch.testing.assert_close(other[:-1], found[:-1][order], atol=1e-5, rtol=0)
    torch.testing.assert_close(other[-1], found[-1])


@pytest.mark.parametrize("summary_layers", [1, 2, 3])
def test_a_step_computes_nothing_below_the_layers_that_read_the_summary(
    summary_layers, build, units
) -> None:
    model = build(summary_layers=summary_layers)
    reading = model.read(units(4))
    seen: dict[int, list[int]] = {0: [], 1: [], 2: []}
    for number, layer in enumerate(model.document_encoder.layers):
        layer.feed_forward.register_forward_pre_hook(
            lambda _, inputs, number=number: seen[number].append(inputs[0].shape[1])
        )
    model.logits(reading, torch.tensor([[[0, 2]]]))
    summary, document = 3, 5
    for number, lengths in seen.items():
        expected = [document] if number >= 3 - summary_layers else []
        assert sorted(lengths) == sorted(expected + ([summary] if number < 2 else []))


@pytest.mark.parametrize("at_once", [1, 20])
@pytest.mark.parametrize("representation", ["first", "mean"])
def test_sorted_encoding_equals_row_by_row(at_once, representation, tiny, units) -> None:
    torch.manual_seed(0)
    encoder = SentenceEncoder(replace(tiny, representation=representation)).eval()
    given = units(5, 3)
    found = encode_sorted(encoder, given.tokens, given.lengths, at_once)
    for row, length in enumerate(given.lengths.tolist()):
        alone = encoder(given.tokens[row : row + 1, :length], given.lengths[row : row + 1])
        torch.testing.assert_close(found[row], alone[0], atol=1e-5, rtol=0)


def test_sentences_beyond_the_table_are_not_read_and_places_have_no_end(build, units) -> None:
    given, plans = units(12), torch.tensor([[[0]]])
    first = {name: getattr(given, name)[:, :9] for name in ("sentences", "headings", "places")}
    found = score(build(), given, plans)[0, 0]
    assert found[9:12].isneginf().all()
    assert found[-1].isfinite()
    expected = score(build(), replace(given, **first), plans)[0, 0]
    torch.testing.assert_close(found[[*range(9), -1]], expected, atol=1e-5, rtol=0)
    assert score(build(**PLACED), given, plans).isfinite().all()


def test_texts_beyond_the_positions_and_layers_beyond_the_last_are_refused(build, units) -> None:
    given = units(1)
    tokens = torch.ones(2, 25, dtype=torch.int64)
    with pytest.raises(LongsumError, match=r"25 tokens does not fit the model's 24 positions"):
        build().read(replace(given, tokens=tokens, lengths=torch.tensor([25, 25])))
    for count in (-1, 0, 4):
        with pytest.raises(LongsumError, match=f"by {count} of 3 layers"):
            build(summary_layers=count)
