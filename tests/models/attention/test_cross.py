import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from alike import assert_alike
from effort import examples
from longsum.common.errors import LongsumError
from longsum.models.attention.backends.reference import dense_attention
from longsum.models.attention.cross import (
    ContiguousBlocks,
    Hepos,
    LinformerCross,
    SourceMixtures,
    full_cross,
)

PATTERNS = [Hepos(4), Hepos(2), full_cross(), ContiguousBlocks(4)]
HEADS, WIDTH, SIZE = 8, 4, 24


class Called(torch.nn.Module):
    """A layer that does not expose its weight."""

    def __init__(self, layer):
        super().__init__()
        self.held = [layer]

    def forward(self, states):
        return torch.nn.functional.linear(states, self.held[0].weight, self.held[0].bias)


def projection(seed, sizes=(SIZE, HEADS * WIDTH), dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    layer = torch.nn.Linear(*sizes, dtype=dtype)
    with torch.no_grad():
        for tensor in layer.parameters():
            tensor.copy_(torch.randn(tensor.shape, generator=generator))
    return layer


@st.composite
def padded(draw):
    """Draw which tokens of three rows are real: a stretch of each."""
    tokens = draw(st.integers(1, 23))
    real = torch.zeros(3, tokens, dtype=torch.bool)
    for row in real:
        first = draw(st.integers(0, tokens - 1))
        row[first : first + draw(st.integers(1, tokens))] = True
    return real


@settings(max_examples=examples(60))
@given(st.sampled_from(PATTERNS), padded(), st.sampled_from([lambda layer: layer, Called]))
def test_folded_equals_the_dense_mask_for_any_length_and_padding_side(pattern, real, each):
    """With the same states and projections; also if the projecting layers must be called."""
    (batch, tokens), generator = real.shape, torch.Generator().manual_seed(0)

    def random(*shape):
        return torch.randn(*shape, generator=generator, dtype=torch.float64, requires_grad=True)

    hidden, query = random(batch, tokens, SIZE), random(batch, HEADS, 5, WIDTH)
    layers = [projection(0), projection(1)]
    weights, biases = [layer.weight for layer in layers], [layer.bias for layer in layers]
    folded = pattern.fold(hidden, real)
    key, value = (folded.project(each(layer), HEADS) for layer in layers)
    fast = dense_attention(query, key, value, pattern.mask(folded, HEADS))
    full_key, full_value = (
        (hidden @ weight.T + bias).view(batch, tokens, HEADS, WIDTH).transpose(1, 2)
        for weight, bias in zip(weights, biases, strict=True)
    )
    shown = pattern.visible(HEADS, tokens, real) & real[:, None, None, :]
    slow = dense_attention(query, full_key, full_value, shown)
    arguments = [hidden, query, *weights, *biases]
    assert_alike(fast, slow, arguments)


@pytest.mark.parametrize("pattern", PATTERNS, ids=str)
def test_heads_together_read_every_position_once_a_group(pattern):
    shown = pattern.visible(HEADS, 13, None)[0, :, 0]
    assert (shown.sum(dim=0) == HEADS // pattern.groups).all()


@settings(max_examples=examples(40))
@given(padded())
def test_mixtures_equal_their_definition_for_any_length_and_padding_side(real):
    tokens = real.shape[1]
    generator = torch.Generator().manual_seed(tokens)
    hidden = torch.randn(3, tokens, SIZE, generator=generator, dtype=torch.float64)
    hidden.requires_grad_()
    # No more columns than the longest row needs: padding may exceed them.
    mixtures = SourceMixtures(int(real.sum(dim=1).amax()), projected=7).double()
    mixed = mixtures(LinformerCross(7).fold(hidden, real))
    expected = mixtures.reference(hidden, real)
    assert mixed.hidden.shape == (3, 1, 7, SIZE)
    assert mixed.seen.all()
    assert_alike(mixed.hidden[:, 0], expected, [hidden, mixtures.projection])


def test_nothing_to_mix_is_not_seen():
    real = torch.ones(2, 6, dtype=torch.bool)
    real[1] = False
    pattern = LinformerCross(3)
    source = pattern.fold(torch.randn(2, 6, SIZE), real)
    assert pattern.mask(source, HEADS).flatten().tolist() == [True, False]
    assert SourceMixtures(6, 3)(source).seen[:, 0, 0].tolist() == [True, False]


def test_mixtures_of_too_much():
    with pytest.raises(LongsumError, match="made for 5 tokens and got 6; shorten"):
        SourceMixtures(5, 3)(LinformerCross().fold(torch.zeros(1, 6, SIZE)))
