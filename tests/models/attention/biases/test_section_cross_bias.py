"""HIBRIDS, Eq. 3, in the decoder's attention: sums over sections equal sums over tokens."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from alike import assert_alike
from effort import examples
from longsum.models.attention.biases import section_cross_bias
from longsum.models.attention.biases.section_cross_bias import (
    fold_sections,
    labelled_product,
    section_biased_attention,
    section_weights,
)
from longsum.models.attention.biases.section_tree import ROOT, SectionTree
from longsum.models.attention.cross import (
    ContiguousBlocks,
    CrossPattern,
    FoldedSource,
    Hepos,
    LinformerCross,
    SourceMixtures,
    full_cross,
)

PATTERNS = [full_cross(), Hepos(2), Hepos(4), ContiguousBlocks(2)]
HEADS, WIDTH, SIZE, SECTIONS = 4, 3, 12, 5
# Few queries and many, which take different ways.
QUERIES = (1, 3, 65)


def dense(
    states: dict[str, Tensor], visible: Tensor, section_of: Tensor, pairs: Tensor, average: bool
) -> Tensor:
    """Return the biased attention of one source, head by head, `[h, q, d]`."""
    weights = []
    for head in range(HEADS):
        scores = states["earlier_query"][head] @ states["earlier_key"][head].T * WIDTH**-0.5
        # A head that reads nothing weighs nothing.
        weights.append(scores.masked_fill(~visible[head], -torch.inf).softmax(-1).nan_to_num(0.0))
    if average:
        weights = [torch.stack(weights).mean(0)] * HEADS
    result = []
    for head in range(HEADS):
        scores = states["query"][head] @ states["key"][head].T * WIDTH**-0.5
        # b_tj = Σ_l a_tl · B[section(l), section(j)] for all source tokens j (Eq. 3).
        values = pairs[head % len(pairs)][section_of[:, None], section_of]
        scores = scores + (weights[head][:, :, None] * values).sum(dim=1)
        shares = scores.masked_fill(~visible[head], -torch.inf).softmax(-1).nan_to_num(0.0)
        result.append(shares @ states["value"][head])
    return torch.stack(result)


def random_states(tokens: int, steps: int, batch: int, seed: int) -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> Tensor:
        made = torch.randn(*shape, generator=generator, dtype=torch.float64)
        return made.requires_grad_()

    return {
        "earlier_query": draw(batch, HEADS, steps, WIDTH),
        "earlier_key": draw(batch, HEADS, tokens, WIDTH),
        "query": draw(batch, HEADS, steps, WIDTH),
        "key": draw(batch, HEADS, tokens, WIDTH),
        "value": draw(batch, HEADS, tokens, WIDTH),
    }


def gather(rows: Tensor, places: Tensor) -> Tensor:
    """Lay out the states of all tokens, `[b, h, n, d]`, by the positions that each head reads."""
    index = places.repeat(1, HEADS // places.shape[1], 1)[..., None]
    return rows.gather(2, index.expand(-1, -1, -1, rows.shape[-1]))


def sectioned(
    section_of: Tensor, pattern: CrossPattern, real: Tensor | None = None, dtype=torch.float64
) -> FoldedSource:
    """Fold sections that are not nested."""
    tree = SectionTree(section_of, torch.full((len(section_of), SECTIONS), ROOT))
    return fold_sections(tree, pattern, real, torch.empty(0, dtype=dtype))


def folded(
    states: dict[str, Tensor],
    pattern: CrossPattern,
    real: Tensor,
    section_of: Tensor,
    pairs: Tensor,
    average: bool,
) -> Tensor:
    source = sectioned(section_of, pattern, real, states["query"].dtype)
    mask = pattern.mask(source, HEADS)
    earlier, key, value = (
        gather(states[name], source.places) for name in ("earlier_key", "key", "value")
    )
    weights = section_weights(states["earlier_query"], earlier, mask, source.hidden)
    if average:
        weights = weights.mean(dim=1, keepdim=True)
    return section_biased_attention(
        states["query"], key, value, mask, weights @ pairs, source.hidden
    )


@settings(max_examples=examples(25))
@given(
    pattern=st.sampled_from(PATTERNS),
    tokens=st.integers(1, 7),
    steps=st.sampled_from(QUERIES),
    average=st.booleans(),
    each_head=st.booleans(),
    data=st.data(),
)
def test_equals_the_equation_forward_and_backward(
    pattern, tokens, steps, average, each_head, data
) -> None:
    real = torch.zeros(2, tokens, dtype=torch.bool)
    for row in real:
        first = data.draw(st.integers(0, tokens - 1))
        row[first : first + data.draw(st.integers(1, tokens))] = True
    states = random_states(tokens, steps, batch=2, seed=tokens)
    generator = torch.Generator().manual_seed(steps)
    section_of = torch.randint(0, SECTIONS, (2, tokens), generator=generator)
    pairs = torch.randn(
        2, HEADS if each_head else 1, SECTIONS, SECTIONS, generator=generator, dtype=torch.float64
    ).requires_grad_()
    visible = pattern.visible(HEADS, tokens, real) & real[:, None, None, :]
    found = folded(states, pattern, real, section_of, pairs, average)
    rows = [{name: state[row] for name, state in states.items()} for row in range(2)]
    given = zip(rows, visible[:, :, 0], section_of, pairs, [average] * 2, strict=True)
    expected = torch.stack([dense(*row) for row in given])
    assert_alike(found, expected, [*states.values(), pairs])


@pytest.mark.parametrize("steps", QUERIES)
def test_mixtures_of_keys_have_mixtures_of_sections(steps: int) -> None:
    """Scores are linear in keys: as if each key had its section's bias in a feature of its own."""
    pattern, mixtures = LinformerCross(3), SourceMixtures(9, 3).double()
    generator = torch.Generator().manual_seed(0)
    hidden = torch.randn(1, 7, SIZE, generator=generator, dtype=torch.float64)
    section_of = torch.tensor([[0, 0, 1, 3, 3, 3, 4]])
    shares = mixtures(sectioned(section_of, pattern)).hidden
    query = torch.randn(1, HEADS, steps, SIZE, generator=generator, dtype=torch.float64)
    bias = torch.randn(1, HEADS, steps, SECTIONS, generator=generator, dtype=torch.float64)
    key = mixtures(pattern.fold(hidden)).hidden.expand(-1, HEADS, -1, -1)
    found = section_biased_attention(query, key, key, None, bias, shares)
    wide = mixtures(
        pattern.fold(torch.cat([hidden, torch.eye(SECTIONS)[section_of]], dim=-1))
    ).hidden
    scores = torch.cat([query * SIZE**-0.5, bias], dim=-1) @ wide.mT
    torch.testing.assert_close(found, scores.softmax(-1) @ key)


