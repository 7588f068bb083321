"""The losses of the pointer-generator network (See et al. 2017, §2.2 and §2.3)."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

IGNORED = -100
"""The label of padding, as elsewhere in `transformers`."""


def written_log_probability(
    states: Tensor, vocabulary: nn.Module, words: int, labels: Tensor
) -> Tensor:
    """Return the log-probability of each target word by the vocabulary alone.

    The vocabulary is scored only where it has the word, for that costs most.

    Args:
        states: What it is scored by, `[b, t, H]`.
        vocabulary: From a state to the scores of V words.
        words: V.
        labels: Extended ids of the targets, or `IGNORED`, `[b, t]`.

    Returns:
        `[b, t]`, in fp32; −∞ where the vocabulary has no such word.
    """
    known = (labels >= 0) & (labels < words)
    scores = vocabulary(states[known]).float()
    found = -F.cross_entropy(scores, labels[known], reduction="none")
    nothing = torch.full(labels.shape, -torch.inf, device=labels.device)
    return nothing.masked_scatter(known, found)


def target_log_probability(
    written: Tensor, attention: Tensor, generate: Tensor, extended_ids: Tensor, labels: Tensor
) -> Tensor:
    """Return the log-probability of each target word (Eq. 9), without the whole distribution.

    Args:
        written: What `written_log_probability` returns, `[b, t]`.
        attention: a^t, `[b, t, n]`.
        generate: Logit of p_gen, `[b, t]`.
        extended_ids: Extended ids of the sources, `[b, n]`.
        labels: Extended ids of the targets, or `IGNORED`, `[b, t]`.

    Returns:
        `[b, t]`, in fp32; what stands at ignored places has no meaning.
    """
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
