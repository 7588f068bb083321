"""The likelihood of target words that are generated or copied (See et al. 2017, §2.2)."""

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812


def target_log_probability(
    generated: Tensor, attention: Tensor, generate: Tensor, extended_ids: Tensor, labels: Tensor
) -> Tensor:
    """Return the log-probability of each target word (Eq. 9) without the whole distribution.

    Args:
        generated: What `vocabulary_log_probability` returns, `[b, t]`.
        attention: a^t, `[b, t, n]`.
        generate: Logit of p_gen, `[b, t]`.
        extended_ids: Extended ids of the sources, `[b, n]`.
        labels: Extended ids of the targets, or `word_loss.IGNORED`, `[b, t]`.

    Returns:
        `[b, t]`, in fp32; undefined at ignored places.
    """
    stands = extended_ids[:, None] == labels[..., None]
    copied = (attention * stands).sum(dim=-1).clamp_min(torch.finfo(torch.float32).tiny).log()
    generate = generate.float()
    return torch.logaddexp(F.logsigmoid(generate) + generated, F.logsigmoid(-generate) + copied)
