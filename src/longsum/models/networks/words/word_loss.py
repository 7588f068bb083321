"""The likelihood of target words, averaged as in the code of See et al. 2017."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

IGNORED = -100
"""The label of padding, as elsewhere in `transformers`."""


def vocabulary_log_probability(
    states: Tensor, vocabulary: nn.Module, words: int, labels: Tensor
) -> Tensor:
    """Return the log-probability of each target word under the vocabulary distribution.

    The output layer is applied only where the vocabulary has the word, since it costs most.

    Args:
        states: Inputs of the output layer, `[b, t, H]`.
        vocabulary: The output layer, from a state to the scores of V words.
        words: V.
        labels: Extended ids of the targets, or `IGNORED`, `[b, t]`.

    Returns:
        `[b, t]`, in fp32; −∞ where the word is not in the vocabulary.
    """
    known = (labels >= 0) & (labels < words)
    scores = vocabulary(states[known]).float()
    found = -F.cross_entropy(scores, labels[known], reduction="none")
    nothing = torch.full(labels.shape, -torch.inf, device=labels.device)
    return nothing.masked_scatter(known, found)


def mean_by_target(values: Tensor, counted: Tensor) -> Tensor:
    """Return the mean over targets of the mean over each one's words, as in the official code.

    Args:
        values: `[b, t]`.
        counted: Which words count, `[b, t]`; at least one per target.
    """
    sums = values.masked_fill(~counted, 0.0).sum(dim=1)
    return (sums / counted.sum(dim=1)).mean()


def target_log_probability(
    generated: Tensor, attention: Tensor, generate: Tensor, extended_ids: Tensor, labels: Tensor
) -> Tensor:
    """Return the log-probability of target words that are generated or copied.

    That is Eq. 9 of See et al. 2017, without the whole distribution.

    Args:
        generated: What `vocabulary_log_probability` returns, `[b, t]`.
        attention: a^t, `[b, t, n]`.
        generate: Logit of p_gen, `[b, t]`.
        extended_ids: Extended ids of the sources, `[b, n]`.
        labels: Extended ids of the targets, or `IGNORED`, `[b, t]`.

    Returns:
        `[b, t]`, in fp32; undefined at ignored places.
    """
    stands = extended_ids[:, None] == labels[..., None]
    copied = (attention * stands).sum(dim=-1).clamp_min(torch.finfo(torch.float32).tiny).log()
    generate = generate.float()
    return torch.logaddexp(F.logsigmoid(generate) + generated, F.logsigmoid(-generate) + copied)