@pytest.mark.parametrize("steps", QUERIES)
def test_half_precision_is_close(steps: int) -> None:
    states = random_states(40, steps, batch=1, seed=0)
    section_of = torch.arange(40)[None] // 8
    pairs = torch.randn(1, HEADS, SECTIONS, SECTIONS, generator=torch.Generator().manual_seed(1))
    real = torch.ones(1, 40, dtype=torch.bool)
    exact = folded(states, Hepos(2), real, section_of, pairs.double(), True)
    halves = {name: state.bfloat16() for name, state in states.items()}
    found = folded(halves, Hepos(2), real, section_of, pairs.bfloat16(), True)
    assert found.dtype == torch.bfloat16
    torch.testing.assert_close(found.double(), exact, atol=0.05, rtol=0.05)


@pytest.mark.parametrize(("heads", "shared"), [(1, False), (4, False), (4, True)])
@pytest.mark.parametrize("numbers", [1, 40, 2**20])
def test_the_product_is_computed_a_few_columns_at_a_time(
    monkeypatch, heads, shared, numbers
) -> None:
    """A · B with its gradients; in one case B is not divided."""
    monkeypatch.setattr(section_cross_bias, "_NUMBERS", numbers)
    generator = torch.Generator().manual_seed(0)
    weights = torch.rand(2, heads, 3, 9, generator=generator, dtype=torch.float64)
    table = torch.randn(5, 1 if shared else 4, generator=generator, dtype=torch.float64)
    labels = torch.randint(-1, 5, (2, 9, 9), generator=generator)
    for learned in (weights, table):
        learned.requires_grad_()
    rows = torch.cat([table, torch.zeros(1, table.shape[1], dtype=torch.float64)])
    found = labelled_product(weights, table, labels)
    every_head = weights.expand(-1, 4, -1, -1), rows[labels].expand(-1, -1, -1, 4)
    expected = torch.einsum("bhqs,bsth->bhqt", *every_head)[:, : found.shape[1]]
    assert_alike(found, expected, [weights, table])
