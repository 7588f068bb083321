from collections.abc import Callable
from dataclasses import replace

import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.core.encoder.transition_scores import OWNER
from longsum.models.networks.extractive.extractor_layers import SentenceEncoder, encode_sorted
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.units import Units, with_decision

from .conftest import hibert, randomised, score, units

Make = Callable[..., Hibert]
Join = Callable[..., Units]
PLACED = {"positions": "places", "places": (3, 3), "headings": True}


@pytest.fixture
def build(tiny) -> Make:
    return lambda **settings: randomised(lambda: hibert(**settings)(tiny))


@torch.inference_mode()
def test_counted_from_the_end_an_early_choice_changes_only_its_own_state(build) -> None:
    model = build(counted="end", plan=2)
    found, short = (
        model.document_encoder.summary(model.read(units(7)).vectors, torch.tensor([[plan]]))[0]
        for plan in ([0, 2, 5, 3], [5, 3, -1])
    )
    torch.testing.assert_close(found[0, -2:], short[0, 1:3])


@torch.inference_mode()
def test_without_positions_sentences_have_no_order(build: Make) -> None:
    model = build(positions="none", points=True)
    given = units(7)
    order = torch.tensor([3, 0, 6, 1, 5, 2, 4])
    moved = replace(given, sentences=given.sentences[:, order], headings=given.headings[:, order])
    plan = torch.tensor([[[1, 4]]])
    found = score(model, given, plan)[0, 0]
    other = score(model, moved, order.argsort()[plan])[0, 0]
    torch.testing.assert_close(other[:-1], found[:-1][order], atol=1e-5, rtol=0)
    torch.testing.assert_close(other[-1], found[-1])


@pytest.mark.parametrize("stepwise", [True, False])
@torch.inference_mode()
def test_the_end_of_a_stepwise_model_may_be_a_decision_of_its_own(stepwise, build) -> None:
    plans = torch.tensor([[[0, 2], [1, -1]], [[3, -1], [-1, -1]]])
    unit, decided = (
        score(build(stepwise=stepwise, end=end), units(6, 4), plans) for end in ("unit", "decision")
    )
    expected = with_decision(unit[..., :-1], unit[..., -1]) if stepwise else unit
    torch.testing.assert_close(decided, expected)


@torch.inference_mode()
def test_entries_have_the_mean_of_their_owners_entries(build) -> None:
    """By definition, the state of an entry includes the mean of its owner's entries."""
    model = build(owners=True, positions="none")
    plain = build(positions="none")
    plain.load_state_dict(model.state_dict(), strict=False)
    owners = torch.tensor([[1, 2, 1, 0, 2, 1], [3, 3, 0, 1, 1, 1]])
    places = torch.zeros(2, 6, 5, dtype=torch.int64)
    places[..., OWNER] = owners
    real = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
    vectors = torch.randn(2, 6, 8)
    moved = vectors.clone()
    for row, number in ((row, number) for row in range(2) for number in range(6)):
        same = (owners[row] == owners[row, number]) & real[row]
        if owners[row, number]:
            mean = vectors[row, same].mean(dim=0) if same.any() else torch.zeros(8)
            moved[row, number] += model.document_encoder.owner(mean)
    found = model.document_encoder.read(vectors, None, places, real)
    expected = plain.document_encoder.read(moved, None, places, real)
    torch.testing.assert_close(
        found.states[real_and_end(real)], expected.states[real_and_end(real)]
    )


def real_and_end(real: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.pad(real, (0, 1), value=True)


@pytest.mark.parametrize("summary_layers", [1, 2, 3])
def test_a_step_computes_nothing_below_the_layers_that_read_the_summary(
    summary_layers, build
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
def test_sorted_encoding_equals_row_by_row(at_once, representation, tiny) -> None:
    torch.manual_seed(0)
    encoder = SentenceEncoder(replace(tiny, representation=representation)).eval()
    given = units(5, 3)
    found = encode_sorted(encoder, given.tokens, given.lengths, at_once)
    for row, length in enumerate(given.lengths.tolist()):
        alone = encoder(given.tokens[row : row + 1, :length], given.lengths[row : row + 1])
        torch.testing.assert_close(found[row], alone[0], atol=1e-5, rtol=0)


def test_sentences_beyond_the_table_are_not_read_and_places_have_no_end(build) -> None:
    given, plans = units(12), torch.tensor([[[0]]])
    first = {name: getattr(given, name)[:, :9] for name in ("sentences", "headings", "places")}
    found = score(build(), given, plans)[0, 0]
    assert found[9:12].isneginf().all()
    assert found[-1].isfinite()
    expected = score(build(), replace(given, **first), plans)[0, 0]
    torch.testing.assert_close(found[[*range(9), -1]], expected, atol=1e-5, rtol=0)
    assert score(build(**PLACED), given, plans).isfinite().all()


def test_texts_beyond_the_positions_and_layers_beyond_the_last_are_refused(build) -> None:
    given = units(1)
    tokens = torch.ones(2, 25, dtype=torch.int64)
    with pytest.raises(LongsumError, match=r"25 tokens does not fit the model's 24 positions"):
        build().read(replace(given, tokens=tokens, lengths=torch.tensor([25, 25])))
    for count in (-1, 0, 4):
        with pytest.raises(LongsumError, match=f"by {count} of 3 layers"):
            build(summary_layers=count)
