"""The losses of the pointer-generator network (See et al. 2017, §2.2 and §2.3)."""

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

IGNORED = -100
"""The label of padding, as elsewhere in `transformers`."""


def target_log_probability(
    logits: Tensor, attention: Tensor, generate: Tensor, extended_ids: Tensor, labels: Tensor
) -> Tensor:
    """Return the log-probability of each target word (Eq. 9), without the whole distribution.

    Args:
        logits: Scores of the vocabulary, `[b, t, V]`.
        attention: a^t, `[b, t, n]`.
        generate: Logit of p_gen, `[b, t]`.
        extended_ids: Extended ids of the sources, `[b, n]`.
        labels: Extended ids of the targets, or `IGNORED`, `[b, t]`.

    Returns:
        `[b, t]`, in fp32; what stands at ignored places has no meaning.
    """
    known = (labels >= 0) & (labels < logits.shape[-1])
    picked = labels.masked_fill(~known, 0)
    written = -F.cross_entropy(logits.float().flatten(0, 1), picked.flatten(), reduction="none")
    written = written.view_as(labels).masked_fill(~known, -torch.inf)
    stands = extended_ids[:, None] == labels[..., None]
    copied = (attention * stands).sum(dim=-1).clamp_min(torch.finfo(torch.float32).tiny).log()
    generate = generate.float()
    return torch.logaddexp(F.logsigmoid(generate) + written, F.logsigmoid(-generate) + copied)


def mean_by_target(values: Tensor, counted: Tensor) -> Tensor:
    """Return the mean over targets of the mean over each one's words, as the official code has it.

    Args:
        values: `[b, t]`.
        counted: Which words count, `[b, t]`; one of each target at least.
    """
    sums = values.masked_fill(~counted, 0.0).sum(dim=1)
    return (sums / counted.sum(dim=1)).mean()
