"""The cross-attention mass that each generated token puts on each source sentence.

The generated text is decoded once more, at once or in chunks, and the weights are summed by source
sentence as soon as they are computed, so that the weights of all layers never exist together.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput

from longsum.models.attention.cross import FoldedSource
from longsum.models.attention.linear_layers import split_heads
from longsum.models.networks.base import CACHE
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration
from longsum.models.networks.seq2seq.decoder_attention import CrossAttention

_MAX_WEIGHTS = 2**26
"""Maximum number of weights held at once for a model that returns those of all layers."""


def attention_mass(
    model: Any,
    encoded: Tensor,
    sequence: Tensor,
    sentence_of: NDArray[np.int32],
    sections: Mapping[str, Tensor] | None = None,
) -> NDArray[np.float64] | None:
    """Return the mean over heads and layers of the cross-attention to each source sentence.

    Attention to the states of whole sections (HierEnc) is not counted.

    Args:
        model: A Hugging Face encoder–decoder.
        encoded: Encoder states of one source, `[1, n, D]`, without padding.
        sequence: The generated tokens, including the start token, `[t + 1]`.
        sentence_of: Sentence of each source token, `[n]`, negative for tokens outside any sentence.
        sections: Section inputs of a model with section biases: `section_of`, `[1, n]`, and
            `section_parents`, `[1, S]`.

    Returns:
        `[t, sentences + 1]`: the attention distribution of each generated token over the source
        sentences; the last column is for tokens outside any sentence. None if the model returns no
        weights, or attends to mixtures of source tokens (Linformer).
    """
    columns = int(sentence_of.max(initial=-1)) + 2
    places = np.where(sentence_of < 0, columns - 1, sentence_of)
    sums = _Sums(torch.from_numpy(places.astype(np.int64)).to(encoded.device), columns)
    with torch.inference_mode():
        if isinstance(model, LongsumForConditionalGeneration):
            if any(layer.encoder_attn.mixtures is not None for layer in model.model.decoder.layers):
                return None
            _add_ours(model, encoded, sequence, sections or {}, sums)
        else:
            _add_others(model, encoded, sequence, sums)
    return sums.mean()


class _Sums:
    """Sums attention weights by source sentence."""

    def __init__(self, columns_of: Tensor, columns: int) -> None:
        self._columns_of = columns_of
        self._columns = columns
        self._rows: dict[int, Tensor] = {}
        self._heads: dict[int, int] = {}

    def add(self, weights: Tensor, first: int, places: Tensor | None = None) -> None:
        """Add weights `[heads, t, l]` of tokens from position `first` on.

        Args:
            weights: Weights of any number of heads that attend to the same source tokens.
            first: Position of the first token, which identifies the chunk.
            places: Source position of each of the l; by default all, in order.
        """
        columns_of = self._columns_of if places is None else self._columns_of[places]
        rows = weights.new_zeros(weights.shape[1], self._columns, dtype=torch.float64)
        rows.index_add_(1, columns_of, weights.sum(dim=0, dtype=torch.float64))
        self._rows[first] = self._rows[first] + rows if first in self._rows else rows
        self._heads[first] = self._heads.get(first, 0) + weights.shape[0]

    def mean(self) -> NDArray[np.float64] | None:
        """Return the mean over all heads, chunks concatenated, or None if nothing was added."""
        if not self._rows:
            return None
        means = [self._rows[first] / self._heads[first] for first in sorted(self._rows)]
        result: NDArray[np.float64] = torch.cat(means).cpu().numpy()
        return result


def _add_ours(
    model: LongsumForConditionalGeneration,
    encoded: Tensor,
    sequence: Tensor,
    sections: Mapping[str, Tensor],
    sums: _Sums,
) -> None:
    """Recompute the weights of each cross-attention from its inputs in a forward pre-hook."""

    def hook(attention: CrossAttention, inputs: tuple[Any, ...]) -> None:
        hidden, source, _, _, shares, bias = inputs
        _add_heads(attention, hidden, source, _bias_of_heads(bias, shares, attention.heads), sums)

    with ExitStack() as stack:
        for layer in model.model.decoder.layers:
            handle = layer.encoder_attn.register_forward_pre_hook(hook)
            stack.callback(handle.remove)
        model.model.decoder(
            input_ids=sequence[None, :-1],
            encoder_hidden_states=encoded,
            use_cache=False,
            **sections,
        )


def _bias_of_heads(
    bias: Tensor | None, shares: FoldedSource | None, heads: int
) -> list[Tensor | None]:
    """Return the section bias that each head adds to its scores, `[t, l]`."""
    if bias is None or shares is None:
        return [None] * heads
    groups = shares.hidden.shape[1]
    biases = bias[0].expand(heads, -1, -1)
    return [biases[head] @ shares.hidden[0, head % groups].T for head in range(heads)]


def _add_heads(
    attention: CrossAttention,
    hidden: Tensor,
    source: FoldedSource,
    biases: Sequence[Tensor | None],
    sums: _Sums,
) -> None:
    """Add the weights of one layer, head by head; head i attends to the keys of group i mod s."""
    heads = attention.heads
    key = source.project(attention.k_proj, heads)[0]
    # [1, t, D] → [h, t, d]
    query = split_heads(attention.queries(hidden), heads)[0]
    groups = source.places.shape[1]
    for head in range(heads):
        seen = source.seen[0, head % groups]
        if not bool(seen.any()):
            continue
        scores = (query[head] @ key[head].T).float() * query.shape[-1] ** -0.5
        if (bias := biases[head]) is not None:
            scores = scores + bias
        weights = scores.masked_fill(~seen, -torch.inf).softmax(dim=-1)
        sums.add(weights[None], 0, source.places[0, head % groups])


def _add_others(model: Any, encoded: Tensor, sequence: Tensor, sums: _Sums) -> None:
    """Decode in chunks with a cache, as many tokens at a time as `_MAX_WEIGHTS` allows."""
    config = model.config.get_text_config(decoder=True)
    heads = config.num_attention_heads * config.num_hidden_layers
    chunk = max(1, _MAX_WEIGHTS // (heads * encoded.shape[1]))
    cache = None
    with _returning_weights(model):
        for first in range(0, len(sequence) - 1, chunk):
            outputs = model(
                decoder_input_ids=sequence[None, first : min(first + chunk, len(sequence) - 1)],
                encoder_outputs=BaseModelOutput(last_hidden_state=encoded),
                **{CACHE: cache},
                use_cache=True,
                output_attentions=True,
            )
            cache = getattr(outputs, CACHE)
            for weights in outputs.cross_attentions or ():
                sums.add(weights[0].float(), first)


@contextmanager
def _returning_weights(model: Any) -> Iterator[None]:
    """Switch to the eager attention implementation, the only one that returns weights."""
    # Encoder and decoder may have their own configurations, which some releases do not update.
    parts = [part for part in model.modules() if isinstance(part, PreTrainedModel)]
    before = [part.config._attn_implementation for part in parts]
    for part in parts:
        part.set_attn_implementation("eager")
    try:
        yield
    finally:
        for part, implementation in zip(parts, before, strict=True):
            part.set_attn_implementation(implementation)
