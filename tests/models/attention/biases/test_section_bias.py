"""Biases of sections and distances: under every attention fast = dense, forward and backward."""

from functools import partial
from itertools import cycle

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from alike import assert_alike
from effort import examples
from largest_tensor import LargestTensor
from longsum.common.errors import LongsumError
from longsum.models.attention.backends import flex
from longsum.models.attention.backends.flex import flex_attention
from longsum.models.attention.backends.reference import reference_attention
from longsum.models.attention.backends.tiled import tiled_attention
from longsum.models.attention.biases.section_bias import EncoderBias, EncoderBiasConfig
from longsum.models.attention.biases.section_tree import SectionTree
from longsum.models.attention.encoder_attention import PatternAttention
from longsum.models.attention.learned.adaptive_span import AdaptiveSpanAttention
from longsum.models.attention.learned.linformer import LinformerAttention
from longsum.models.attention.learned.lsh import LshAttention
from longsum.models.attention.learned.sinkhorn import SinkhornAttention
from longsum.models.attention.patterns import (
    Full,
    GlobalTokens,
    RandomBlocks,
    Stride,
    Window,
    dense_grid,
)

from ..conftest import section_tree

HEADS, SIZE, TOKENS = 4, 8, 37
RANKS = [[1, 2, 3, 3, 2, 1, 2, 1], [1, 1, 2], [1, 2, 3, 4]]
KINDS = {
    "hibrids": {"path_reach": 3},
    "without levels": {"without": "level_difference"},
    "symmetric": {"without": "asymmetry"},
    "hibrids_selected": {"kind": "hibrids_selected"},
    "section_distance": {"kind": "section_distance", "section_reach": 2},
    "token_distance": {"kind": "token_distance", "token_reach": 5},
    "hibrids but for global tokens": {"global_biases": False},
    "token_distance but for global tokens": {
        "kind": "token_distance",
        "token_reach": 5,
        "global_biases": False,
    },
}
PATTERNS = [
    Full(),
    Window(6),
    Stride(5),
    RandomBlocks(4, seed=1),
    Window(6) | GlobalTokens(2),
    GlobalTokens(2) | Stride(7) | RandomBlocks(3) | Window(4),
]
LEARNED = ("adaptive span", "lsh", "sinkhorn", "learned sinkhorn", "wide sinkhorn")
SECTION_KINDS = [kind for kind in KINDS if not kind.startswith("token")]


def attention(kind, execution):
    torch.manual_seed(2)
    made = {
        "adaptive span": lambda: AdaptiveSpanAttention(HEADS, 12, 3, "sigmoid", execution),
        "lsh": lambda: LshAttention(SIZE, chunk=8, rounds=3, seed=1, execution=execution),
        "sinkhorn": lambda: SinkhornAttention(HEADS, SIZE, 64, 8, execution=execution),
        "learned sinkhorn": lambda: SinkhornAttention(
            HEADS, SIZE, 64, 8, sorting="learned", execution=execution
        ),
        "wide sinkhorn": lambda: SinkhornAttention(HEADS, SIZE, 64, 32, execution=execution),
    }
    return made[kind]().double()


def inputs(tokens=TOKENS, rows=3, dtype=torch.float64, seed=0):
    generator = torch.Generator().manual_seed(seed)
    shape = (rows, HEADS, tokens, SIZE)
    return [torch.randn(shape, generator=generator).to(dtype).requires_grad_() for _ in range(3)]


