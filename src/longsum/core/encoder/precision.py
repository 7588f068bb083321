"""The number format that products are computed in."""

from typing import Literal

Precision = Literal["auto", "bf16", "fp32"]
InferencePrecision = Literal["auto", "bf16", "fp32", "int8"]
"""Of models that may also run in whole numbers, which nothing learns in."""


def in_bf16(precision: Precision, device: str) -> bool:
    """Tell whether products run in bf16.

    Args:
        precision: What is asked for; `auto` takes bf16 where the machine computes in it, rather
            than by way of fp32.
        device: Where the products run: `cpu` or `cuda`.
    """
    if precision != "auto":
        return precision == "bf16"
    import torch

    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return bool(torch.cpu._is_avx512_bf16_supported())
