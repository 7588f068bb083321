"""The fast execution on CUDA: fixed patterns by PyTorch's FlexAttention (Dong et al. 2024).

A kernel made from the pattern's own definition goes through the blocks of 128 × 128 scores that
contain a visible pair, and evaluates the definition only if a block is not entirely visible.
"""

import os
import shutil
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import torch
from torch import Tensor
from torch.nn.attention import flex_attention as flex
from torch.nn.attention.flex_attention import BlockMask

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.bias import ScoreBias
from longsum.models.attention.biases.section_pairs import SectionPairs
from longsum.models.attention.patterns import Grid, Pattern
from longsum.models.attention.softmax import real_lengths

MaskMod = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]
ScoreMod = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]

# The default of FlexAttention.
_BLOCK = 128
# A single block would be compiled separately: a dimension of size 1 is never dynamic.
_FEWEST_BLOCKS = 2
# FlexAttention supports no smaller head.
_SMALLEST_HEAD = 16
_SECTIONS = 64
_PAIRS_AT_ONCE = 1 << 25
# More than BART-large has layers.
_MASKS = 16
_DTYPES = (torch.float32, torch.bfloat16, torch.float16)
# Patterns, types, and with and without gradients are compiled separately; lengths are not.
_MAX_COMPILATIONS = 256


