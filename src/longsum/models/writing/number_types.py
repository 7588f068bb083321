"""The type of number that a model computes with: by name, or by its effect on the text."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from transformers.modeling_outputs import BaseModelOutput

from longsum.common.errors import LongsumError
from longsum.documents.builder import DocumentBuilder
from longsum.models.writing.generating import GeneratingWriter

AUTO = "auto"
_TYPES = {
    **{"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16},
    **{"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16},
}
_PASSAGE = """\
The committee met four times in the spring to consider how the region would pay for the repair of
its older bridges. Engineers reported that eleven of them, most built before 1960, could no longer
carry heavy lorries, and that three would have to close within two years if nothing was done. The
cost was put at 240 million, of which the state offered to bear a third. Members disagreed about the
rest: some proposed a toll, others a loan to be repaid over thirty years. In the end the committee
recommended the loan, and asked for a second report on traffic before any work begins.
"""


def dtype_named(name: str) -> torch.dtype:
    """Return the type of weights and activations with a name.

    Raises:
        LongsumError: There is none.
    """
    if name not in _TYPES:
        raise LongsumError(f"There is no dtype '{name}'; choose one of {', '.join(_TYPES)}.")
    return _TYPES[name]


def computes_in_bfloat16(device: torch.device) -> bool:
    """Tell whether a device multiplies in bfloat16 natively: AVX512-BF16, AMX, or a recent GPU."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    # Not every supported release of PyTorch can tell.
    known: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    return device.type == "cpu" and bool(known.get("avx512_bf16") or known.get("amx_bf16"))


def settle(writer: GeneratingWriter, again: Callable[[], Any]) -> None:
    """Let a writer compute in bfloat16, if its device does and the model writes the same.

    The model reads a passage and predicts the likeliest token at each of its places. A single one
    that differs is enough to stay with fp32.

    Args:
        writer: A writer whose model computes in fp32.
        again: Loads the model again, since rounding to bfloat16 cannot be undone.
    """
    if not computes_in_bfloat16(writer.model.device):
        return
    expected = _likeliest(writer)
    writer.model = writer.model.to(torch.bfloat16)
    if not torch.equal(_likeliest(writer), expected):
        writer.model = again()


def _likeliest(writer: GeneratingWriter) -> Tensor:
    """Return the likeliest token at each place of the passage, after those before it."""
    builder = DocumentBuilder()
    builder.paragraph(_PASSAGE)
    read = writer.read(builder.build())
    model, target = writer.model, read.ids[:, : writer.limit]
    with torch.inference_mode():
        logits: Tensor = model(
            attention_mask=torch.ones_like(read.ids),
            encoder_outputs=BaseModelOutput(last_hidden_state=read.states),
            decoder_input_ids=target,
            use_cache=False,
            **read.sections,
        ).logits
    return logits.argmax(dim=-1)