def padding(tokens=TOKENS):
    return torch.arange(tokens) < torch.tensor([[tokens], [tokens - 9], [tokens // 2]])


def module(kind, dtype=torch.float64):
    torch.manual_seed(1)
    return EncoderBias(EncoderBiasConfig(**KINDS[kind]), HEADS, global_tokens=2, std=1.0).to(dtype)


def labels(kind, tree):
    config = EncoderBiasConfig(**KINDS[kind])
    return config.labels(tree) if config.by_sections else None


def compare(kind, attentions, parameters=((), ())):
    """Check that two executions have the same output and gradients, also of the table."""
    learner, arguments, tree = module(kind), inputs(), section_tree(RANKS, TOKENS)
    fast, slow = (attend(*arguments, learner(labels(kind, tree))) for attend in attentions)
    learned = [[learner.table, *arguments, *more] for more in parameters]
    assert assert_alike(fast, slow, *learned, atol=1e-9, rtol=1e-8)[0].any()


@settings(max_examples=examples(40))
@given(
    ranks=st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=9), min_size=1, max_size=3),
    tokens=st.integers(1, 40),
    pattern=st.sampled_from(PATTERNS),
    block=st.integers(1, 16),
    kind=st.sampled_from(sorted(KINDS)),
    padding=st.integers(0, 20),
    shuffled=st.booleans(),
    seed=st.integers(0, 99),
)
def test_any_trees_in_any_order(ranks, tokens, pattern, block, kind, padding, shuffled, seed):
    """Sections need not be in order."""
    tree = section_tree(ranks, tokens, seed)
    if shuffled:
        generator = torch.Generator().manual_seed(seed)
        places = torch.randperm(tokens, generator=generator)
        tree.section_of.copy_(tree.section_of[:, places])
    learner, arguments = module(kind), inputs(tokens, len(ranks), seed=seed)
    biases, real = (learner(labels(kind, tree)),), torch.arange(tokens)[None] < tokens - padding
    real = real.expand(len(ranks), -1)
    fast = tiled_attention(*arguments, pattern, real, biases, block=block)
    slow = reference_attention(*arguments, pattern, real, biases)
    assert_alike(fast, slow, [learner.table, *arguments], atol=1e-9, rtol=1e-8)


@pytest.mark.parametrize(
    ("which", "kind"),
    [
        *((which, SECTION_KINDS[place % 6]) for place, which in enumerate(LEARNED)),
        ("adaptive span", "token_distance"),
    ],
)
def test_learned_attentions(kind, which):
    made, real = [attention(which, execution) for execution in ("fast", "reference")], padding()

    def without_padding(query, key, value, bias, each):
        return each(query, key, value, real, bias) * real[:, None, :, None]

    attentions = [partial(without_padding, each=each) for each in made]
    compare(kind, attentions, [list(each.parameters()) for each in made])


@pytest.mark.parametrize("kind", ["hibrids_selected", "hibrids but for global tokens"])
def test_linformer_mixes_biases_as_it_mixes_tokens(kind):
    torch.manual_seed(2)
    linformer, real = LinformerAttention(64, 7).double(), padding()

    def fast(query, key, value, bias):
        return linformer(query, key, value, real, bias)

    def slow(query, key, value, bias):
        grid = dense_grid(TOKENS, HEADS, real.sum(dim=1))
        mixing = linformer.projection[:, :TOKENS] * real[:, None, None]
        scores = query @ (mixing @ key).mT / SIZE**0.5
        scores = scores + bias.value(grid, bias.learned) @ mixing.mT
        return torch.softmax(scores, dim=-1) @ (mixing @ value)

    compare(kind, (fast, slow), 2 * [list(linformer.parameters())])


@pytest.mark.parametrize(("kind", "pattern"), [*zip(KINDS, cycle(PATTERNS), strict=False)], ids=str)
@pytest.mark.usefixtures("uncompiled")
def test_flex(kind, pattern):
    real, learner = padding(), module(kind, torch.float32)
    with torch.no_grad():
        arguments = inputs(dtype=torch.float32)
        bias = learner(labels(kind, section_tree(RANKS, TOKENS)))
        found = flex_attention(*arguments, pattern, real, bias)
        expected = reference_attention(*arguments, pattern, real, (bias,))
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)


@pytest.mark.slow
def test_flex_is_compiled_once_for_all_lengths_and_trees():
    try:
        flex._compiled("cpu")
    except LongsumError as error:
        pytest.skip(str(error))
    learner, counts = module("hibrids", torch.float32), []
    graphs = torch._dynamo.utils.counters["stats"]
    for tokens, ranks in ((300, RANKS), (40, [[1, 2], [1], [2]]), (256, [[1, 2, 3, 4, 4]] * 3)):
        real = padding(tokens)
        with torch.no_grad():
            arguments = inputs(tokens, dtype=torch.float32)
            bias = learner(labels("hibrids", section_tree(ranks, tokens)))
            found = flex_attention(*arguments, Window(20), real, bias)
            expected = reference_attention(*arguments, Window(20), real, (bias,))
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)
        counts.append(graphs["unique_graphs"])
    assert counts == counts[:1] * 3


def test_flex_has_no_gradient_of_a_bias_on_a_cpu():
    bias = module("hibrids", torch.float32)(labels("hibrids", section_tree(RANKS, TOKENS)))
    arguments = [tensor.detach() for tensor in inputs(dtype=torch.float32)]
    with pytest.raises(LongsumError, match="no gradients on a CPU"):
        flex_attention(*arguments, Window(4), None, bias)


def test_the_equation():
    """b_ij is the item of the table for the sections of i and j (Eq. 2)."""
    # §1 with §1.1, and §2; labels of path lengths 1, 2 and 3 and their level differences.
    tree = SectionTree(torch.tensor([[0, 0, 1, 2]]), torch.tensor([[-1, 0, -1]]))
    learner = module("hibrids")
    bias = learner(labels("hibrids", tree))
    found = bias.value(dense_grid(4, HEADS, torch.tensor([4])), bias.learned)
    # (1, 1) is 2, (−1, −1) is 3; (2, 0) is 6, (−2, 0) is 9; (3, −1) is 12, (−3, 1) is 17.
    expected = torch.tensor([[0, 0, 2, 6], [0, 0, 2, 6], [3, 3, 0, 12], [9, 9, 17, 0]])
    torch.testing.assert_close(found[0], learner.table[expected].permute(2, 0, 1))


