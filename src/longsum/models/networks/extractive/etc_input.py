"""What ETC reads: sentences end to end as the long input, and one global token for each."""

from dataclasses import dataclass

import torch
from torch import Tensor

from longsum.models.attention.global_local.inputs import Structure


@dataclass(frozen=True, slots=True)
class EtcInput:
    """A batch of long inputs and their global inputs; n long tokens, g global tokens at most.

    Attributes:
        tokens: `[b, n]`, padded on the right with 0.
        sentences: `[b, n]`, which global token stands for the sentence of each token; −1 where
            padded.
        rows: `[b, g]`, the text that each global token stands for; −1 where padded, on the right.
        starts: `[b, g]`, where each text begins in `tokens`.
        lengths: `[b, g]`, tokens of each text; 0 where padded.
        summary: Boolean `[b, g]`, True for texts of the partial summary.
    """

    tokens: Tensor
    sentences: Tensor
    rows: Tensor
    starts: Tensor
    lengths: Tensor
    summary: Tensor

    @property
    def structure(self) -> Structure:
        """How the two inputs are linked, and what of them is padding."""
        return Structure(self.sentences, self.sentences >= 0, self.rows >= 0)


def lay_out(
    texts: Tensor, lengths: Tensor, rows: Tensor, summary: Tensor | None = None
) -> EtcInput:
    """Lay texts end to end.

    Args:
        texts: `[m, t]`, tokens of the texts, padded on the right.
        lengths: `[m]`, tokens of each.
        rows: `[b, u]`, which texts each input consists of, in order; −1 where none, anywhere.
        summary: Boolean `[b, u]`, True for texts of the partial summary; by default none is.
    """
    if summary is None:
        summary = torch.zeros_like(rows, dtype=torch.bool)
    order = (rows < 0).int().argsort(dim=1, stable=True)
    widest = max(int((rows >= 0).sum(dim=1).amax()), 1)
    rows, summary = (part.gather(1, order)[:, :widest] for part in (rows, summary))
    taken = lengths[rows.clamp_min(0)].masked_fill(rows < 0, 0)
    ends = taken.cumsum(dim=1)
    starts = ends - taken
    longest = max(int(ends[:, -1].amax()), 1)
    places = torch.arange(longest, device=rows.device).expand(len(rows), -1).contiguous()
    real = places < ends[:, -1:]
    # Padding, of no length, is never found: several ends are alike, and the last of them counts.
    sentences = torch.searchsorted(ends, places, right=True).clamp_max(widest - 1)
    within = (places - starts.gather(1, sentences)).clamp_max(texts.shape[1] - 1)
    tokens = texts[rows.gather(1, sentences).clamp_min(0), within]
    return EtcInput(
        tokens.masked_fill(~real, 0),
        sentences.masked_fill(~real, -1),
        rows,
        starts,
        taken,
        summary,
    )


def keep_fitting_prefix(rows: Tensor, lengths: Tensor, tokens: int, sentences: int) -> Tensor:
    """Keep the longest prefix of whole texts that fits the input.

    Args:
        rows: `[…, u]`, which texts; −1 where none.
        lengths: `[m]`, tokens of each text.
        tokens: How many tokens fit.
        sentences: How many texts fit.

    Returns:
        The rows, −1 for those that do not fit.
    """
    real = rows >= 0
    reach = lengths[rows.clamp_min(0)].masked_fill(~real, 0).cumsum(dim=-1)
    return rows.masked_fill((reach > tokens) | (real.cumsum(dim=-1) > sentences), -1)
