"""Scores of the entries of a table that may follow a plan, by their kinds and entities."""

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding, pad

from longsum.common.errors import LongsumError

KIND, OWNER, GROUP = 0, 3, 4
"""Columns of `Units.places` of entries: their kind, their entity (0 for none), and its group."""

_RELATIONS = 4
_LOOKED_BACK = 2
_TIMES = 6
_LENGTHS = 16
_SENTENCES = 32
# How many times more a step of the optimizer changes a score than a weight of the network.
_REACH = 8.0


class Following(nn.Module):
    """Learned scores of the next entry, in addition to those of the network.

    In Stepwise (§4), the network has to infer from the words of entries which of them are about the
    same player. That takes many plans to learn, so an entry gets a score here for each of the
    following: its kind after the kind of the latest choice, and of the one before it, depending on
    whether both belong to one entity, one group or two; how often its entity, and the entry itself,
    were chosen; and the numbers of choices in the sentence and of sentences in the plan. Unit 0 is
    the break between sentences, of kind 0.

    Args:
        kinds: Number of kinds; the last is that of the beginning and the end of the plan.

    Raises:
        LongsumError: There are fewer than two kinds.
    """

    def __init__(self, kinds: int) -> None:
        super().__init__()
        if kinds < 2:
            raise LongsumError(f"There cannot be {kinds} kinds of entries; give 0, or at least 2.")
        self.kinds = kinds
        self.after = nn.Parameter(torch.zeros(_LOOKED_BACK, _RELATIONS, kinds, kinds))
        self.entity_times = nn.Parameter(torch.zeros(_TIMES, kinds))
        self.own_times = nn.Parameter(torch.zeros(_TIMES, kinds))
        self.length = nn.Parameter(torch.zeros(_LENGTHS, kinds))
        self.sentences = nn.Parameter(torch.zeros(_SENTENCES, kinds))

    def forward(self, places: Tensor, plans: Tensor) -> Tensor:
        """Return the scores of all units, `[b, k, n + 1]`, the end last; padding is arbitrary.

        For the places, `[b, n, F]`, see `Units.places`; for the plans, `[b, k, m]`,
        `ExtractiveModel.logits`.
        """
        plans = pad(plans, (0, 1), value=-1)
        kind = pad(places[..., KIND], (0, 1), value=self.kinds - 1)[:, None]
        owner, group = (pad(places[..., column], (0, 1))[:, None] for column in (OWNER, GROUP))
        real = plans >= 0
        lengths = real.sum(-1)
        chosen = plans.clamp_min(0)
        scores = torch.zeros((), device=plans.device)
        for back in range(_LOOKED_BACK):
            place = (lengths - 1 - back)[..., None]
            unit = chosen.gather(2, place.clamp_min(0))
            before = _of(kind, unit).masked_fill(place < 0, self.kinds - 1)
            about = _of(owner, unit).masked_fill(place < 0, 0)
            relation = _relation(about, _of(group, unit), owner, group)
            scores = scores + self._row(self.after[back], relation * self.kinds + before, kind)
        times = _times(_of(owner, chosen), owner, real)
        scores = scores + self._row(self.entity_times, _few(times) * (owner > 0), kind)
        chosen_times = torch.zeros_like(kind.expand(-1, plans.shape[1], -1))
        chosen_times = chosen_times.scatter_add(2, chosen, real.long())
        scores = scores + self._row(self.own_times, _few(chosen_times), kind)
        breaks = (chosen == 0) & real
        order = torch.arange(1, plans.shape[2] + 1, device=plans.device)
        length = (lengths - (order * breaks).amax(-1)).clamp_max(_LENGTHS - 1)
        scores = scores + self._row(self.length, length[..., None], kind)
        count = breaks.sum(-1).clamp_max(_SENTENCES - 1)
        return _REACH * (scores + self._row(self.sentences, count[..., None], kind))

    def _row(self, table: Tensor, rows: Tensor, kind: Tensor) -> Tensor:
        """Return scores of a table `[…, kinds]`, by rows `[b, k, n or 1]` and kinds `[b, 1, n]`."""
        return embedding(rows * self.kinds + kind, table.reshape(-1, 1)).squeeze(-1)


def _of(values: Tensor, units: Tensor) -> Tensor:
    """Return the values `[b, 1, n]` of units `[b, k, m]`."""
    return values.expand(-1, units.shape[1], -1).gather(2, units)


def _relation(owner: Tensor, group: Tensor, owners: Tensor, groups: Tensor) -> Tensor:
    """Return how two entries are related: no entity, one entity, one group, or two groups."""
    unrelated = torch.where(group == groups, 2, 3)
    related = torch.where(owner == owners, 1, unrelated)
    return related * (owner > 0) * (owners > 0)


def _times(chosen: Tensor, owners: Tensor, real: Tensor) -> Tensor:
    """Return the number of chosen units `[b, k, m]` of the entity of each unit, `[b, k, n]`."""
    widest = int(owners.max()) + 1
    counts = chosen.new_zeros(*chosen.shape[:2], widest).scatter_add(2, chosen, real.long())
    return counts.gather(2, owners.expand(-1, chosen.shape[1], -1))


def _few(times: Tensor) -> Tensor:
    """Map counts to rows of a table: one each up to three, then four or five, then more."""
    many = torch.where(times < 4, times, torch.where(times < 6, 4, 5))
    return many.long()
