"""Sinkhorn: each block attends to itself and to a block that it is sorted to (Tay et al. 2020)."""

from typing import Literal, NamedTuple, get_args

import torch
from torch import Tensor, nn
from torch.compiler import is_compiling
from torch.nn.functional import pad, scaled_dot_product_attention

from longsum.common.errors import LongsumError
from longsum.models.attention.backends.reference import dense_attention
from longsum.models.attention.biases.section_cross_bias import section_biased_attention
from longsum.models.attention.biases.section_pairs import SectionPairs, by_sections
from longsum.models.attention.encoder_attention import EncoderAttention, Execution, Inputs
from longsum.models.attention.patterns import dense_grid
from longsum.models.attention.softmax import at_least_float32

Sorting = Literal["free", "learned"]

_ITERATIONS = 7
_NEVER = -1e9
_STATES = 2**20
"""Numbers of a sequence's states that are processed together; 4 MB in fp32."""


class Blocks(NamedTuple):
    """Tokens by blocks; states are zero where padded.

    Attributes:
        query: `[b, h, blocks, t, d]`.
        key: `[b, h, blocks, t, d]`.
        value: `[b, h, blocks, t, d]`.
        shown: Boolean `[b, 1, blocks, t]`, True for tokens.
    """

    query: Tensor
    key: Tensor
    value: Tensor
    shown: Tensor

    def of_heads(self, heads: slice) -> "Blocks":
        """Return the blocks of some heads."""
        query, key, value = (states[:, heads] for states in self[:3])
        return Blocks(query, key, value, self.shown)


