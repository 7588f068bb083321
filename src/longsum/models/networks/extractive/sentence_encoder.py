"""The sentence encoder: each sentence read by itself, and one vector for it (Stepwise, §4)."""

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import SentenceEncoderConfig
from longsum.models.networks.extractive.extractor_layers import Layer


class TokenEmbedding(nn.Module):
    """Tokens and their positions in the sentence, normalised, as in BERT and RoBERTa."""

    def __init__(self, config: SentenceEncoderConfig) -> None:
        super().__init__()
        self.offset = config.position_offset
        self.dropout = config.dropout
        self.tokens = nn.Embedding(config.vocabulary, config.size)
        self.positions = nn.Embedding(config.positions + self.offset, config.size)
        self.types = nn.Embedding(config.token_types, config.size)
        self.norm = nn.LayerNorm(config.size, eps=config.norm_epsilon)

    def forward(self, tokens: Tensor) -> Tensor:
        """Embed `[m, t]` as `[m, t, D]`; see `place`."""
        return self.place(self.tokens(tokens))

    def place(self, vectors: Tensor) -> Tensor:
        """Add what stands for positions to the vectors of tokens, `[m, t, D]`.

        Raises:
            LongsumError: There are more tokens than positions.
        """
        count, available = vectors.shape[1], self.positions.num_embeddings - self.offset
        if count > available:
            raise LongsumError(
                f"A text of {count:,} tokens does not fit the model's {available:,} positions; cut "
                "the sentences shorter."
            )
        places = torch.arange(self.offset, self.offset + count, device=vectors.device)
        first = places.new_zeros(())
        embedded = self.norm(vectors + self.positions(places) + self.types(first))
        return dropout(embedded, self.dropout, self.training)


class SentenceEncoder(nn.Module):
    """A BERT-shaped encoder, and the first state or the mean of all as a sentence's vector."""

    def __init__(self, config: SentenceEncoderConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = TokenEmbedding(config)
        self.layers = nn.ModuleList(
            Layer(
                config.size,
                config.heads,
                config.feed_forward,
                config.dropout,
                config.norm_epsilon,
            )
            for _ in range(config.layers)
        )

    def states(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Return the states of all tokens, `[m, t, D]`; for the arguments see `forward`."""
        real = torch.arange(tokens.shape[1], device=tokens.device) < lengths[:, None]
        return self.transform(self.embedding(tokens), real)

    def transform(self, states: Tensor, real: Tensor) -> Tensor:
        """Pass embedded tokens `[m, t, D]`, of which `real`, `[m, t]`, are none of the padding."""
        for layer in self.layers:
            states = layer(states, real[:, None, None, :])
        return states

    def forward(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Encode sentences.

        Args:
            tokens: `[m, t]`, padded on the right.
            lengths: `[m]`, tokens of each, at least 1.

        Returns:
            `[m, D]`.
        """
        states = self.states(tokens, lengths)
        if self.config.representation == "first":
            return states[:, 0]
        real = torch.arange(tokens.shape[1], device=tokens.device) < lengths[:, None]
        return (states * real[..., None]).sum(1) / lengths[:, None]


def tokens_at_once(device: torch.device) -> int:
    """Return how many tokens, padding included, to encode at once.

    On a CPU few enough to keep states in its cache (in one run 1,024 took 0.6 of the time of
    8,192), on a GPU enough to keep it busy.
    """
    return 65_536 if device.type == "cuda" else 1024


def encode_sorted(
    encoder: SentenceEncoder, tokens: Tensor, lengths: Tensor, at_once: int | None = None
) -> Tensor:
    """Encode sentences in groups of like length, so that little is padding.

    Args:
        encoder: The encoder.
        tokens: `[m, t]`, padded on the right.
        lengths: `[m]`, tokens of each.
        at_once: Tokens of a group; by default what suits the device.

    Returns:
        `[m, D]`, in the order given.
    """
    budget = tokens_at_once(tokens.device) if at_once is None else at_once
    order = lengths.argsort(stable=True)
    sizes = lengths[order].tolist()
    groups: list[Tensor] = []
    start = 0
    while start < len(sizes):
        stop = start + 1
        while stop < len(sizes) and (stop + 1 - start) * sizes[stop] <= budget:
            stop += 1
        rows = order[start:stop]
        groups.append(encoder(tokens[rows, : sizes[stop - 1]], lengths[rows]))
        start = stop
    return torch.cat(groups)[order.argsort()]