def flex_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    pattern: Pattern,
    real: Tensor | None = None,
    bias: ScoreBias | None = None,
) -> Tensor:
    """Self-attention under a pattern; equal to `reference_attention`, which see for arguments.

    It is compiled once for a pattern, type and number of heads, whatever the batch's lengths; a
    batch of one row is compiled separately.

    Queries, keys and values are fp32, bf16 or fp16, and padding is only on the right.

    Raises:
        LongsumError: The inputs have another type, padding lies elsewhere than on the right,
            gradients are needed on a CPU, or there is no compiler.
    """
    _check_inputs(query, key, value, *([] if bias is None else [bias.learned]))
    attend = _compiled(query.device.type)
    batch, heads, tokens, size = query.shape
    padded = max(-(-tokens // _BLOCK), _FEWEST_BLOCKS) * _BLOCK
    lengths = _lengths(real, batch, tokens)
    mask = block_mask(pattern, padded, heads, lengths, query.device)
    score_mod: ScoreMod | None = None
    if bias is not None:
        score_mod = _score_mod(bias.filled(padded), torch.tensor(lengths, device=query.device))
    if size < _SMALLEST_HEAD:
        # The default scale would be that of the padded head.
        query = query * (_SMALLEST_HEAD / size) ** 0.5
    filling = (0, max(_SMALLEST_HEAD - size, 0), 0, padded - tokens)
    # A single layout of the inputs, padded or not, needs a single compilation.
    filled = [
        (torch.nn.functional.pad(tensor, filling) if any(filling) else tensor).contiguous()
        for tensor in (query, key, value)
    ]
    with torch._dynamo.config.patch(recompile_limit=_MAX_COMPILATIONS):
        output: Tensor = attend(*_dynamic(filled, (0, 2)), _tables(mask), mask.mask_mod, score_mod)
    return output[:, :, :tokens, :size]


@lru_cache(maxsize=_MASKS)
def block_mask(
    pattern: Pattern, tokens: int, heads: int, lengths: tuple[int, ...], device: torch.device
) -> BlockMask:
    """Return which blocks of scores contain a visible pair, and which contain nothing else.

    The layers of a model need the same masks one after the other, a few of them or, if each draws
    its own blocks, one each: so the last ones are kept, in training until the backward pass.

    Args:
        pattern: Which key each query may see.
        tokens: Length of the padded sequence, a multiple of 128.
        heads: Number of heads.
        lengths: Real tokens of each row.
        device: Where the mask is needed.

    Returns:
        A mask of `[b, h or 1, tokens, tokens]`, as tables of blocks.
    """
    # A mask that was made in inference mode could not serve training later.
    with torch.inference_mode(False), torch.no_grad():
        distinct = sorted(set(lengths))
        some, every = _visible_blocks(
            pattern.on(device), tokens, heads, torch.tensor(distinct, device=device)
        )
        rows = [distinct.index(length) for length in lengths]
        partial, whole = (some & ~every)[rows], every[rows]
        return BlockMask.from_kv_blocks(
            *_listed(partial),
            *_listed(whole),
            BLOCK_SIZE=_BLOCK,
            mask_mod=_mask_mod(pattern.on(device), torch.tensor(lengths, device=device)),
            seq_lengths=(tokens, tokens),
        )


def _mask_mod(pattern: Pattern, lengths: Tensor) -> MaskMod:
    """Return the pattern's definition for one pair, in the form that FlexAttention needs."""
    _dynamic([lengths], (0,))

    def mask_mod(row: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        length = lengths[row]
        return pattern.visible(Grid(query, key, head, length, row)) & (key < length)

    return mask_mod


def _score_mod(bias: ScoreBias, lengths: Tensor) -> ScoreMod:
    """Return the bias of the score of one pair, in the form that FlexAttention needs."""
    value: Callable[[Grid, Tensor], Tensor] = bias.value
    learned = bias.learned
    _dynamic([lengths], (0,))
    if isinstance(bias, SectionPairs):
        value, learned = _of_sections(bias)

    def score_mod(score: Tensor, row: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return score + value(Grid(query, key, head, lengths[row], row), learned)

    return score_mod


def _of_sections(bias: SectionPairs) -> tuple[Callable[[Grid, Tensor], Tensor], Tensor]:
    """Return how a bias of sections is looked up, and in which table: a number per pair and head.

    If it were looked up in the table of labels, the gradients of all pairs would be added to its
    few rows, where a GPU's threads wait for each other. The first section is for tokens in none.
    """
    # There are many dynamic sizes already: with two more, PyTorch 2.13 writes C++ that does not
    # compile. Rounded up they are few, and each is compiled once.
    matrix, section_of = bias.matrix(), bias.section_of + 1
    filling = (1, -(matrix.shape[-1] + 1) % _SECTIONS)
    matrix = torch.nn.functional.pad(matrix, filling * 2)
    _dynamic([matrix], (0,))
    _dynamic([section_of], (0, 1))

    def value(grid: Grid, learned: Tensor) -> Tensor:
        query, key = section_of[grid.row, grid.query], section_of[grid.row, grid.key]
        values: Tensor = learned[grid.row, grid.head, query, key]
        return values

    return value, matrix


def _visible_blocks(
    pattern: Pattern, tokens: int, heads: int, lengths: Tensor
) -> tuple[Tensor, Tensor]:
    """Tell for each block whether it contains a visible pair, and whether all pairs are visible.

    The pairs are processed a few rows of blocks at a time.

    Returns:
        Two booleans `[b, h or 1, rows, columns]`; h only if heads differ.
    """
    keys, columns = torch.arange(tokens, device=lengths.device), tokens // _BLOCK
    at_once = max(_PAIRS_AT_ONCE // (len(lengths) * heads * _BLOCK * tokens), 1) * _BLOCK
    some, every = [], []
    for queries in torch.split(keys, at_once):
        grid = Grid.of(queries[:, None], keys, heads, lengths)
        shown = pattern.visible(grid) & (keys < grid.length)
        blocks = shown.view(*shown.shape[:2], -1, _BLOCK, columns, _BLOCK)
        some.append(blocks.any(dim=5).any(dim=3))
        every.append(blocks.all(dim=5).all(dim=3))
    return torch.cat(some, dim=2), torch.cat(every, dim=2)


def _listed(blocks: Tensor) -> tuple[Tensor, Tensor]:
    """Return how many blocks each row has, and their columns before all other columns."""
    columns = blocks.int().argsort(dim=-1, descending=True, stable=True)
    return blocks.sum(dim=-1, dtype=torch.int32), columns.int()


def _tables(mask: BlockMask) -> dict[str, Tensor]:
    """Return the tensors of a mask by name, whose lengths must stay dynamic."""
    tables: dict[str, Tensor] = {}
    for kind in ("kv", "full_kv", "q", "full_q"):
        for name, dimensions in ((f"{kind}_num_blocks", (0, 2)), (f"{kind}_indices", (0, 2, 3))):
            (tables[name],) = _dynamic([getattr(mask, name)], dimensions)
    return tables


def _attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    tables: dict[str, Tensor],
    mask_mod: MaskMod,
    score_mod: ScoreMod | None,
) -> Tensor:
    """Attend under a mask that is assembled here, so that its length is that of the queries."""
    tokens = query.shape[2]
    # Whole blocks need no test of where the sequence ends.
    for tensor in (query, key, value):
        whole = tensor.shape[2] == tokens and tokens % _BLOCK == 0
        torch._check(whole)  # type: ignore[no-untyped-call]
    sizes = {"seq_lengths": (tokens, tokens), "BLOCK_SIZE": (_BLOCK, _BLOCK)}
    mask = BlockMask(**tables, **sizes, mask_mod=mask_mod)  # type: ignore[arg-type]
    output: Tensor = flex.flex_attention(query, key, value, score_mod, mask)
    return output


@lru_cache(maxsize=2)
def _compiled(device: str) -> Callable[..., Tensor]:
    """Return the compiled attention of a kind of device.

    Without compilation PyTorch computes all scores, and only warns about it.
    """
    variable, names = (
        ("CXX", ("g++", "clang++", "c++")) if device == "cpu" else ("CC", ("gcc", "clang", "cc"))
    )
    if device == "cuda" and find_spec("triton") is None:
        raise LongsumError(
            "FlexAttention on CUDA needs Triton; install it, or choose execution='tiled'."
        )
    if not any(map(shutil.which, (os.environ.get(variable, names[0]), *names))):
        raise LongsumError(
            f"FlexAttention needs a compiler, such as {names[0]}, and none is found; install one, "
            "or choose execution='tiled'."
        )
    # Not dynamic as a whole, which would turn a pattern's sizes into variables too.
    compiled: Callable[..., Tensor] = torch.compile(_attend, dynamic=False, fullgraph=True)
    return compiled


def _dynamic(tensors: Any, dimensions: tuple[int, ...]) -> Any:
    """Mark dimensions that must stay dynamic; return the tensors."""
    for tensor in tensors:
        for dimension in dimensions:
            torch._dynamo.maybe_mark_dynamic(tensor, dimension)
    return tensors


def _lengths(real: Tensor | None, batch: int, tokens: int) -> tuple[int, ...]:
    """Return the number of real tokens of each row."""
    if real is None:
        return (tokens,) * batch
    ends = real_lengths(real, batch, tokens, real.device)
    lengths, numbers = torch.stack([ends, real.sum(dim=1)]).tolist()
    if lengths != numbers:
        raise LongsumError(
            "FlexAttention takes rows whose padding lies on the right alone; move each row's real "
            "tokens to its start, or choose execution='tiled'."
        )
    return tuple(lengths)


def _check_inputs(query: Tensor, *others: Tensor) -> None:
    """Check that FlexAttention supports the inputs on their device."""
    if query.device.type not in ("cpu", "cuda"):
        raise LongsumError(
            f"FlexAttention here runs on CUDA and CPU, not on {query.device.type}; "
            "choose execution='tiled'."
        )
    if query.dtype not in _DTYPES:
        raise LongsumError(
            f"FlexAttention takes fp32, bf16 or fp16, not {query.dtype}; convert the model, or "
            "choose execution='tiled'."
        )
    learning = any(tensor.requires_grad for tensor in (query, *others))
    if query.device.type == "cpu" and learning and torch.is_grad_enabled():
        raise LongsumError(
            "FlexAttention has no gradients on a CPU; choose execution='tiled' to train there."
        )
