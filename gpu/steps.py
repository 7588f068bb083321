"""The work that is measured: an update of training, and the steps of a summary."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from transformers.modeling_outputs import BaseModelOutput
from transformers.optimization import Adafactor

from longsum.models.networks.seq2seq import LongsumForConditionalGeneration

DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}


def attending(scores: str) -> Any:
    """Return a context in which PyTorch's attention is `fused`, or keeps its scores (`kept`).

    Fused attention never has all scores at once. In 2021 models kept them for the backward pass,
    which is the setting of HEPOS, §6.
    """
    return sdpa_kernel(SDPBackend.MATH) if scores == "kept" else nullcontext()


def new_optimizer(model: nn.Module) -> torch.optim.Optimizer:
    """Make the optimizer of the recipes: Adafactor without momentum."""
    made: torch.optim.Optimizer = Adafactor(
        model.parameters(), lr=1e-4, scale_parameter=False, relative_step=False
    )
    return made


def recompute_layers(model: Any) -> None:
    """Keep only the input of each layer, and recompute the rest in the backward pass."""
    model.gradient_checkpointing_enable({"use_reentrant": False})


def learn(
    model: nn.Module,
    optimizer: torch.optim.Optimizer | None,
    source: Tensor,
    target: Tensor,
    dtype: str,
    scores: str = "fused",
) -> Tensor:
    """Make one update as `longsum train` does: weights in fp32, products in a type.

    Args:
        model: The model, in training mode.
        optimizer: Its optimizer; None keeps the gradients.
        source: Token ids, `[b, n]`.
        target: Token ids, `[b, t]`.
        dtype: A key of `DTYPES`; the loss is not scaled for fp16, whose gradients may vanish.
        scores: See `attending`.

    Returns:
        The loss before the update.
    """
    autocast = torch.autocast(source.device.type, DTYPES[dtype], enabled=dtype != "fp32")
    with attending(scores):
        with autocast:
            loss: Tensor = model(input_ids=source, labels=target).loss
        loss.backward()
    if optimizer is not None:
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return loss.detach()


def write(
    model: Any, source: Tensor, tokens: int, beams: int, clock: Callable[[], None] | None = None
) -> Tensor:
    """Generate an exact number of tokens with beams.

    Args:
        model: The model, in evaluation mode.
        source: Token ids, `[b, n]`.
        tokens: How many each beam generates.
        beams: Beams of each source.
        clock: Called after every step.
    """
    criteria = [] if clock is None else [_Told(clock)]
    written: Tensor = model.generate(
        source,
        num_beams=beams,
        do_sample=False,
        min_new_tokens=tokens,
        max_new_tokens=tokens,
        stopping_criteria=criteria,
    )
    return written


class _Told:
    """A stopping criterion that never stops, and reports every step."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell

    def __call__(self, ids: Tensor, scores: Any, **_: Any) -> Tensor:  # noqa: ARG002
        self._tell()
        return torch.zeros(len(ids), dtype=torch.bool, device=ids.device)


def begin_to_write(model: Any, source: Tensor, dtype: str, beams: int = 4) -> None:
    """Read a source, and take the first step of generation, which limits the source's length.

    Our beams share one copy of a source; other models have one for each, as in `generate`.

    Args:
        model: The model, in evaluation mode.
        source: Token ids, `[1, n]`.
        dtype: A key of `DTYPES`.
        beams: Number of beams.
    """
    copies = 1 if isinstance(model, LongsumForConditionalGeneration) else beams
    autocast = torch.autocast(source.device.type, DTYPES[dtype], enabled=dtype != "fp32")
    with torch.no_grad(), autocast:
        states = model.get_encoder()(input_ids=source).last_hidden_state
        model(
            encoder_outputs=BaseModelOutput(states.repeat_interleave(copies, dim=0)),
            decoder_input_ids=source[:, :1].repeat(beams, 1),
            use_cache=True,
        )