def test_global_tokens_have_biases_unless_they_are_to_have_none():
    tree = section_tree(RANKS, TOKENS)
    grid = dense_grid(TOKENS, HEADS, torch.full((3,), TOKENS))
    for kind in ("hibrids", "token_distance"):
        whole, bare = (
            bias.value(grid, bias.learned)
            for each in (kind, f"{kind} but for global tokens")
            for bias in [module(each)(labels(each, tree))]
        )
        assert (bare[..., :2, :] == 0).all()
        assert (bare[..., :, :2] == 0).all()
        assert (bare[..., 2:, 2:] != 0).all()
        assert (whole[..., :2, :] != 0).all()


def test_bf16_learns_as_fp32_does():
    """The gradient of a label is a sum over many pairs, in which bf16 would lose precision."""
    tree, tables = section_tree(RANKS, 200), []
    for dtype in (torch.bfloat16, torch.float64):
        learner, arguments = module("hibrids", dtype), inputs(200, dtype=dtype)
        bias = learner(labels("hibrids", tree))
        output = PatternAttention(Window(20))(*arguments, None, bias)
        tables.append(torch.autograd.grad(output.float().square().sum(), learner.table)[0].double())
    error = (tables[0] - tables[1]).norm() / tables[1].norm()
    assert error < 0.03


@pytest.mark.parametrize("which", ["lsh", "sinkhorn", "linformer"])
def test_learned_attentions_have_no_biases_of_token_distances(which):
    made = LinformerAttention(64, 7) if which == "linformer" else attention(which, "fast")
    with pytest.raises(LongsumError, match="no biases of token distances"):
        made(*inputs(), None, module("token_distance")(None))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"section_reach": 3}, "'hibrids' has no section_reach; 'section_distance' has it"),
        ({"kind": "section_distance", "without": "asymmetry"}, "no without; 'hibrids' has it"),
    ],
)
def test_settings_of_another_kind_are_refused(given, says):
    with pytest.raises(LongsumError, match=says):
        EncoderBiasConfig(**given)


@pytest.mark.parametrize(
    "which", ["window", "full", "adaptive span", "lsh", "sinkhorn", "linformer"]
)
def test_there_is_never_a_number_for_each_pair_of_tokens(which):
    tokens, size, heads = 512, 2, 1
    made = {
        "window": lambda: PatternAttention(Window(16) | GlobalTokens(1)),
        "full": lambda: PatternAttention(Full()),
        "adaptive span": lambda: AdaptiveSpanAttention(heads, 16, 3),
        "lsh": lambda: LshAttention(size, chunk=16, rounds=1),
        "sinkhorn": lambda: SinkhornAttention(heads, size, tokens, 32),
        "linformer": lambda: LinformerAttention(tokens, 16),
    }[which]()
    learner = EncoderBias(EncoderBiasConfig(), heads)
    tree_labels = EncoderBiasConfig().labels(section_tree(RANKS[:1], tokens))
    arguments = [torch.randn(1, heads, tokens, size, requires_grad=True) for _ in range(3)]
    with LargestTensor() as largest:
        made(*arguments, None, learner(tree_labels)).sum().backward()
    assert learner.table.grad.abs().sum() > 0
    # Full attention has the scores of 128 queries at a time.
    assert largest.elements <= tokens * 128


@pytest.mark.parametrize(
    ("kind", "backward"),
    [("hibrids", False), ("hibrids_selected", True), ("hibrids but for global tokens", True)],
)
def test_there_is_never_a_number_for_each_head_and_pair_of_sections(kind, backward):
    sections, tokens, heads = 300, 600, 8
    tree = section_tree([[1, 2, 3, 3, 2, 3] * (sections // 6)], tokens)
    learner = EncoderBias(EncoderBiasConfig(**KINDS[kind]), heads, global_tokens=2)
    tree_labels = labels(kind, tree)
    assert tree_labels.pairs.numel() == sections**2
    arguments = [torch.randn(1, heads, tokens, 2, requires_grad=backward) for _ in range(3)]
    with torch.set_grad_enabled(backward), LargestTensor() as largest:
        output = PatternAttention(Window(16))(*arguments, None, learner(tree_labels))
        if backward:
            output.sum().backward()
    # Scores of a tile: 128 queries on 144 keys.
    assert largest.elements <= heads * 128 * 144 < heads * sections**2 / 4
