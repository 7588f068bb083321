"""The extractor of relations as a Hugging Face model (Wiseman et al. 2017, §4 and its code)."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from transformers import initialization as init
from transformers.utils.generic import ModelOutput

from longsum.models.networks.base import LongsumModel, register
from longsum.models.networks.words.vocabulary import PAD
from longsum.tables.relations.configuration_relations import LongsumRelationsConfig


@dataclass
class RelationsOutput(ModelOutput):
    """What the networks return.

    Attributes:
        loss: The mean over networks and candidates of −log Σ p(l) over the right labels l.
        scores: The sum of the networks' distributions over the labels, `[b, L]`.
    """

    loss: Tensor | None = None
    scores: Tensor | None = None


class WordsAndPlaces(nn.Module):
    """Embeds words, their distances to the name, and those to the number."""

    def __init__(self, config: LongsumRelationsConfig) -> None:
        super().__init__()
        self.furthest = config.furthest
        self.words = nn.Embedding(config.vocab_size, config.word_size, PAD)
        # A row for each distance from −furthest to furthest.
        self.name = nn.Embedding(2 * config.furthest + 1, config.distance_size)
        self.number = nn.Embedding(2 * config.furthest + 1, config.distance_size)
        self.size = config.word_size + 2 * config.distance_size

    def forward(self, input_ids: Tensor, name: Tensor, number: Tensor) -> Tensor:
        """Embed `[b, n]` as `[b, n, size]`; padding is all zeros.

        Args:
            input_ids: Words, padded on the right.
            name: First word of the name, and the one after its last, `[b, 2]`.
            number: The same of the number.
        """
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        parts = [self.words(input_ids)]
        for table, span in ((self.name, name), (self.number, number)):
            distance = distances(places, span).clamp(-self.furthest, self.furthest)
            parts.append(table(distance + self.furthest))
        return torch.cat(parts, dim=-1) * (input_ids != PAD)[..., None]


def distances(places: Tensor, span: Tensor) -> Tensor:
    """Return how far words are from spans, `[b, n]`: negative before, 0 within, positive after.

    The places are `[n]`; a span is its first word and the one after its last, `[b, 2]`.
    """
    before = (places - span[:, :1]).clamp(max=0)
    behind = (places - span[:, 1:] + 1).clamp(min=0)
    return before + behind


class ConvolutionalRelations(nn.Module):
    """Convolutions of several widths, the maximum of each filter, and a hidden layer."""

    def __init__(self, config: LongsumRelationsConfig) -> None:
        super().__init__()
        self.embed = WordsAndPlaces(config)
        self.kernels = config.kernels
        self.convolutions = nn.ModuleList(
            nn.Conv1d(self.embed.size, config.filters, width, padding=width - 1)
            for width in config.kernels
        )
        self.hidden = nn.Linear(config.filters * len(config.kernels), config.convolutional_units)
        self.labels = nn.Linear(config.convolutional_units, len(config.labels))
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, input_ids: Tensor, name: Tensor, number: Tensor) -> Tensor:
        """Return the logits of the labels, `[b, L]`; arguments as of `WordsAndPlaces.forward`."""
        embedded = self.embed(input_ids, name, number).transpose(1, 2)
        # Padding must not decide a maximum: only positions that see a word count.
        words = (input_ids != PAD).sum(dim=1)
        found = []
        for width, convolution in zip(self.kernels, self.convolutions, strict=True):
            features = convolution(embedded).relu()
            seen = words[:, None] + width - 1
            places = torch.arange(features.shape[-1], device=words.device)
            found.append(features.masked_fill((places >= seen)[:, None], 0).amax(dim=-1))
        hidden = self.hidden(self.dropout(torch.cat(found, dim=-1))).relu()
        logits: Tensor = self.labels(self.dropout(hidden))
        return logits


class RecurrentRelations(nn.Module):
    """A bidirectional LSTM, the maximum of each feature, and a hidden layer."""

    def __init__(self, config: LongsumRelationsConfig) -> None:
        super().__init__()
        self.embed = WordsAndPlaces(config)
        size = self.embed.size
        self.lstm = nn.LSTM(size, size, batch_first=True, bidirectional=True)
        self.hidden = nn.Linear(2 * size, config.recurrent_units)
        self.labels = nn.Linear(config.recurrent_units, len(config.labels))
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, input_ids: Tensor, name: Tensor, number: Tensor) -> Tensor:
        """Return the logits of the labels, `[b, L]`; arguments as of `WordsAndPlaces.forward`."""
        real = input_ids != PAD
        packed = nn.utils.rnn.pack_padded_sequence(
            self.embed(input_ids, name, number),
            real.sum(dim=1).cpu(),
            batch_first=True,
            enforce_sorted=False,
        )
        states, _ = nn.utils.rnn.pad_packed_sequence(
            self.lstm(packed)[0], batch_first=True, total_length=input_ids.shape[1]
        )
        largest = states.masked_fill(~real[..., None], -torch.inf).amax(dim=1)
        logits: Tensor = self.labels(self.dropout(self.hidden(largest).relu()))
        return logits


class LongsumRelations(LongsumModel):
    """An ensemble of networks, each of which decides how a name and a number are related.

    They share nothing, so training them together equals training them separately.
    """

    config: LongsumRelationsConfig
    config_class = LongsumRelationsConfig
    base_model_prefix = "relations"

    def __init__(self, config: LongsumRelationsConfig) -> None:
        super().__init__(config)
        self.networks = nn.ModuleList(
            [
                *(ConvolutionalRelations(config) for _ in range(config.convolutional)),
                *(RecurrentRelations(config) for _ in range(config.recurrent)),
            ]
        )
        self.post_init()

    def _init_weights(self, module: nn.Module) -> None:
        for weight in module.parameters(recurse=False):
            init.uniform_(weight, -self.config.uniform, self.config.uniform)

    def forward(
        self,
        input_ids: Tensor,
        name: Tensor,
        number: Tensor,
        labels: Tensor | None = None,
    ) -> RelationsOutput:
        """Score the labels of candidates, and compute the loss if the right ones are given.

        Args:
            input_ids: Words of their sentences, padded on the right, `[b, n]`.
            name: First word of the name, and the one after its last, `[b, 2]`.
            number: The same of the number.
            labels: Whether each label is right, `[b, L]`; of each candidate at least one.
        """
        logs = torch.stack(
            [network(input_ids, name, number).log_softmax(dim=-1) for network in self.networks]
        )
        loss = None if labels is None else marginal_loss(logs, labels)
        return RelationsOutput(loss=loss, scores=logs.exp().sum(dim=0))


def marginal_loss(logs: Tensor, labels: Tensor) -> Tensor:
    """Return the mean negative log-probability of any right label being chosen.

    Args:
        logs: Log-probabilities of the labels, `[…, L]`.
        labels: Whether each is right, `[…, L]`; at least one per row.
    """
    return -logs.masked_fill(~labels.bool(), -torch.inf).logsumexp(dim=-1).mean()


register(LongsumRelations)