class SinkhornAttention(EncoderAttention):
    """Local attention within a block, global attention to a sorted block: O(2nb) (HEPOS, §2.3).

    Blocks are sorted by a doubly stochastic matrix; the sorted block is the mixture of blocks that
    it gives. `free` sorting has no parameters (the released code: scores of blocks are products of
    their mean queries and keys); `learned` sorting scores blocks by a linear map of their mean key,
    a row for each block of the longest source, as the paper's "learned Sinkhorn sorting network".
    The released code adds Gumbel noise in evaluation too; there is none here.

    Blocks of padding alone take no part, so padding changes nothing.

    Args:
        heads: Number of heads.
        head_dim: Size of a head.
        tokens: The longest source.
        block: Tokens of a block, the paper's b_s.
        sorting: `free` or `learned`.
        temperature: Divides the scores of blocks.
        execution: `fast` or `reference`.

    Raises:
        LongsumError: The block is not positive, or the sorting is unknown.
    """

    def __init__(
        self,
        heads: int,
        head_dim: int,
        tokens: int,
        block: int = 128,
        sorting: Sorting = "free",
        temperature: float = 0.7,
        execution: Execution = "fast",
    ) -> None:
        super().__init__()
        if block < 1 or sorting not in get_args(Sorting):
            raise LongsumError(
                f"Sinkhorn got a block of {block} and sorting {sorting!r}; give a block of at "
                "least 1, and free or learned sorting."
            )
        self.tokens = tokens
        self.block = block
        self.temperature = temperature
        self.execution = execution
        self.sorter: nn.Parameter | None = None
        if sorting == "learned":
            self.sorter = nn.Parameter(torch.empty(heads, head_dim, -(-tokens // block)))
            self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the sorting network's weights, if it has any."""
        if self.sorter is not None:
            nn.init.normal_(self.sorter, std=self.sorter.shape[1] ** -0.5)

    def attend(self, given: Inputs) -> Tensor:
        """Attend; see `EncoderAttention.attend`.

        A token of a sorted block, being a mixture of tokens, has the mixture of their biases.
        Biases have no part in the sorting.

        Raises:
            LongsumError: The bias is not one of sections, or a row is longer than the sorting
                network knows.
        """
        batch, heads, tokens, _ = given.query.shape
        blocks = self._blocks(given)
        order = self.sorting(blocks)
        pairs = None
        if given.bias is not None:
            pairs = by_sections(given.bias).filled(blocks.shown[0].numel())
        if self.execution == "reference":
            output = _one_by_one(blocks, order, pairs, given.dropout)
        else:
            output = _few_by_few(blocks, order, pairs, given.dropout)
        return output.reshape(batch, heads, -1, output.shape[-1])[:, :, :tokens]

    def _blocks(self, given: Inputs) -> Blocks:
        """Cut the tokens into blocks, the last of which is filled up."""
        batch, heads, tokens, _ = given.query.shape
        real, filling = given.real, -tokens % self.block
        if real is None:
            real = torch.ones(batch, tokens, dtype=torch.bool, device=given.query.device)
        shown = pad(real, (0, filling)).view(batch, 1, -1, self.block)
        query, key, value = (
            pad(tensor, (0, 0, 0, filling)).view(batch, heads, -1, self.block, tensor.shape[-1])
            for tensor in given[:3]
        )
        if is_compiling() or not bool(shown.all()):
            query, key, value = (
                tensor.masked_fill(~shown[..., None], 0.0) for tensor in (query, key, value)
            )
        return Blocks(query, key, value, shown)

    def sorting(self, given: Blocks) -> Tensor:
        """Return the sorting matrix, `[b, h, blocks, blocks]`; rows and columns sum to about 1."""
        query, key, _, shown = given
        precise = at_least_float32(query.dtype)
        count = shown.sum(dim=-1, keepdim=True).clamp(min=1)
        mean_key = key.sum(dim=3, dtype=precise) / count
        if self.sorter is None:
            mean_query = query.sum(dim=3, dtype=precise) / count
            scores = mean_query @ mean_key.transpose(-1, -2) * query.shape[-1] ** -0.5
            scores = scores.relu().clamp_min(1e-6).log()
        else:
            scores = (mean_key @ self._network(shown).to(precise)).transpose(-1, -2)
        real = shown.any(dim=-1)
        both = real[..., :, None] & real[..., None, :]
        # Not −∞, whose gradient in a sum of nothing is not defined; masked again at each step.
        scores = (scores / self.temperature).masked_fill(~both, _NEVER)
        for _ in range(_ITERATIONS):
            for dim in (3, 2):
                scores = scores - torch.logsumexp(scores, dim=dim, keepdim=True)
                scores = scores.masked_fill(~both, _NEVER)
        order: Tensor = scores.exp().masked_fill(~both, 0.0)
        return order

    def _network(self, shown: Tensor) -> Tensor:
        """Return the sorting network's weights for so many blocks, `[h, d, blocks]`.

        Blocks beyond those that it knows may be padding, which the sorting ignores.
        """
        assert self.sorter is not None
        beyond = shown.shape[2] - self.sorter.shape[2]
        if beyond <= 0:
            return self.sorter[..., : shown.shape[2]]
        if not is_compiling() and bool(shown[:, :, -beyond:].any()):
            longest = int(shown.flatten(1).sum(dim=1).amax())
            raise LongsumError(
                f"Learned Sinkhorn was made for {self.tokens} tokens and got {longest}; shorten "
                "the source, make it for more, or choose sorting 'free'."
            )
        return pad(self.sorter, (0, beyond))


def _few_by_few(blocks: Blocks, order: Tensor, bias: SectionPairs | None, dropout: float) -> Tensor:
    """Attend a few heads at a time, so that their joined states stay in the cache."""
    query = blocks.query
    sections = None if bias is None else _sections(bias, blocks.shown, query.dtype)
    heads = query.shape[1]
    few = heads if query.is_cuda else max(1, _STATES // query[0, 0].numel())
    outputs = []
    for first in range(0, heads, few):
        some = slice(first, first + few)
        sections_of_some = None if sections is None else (sections[0][:, some], sections[1])
        outputs.append(_attend(blocks.of_heads(some), order[:, some], sections_of_some, dropout))
    return torch.cat(outputs, dim=1)


def _attend(
    blocks: Blocks, order: Tensor, sections: tuple[Tensor, Tensor] | None, dropout: float
) -> Tensor:
    query, key, value, shown = blocks
    queries, keys, values = (
        tensor.flatten(1, 2) for tensor in (query, _joined(order, key), _joined(order, value))
    )
    mask: Tensor | None = None
    blind: Tensor | None = None
    if is_compiling() or not bool(shown.all()):
        visible = [_mixed_shown(order, shown), shown.expand(*query.shape[:4])]
        mask = torch.cat(visible, dim=3)
        blind = ~mask.any(dim=-1, keepdim=True)
        # A softmax needs a key: a block that has none sees what is hidden, and gets zeros.
        mask = (mask | blind)[..., None, :].flatten(1, 2)
    if sections is None:
        output = scaled_dot_product_attention(
            queries, keys, values, attn_mask=mask, dropout_p=dropout
        )
    else:
        biases, shares = sections
        shares = _joined(order, shares.expand(-1, query.shape[1], -1, -1, -1)).flatten(1, 2)
        rows = biases.flatten(1, 2)
        output = section_biased_attention(queries, keys, values, mask, rows, shares, dropout)
    output = output.view_as(query)
    return output if blind is None else output.masked_fill(blind[..., None], 0.0)


def _one_by_one(blocks: Blocks, order: Tensor, bias: SectionPairs | None, dropout: float) -> Tensor:
    """Return the same with each block written out: the definition."""
    query, key, value, shown = blocks
    output = torch.zeros_like(value)
    biases = _dense_biases(query, shown, bias)
    for b, h, u in torch.cartesian_prod(*map(torch.arange, order.shape[:3])).tolist():
        key_part, value_part, bias_part = (
            torch.tensordot(order[b, h, u].to(tensor.dtype), tensor[b, h], dims=1)
            for tensor in (key, value, biases[:, :, u])
        )
        best = int(order[b, h, u].argmax())
        output[b, h, u] = dense_attention(
            query[b, h, u],
            torch.cat([key_part, key[b, h, u]]),
            torch.cat([value_part, value[b, h, u]]),
            torch.cat([shown[b, 0, best], shown[b, 0, u]]),
            torch.cat([bias_part, biases[b, h, u, u]], dim=-1),
            dropout,
        )
    return output


def _joined(order: Tensor, blocks: Tensor) -> Tensor:
    """Return each sorted block followed by the block itself, `[b, h, blocks, 2t, …]`."""
    mixed = order.to(blocks.dtype) @ blocks.flatten(3)
    return torch.cat([mixed.view_as(blocks), blocks], dim=3)


def _sections(bias: SectionPairs, shown: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Return biases of sections and the sections of keys, `[b, h or 1, blocks, t, S]` each.

    Padding, whose keys are zeros, is in no section.
    """
    biases, shares = (
        rows.to(dtype).view(*rows.shape[:2], *shown.shape[2:], -1)
        for rows in (bias.rows(), bias.shares())
    )
    return biases, shares.masked_fill(~shown[..., None], 0.0)


def _dense_biases(query: Tensor, shown: Tensor, bias: SectionPairs | None) -> Tensor:
    """Return the biases of all pairs of blocks, `[b, h, blocks, blocks, t, t]`; 0 for padding."""
    batch, heads, blocks, size, _ = query.shape
    if bias is None:
        return query.new_zeros(batch, heads, blocks, blocks, size, size)
    grid = dense_grid(blocks * size, heads, shown.flatten(1).sum(dim=1))
    values = bias.value(grid, bias.learned).view(batch, heads, blocks, size, blocks, size)
    return values.transpose(3, 4).masked_fill(~shown[:, :, None, :, None], 0.0)


def _mixed_shown(order: Tensor, shown: Tensor) -> Tensor:
    """Return which places of each sorted block are real: those of the block that weighs most."""
    best = order.argmax(dim=-1)[..., None].expand(-1, -1, -1, shown.shape[-1])
    return shown.expand(-1, order.shape[1], -1, -1).gather(2, best)
