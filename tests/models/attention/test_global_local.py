"""Global–local attention: fast = reference, locality, padding, labels, and linear memory."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from alike import assert_alike
from effort import examples
from largest_tensor import LargestTensor
from longsum.common.errors import LongsumError
from longsum.models.attention.backends.reference import dense_attention
from longsum.models.attention.biases.relative import RelativeLabels, label_scores, score_pairs
from longsum.models.attention.global_local import (
    GlobalLocal,
    Side,
    Structure,
    global_local_attention,
)


def global_local_reference(
    long: Side, auxiliary: Side, structure: Structure, pattern: GlobalLocal
) -> tuple[Tensor, Tensor]:
    """Attend densely over both inputs, the global one first; padded tokens get zeros."""
    count = structure.global_real.shape[1]
    real = torch.cat([structure.global_real, structure.real], dim=1)
    total = real.shape[1]
    offsets = torch.arange(total) - torch.arange(total)[:, None]
    held = structure.sentences[..., None] == torch.arange(count)
    labels = pattern.labels.of_distance(offsets).repeat(len(real), 1, 1)
    memberships = torch.where(held, pattern.labels.inside, pattern.labels.outside)
    labels[:, count:, :count] = memberships
    labels[:, :count, count:] = memberships.transpose(1, 2)
    visible = real[:, None].repeat(1, total, 1)
    visible[:, count:, count:] &= (offsets.abs() <= pattern.radius)[count:, count:]
    return (
        _attend_densely(
            long,
            torch.cat([long.other_key, long.key], dim=2),
            torch.cat([long.other_value, long.value], dim=2),
            labels[:, count:],
            visible[:, count:],
        ).masked_fill(~structure.real[:, None, :, None], 0.0),
        _attend_densely(
            auxiliary,
            torch.cat([auxiliary.key, auxiliary.other_key], dim=2),
            torch.cat([auxiliary.value, auxiliary.other_value], dim=2),
            labels[:, :count],
            visible[:, :count],
        ).masked_fill(~structure.global_real[:, None, :, None], 0.0),
    )


def _attend_densely(
    side: Side, key: Tensor, value: Tensor, labels: Tensor, visible: Tensor
) -> Tensor:
    """Attend under labels and a mask, both `[b, q, k]`: q · (k + r) / √d."""
    added = torch.einsum("bhqd,bqkhd->bhqk", side.query, side.labels[labels])
    bias = added * side.query.shape[-1] ** -0.5
    return dense_attention(side.query, key, value, visible[:, None], bias)


HEADS, WIDTH, BLOCK = 2, 4, 8
LABELS = RelativeLabels(3)
PATTERN = GlobalLocal(3, LABELS)


def make_side(own, other, batch=2, dtype=torch.float64, seed=0):
    generator = torch.Generator().manual_seed(seed)

    def random(*shape):
        return torch.randn(*shape, generator=generator).to(dtype).requires_grad_()

    return Side(
        *(random(batch, HEADS, own, WIDTH) for _ in range(3)),
        *(random(batch, HEADS, other, WIDTH) for _ in range(2)),
        random(LABELS.count, HEADS, WIDTH),
    )


def make_structure(lengths, counts):
    """Assign the tokens of each row to its global tokens in order; the last has none."""
    tokens, units = max(lengths), max(counts)
    sentences = torch.full((len(lengths), tokens), -1)
    for row, (length, count) in enumerate(zip(lengths, counts, strict=True)):
        sentences[row, :length] = torch.arange(length) * max(count - 1, 1) // length
    return Structure(
        sentences,
        torch.arange(tokens) < torch.tensor(lengths)[:, None],
        torch.arange(units) < torch.tensor(counts)[:, None],
    )


def make(lengths, counts, **options):
    structure = make_structure(lengths, counts)
    tokens, units = max(lengths), max(counts)
    long = make_side(tokens, units, len(lengths), **options)
    return long, make_side(units, tokens, len(lengths), **options, seed=1), structure


def parts(side):
    return [side.query, side.key, side.value, side.other_key, side.other_value, side.labels]


@settings(max_examples=examples(40))
@given(
    lengths=st.lists(
        st.sampled_from([1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 1]), min_size=2
    ).map(lambda drawn: drawn[:3]),
    radius=st.integers(0, 12),
    block=st.sampled_from([1, 5, BLOCK, 64]),
    data=st.data(),
)
def test_fast_equals_reference_in_value_and_gradient(lengths, radius, block, data):
    counts = [data.draw(st.integers(1, 9)) for _ in lengths]
    long, auxiliary, structure = make(lengths, counts)
    pattern = GlobalLocal(radius, LABELS)
    slow = global_local_reference(long, auxiliary, structure, pattern)
    fast = global_local_attention(long, auxiliary, structure, pattern, block=block)
    arguments = [*parts(long), *parts(auxiliary)]
    assert_alike(torch.cat(fast, dim=2), torch.cat(slow, dim=2), arguments)


def test_a_row_of_padding_gives_zeros_and_finite_gradients():
    long, auxiliary, _ = make([9, 9], [3, 3])
    structure = make_structure([9, 0], [3, 0])
    found = global_local_attention(long, auxiliary, structure, PATTERN)
    assert all((each[1] == 0).all() for each in found)
    total = sum(each.sum() for each in found)
    for gradient in torch.autograd.grad(total, [*parts(long), *parts(auxiliary)]):
        assert gradient.isfinite().all()


def test_memory_is_linear_in_the_long_input():
    units, pattern = 128, GlobalLocal(84, RelativeLabels(12))
    largest = []
    for tokens in (2048, 4096):
        sides = [
            Side(
                *(torch.zeros(1, 1, own, 1, requires_grad=True) for _ in range(3)),
                *(torch.zeros(1, 1, other, 1, requires_grad=True) for _ in range(2)),
                torch.zeros(pattern.labels.count, 1, 1, requires_grad=True),
            )
            for own, other in ((tokens, units), (units, tokens))
        ]
        with LargestTensor() as watch:
            found = global_local_attention(*sides, make_structure([tokens], [units]), pattern)
            sum(each.sum() for each in found).backward()
        largest.append(watch.elements)
    assert largest[1] <= 2 * largest[0]
    assert largest[1] < 4096 * 4096 / 8


def offsets(count):
    places = torch.arange(count)
    return places - places[:, None]


def test_distances_are_labelled_as_the_worked_matrix_shows():
    labels = RelativeLabels(3)
    assert labels.of_distance(offsets(5)).tolist() == [
        [0, 1, 2, 3, 3],
        [4, 0, 1, 2, 3],
        [5, 4, 0, 1, 2],
        [6, 5, 4, 0, 1],
        [6, 6, 5, 4, 0],
    ]
    # Memberships have what is left.
    assert {labels.outside, labels.inside} == {7, 8}
    assert labels.count == 9


def test_scores_are_those_of_vectors_added_to_keys():
    generator = torch.Generator().manual_seed(0)
    labels = RelativeLabels(3)
    query, key = torch.randn(2, 2, 4, 7, 5, generator=generator, dtype=torch.float64)
    vectors = torch.randn(labels.count, 4, 5, generator=generator, dtype=torch.float64)
    pairs = labels.of_distance(offsets(7))
    found = query @ key.transpose(-1, -2) * 5**-0.5
    found = found + score_pairs(label_scores(query, vectors), pairs)
    keys = key[:, :, None] + vectors[pairs].permute(2, 0, 1, 3)
    torch.testing.assert_close(found, (query[..., None, :] * keys).sum(-1) * 5**-0.5)


def test_a_negative_radius_and_a_reach_of_nothing():
    with pytest.raises(LongsumError, match="radius of -1 is below 0"):
        GlobalLocal(-1, LABELS)
    with pytest.raises(LongsumError, match="reach of 0 distinguishes no distances; give 1"):
        RelativeLabels(0)
