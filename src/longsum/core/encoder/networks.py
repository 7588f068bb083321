"""Choice of the network that runs the extractor in a folder, and of its precision."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from longsum.common.errors import LongsumError
from longsum.common.registry import find
from longsum.common.threads import waiting_passively
from longsum.core.encoder.extractor_settings import HibertConfig, folder_settings
from longsum.core.encoder.network import Network
from longsum.core.encoder.onnx_runtime.session import Kind, graph_name, multiplies_bytes
from longsum.core.model_files.folders import ModelFolder

Precision = Literal["auto", "bf16", "fp32"]
InferencePrecision = Literal["auto", "bf16", "fp32", "int8"]
"""`Precision` plus 8-bit integers, in which models run but are not trained."""


def in_bf16(precision: Precision, device: str) -> bool:
    """Return whether matrix products run in bf16.

    Args:
        precision: The requested precision; `auto` takes bf16 if the machine supports it natively
            rather than via fp32.
        device: Where the products run: `cpu` or `cuda`.
    """
    if precision != "auto":
        return precision == "bf16"
    import torch

    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return bool(torch.cpu._is_avx512_bf16_supported())


Runtime = Literal["auto", "onnx", "torch"]
"""What runs a network: ONNX Runtime with NumPy, or PyTorch."""

# Whose presence suggests that there is a GPU; asking PyTorch takes longer than a summary.
_DRIVERS = (Path("/proc/driver/nvidia/version"), Path("/dev/kfd"))


def load_network(
    folder: ModelFolder, precision: InferencePrecision, runtime: Runtime = "auto"
) -> Network:
    """Load the extractor in a folder.

    Args:
        folder: The folder.
        precision: How products are computed: `int8` only by ONNX Runtime, on processors that
            multiply bytes, and `bf16` only by PyTorch; `auto` takes the fastest precision that the
            runtime and the hardware support.
        runtime: What runs the network. `auto` takes ONNX Runtime for an exported HiBERT if there is
            no GPU or no PyTorch to use it, unless the precision requires PyTorch.

    Raises:
        LongsumError: The folder contains no extractor that can be loaded, or the extractor does not
            support the precision or the runtime.
    """
    config = folder_settings(folder)
    obstacle = _obstacle(folder, config, precision)
    if runtime == "onnx" and obstacle:
        raise LongsumError(obstacle)
    without_torch = runtime == "onnx" or (runtime == "auto" and not _may_use_a_gpu())
    if without_torch and not obstacle:
        from longsum.core.encoder.onnx_runtime.light_network import LightNetwork

        return LightNetwork.of(folder, config, _kind(precision))
    if precision == "int8":
        raise LongsumError(
            obstacle or "Only ONNX Runtime computes in int8; choose runtime=onnx, or fp32 or bf16."
        )
    with waiting_passively():
        network: Network = find("networks", "torch")(folder, precision)
        return network


def _may_use_a_gpu() -> bool:
    """Return whether there may be a GPU, and PyTorch is installed to use it."""
    return any(driver.exists() for driver in _DRIVERS) and find_spec("torch") is not None


def _obstacle(folder: ModelFolder, config: Any, precision: InferencePrecision) -> str:
    """Return why ONNX Runtime cannot run an extractor; empty if it can."""
    if not isinstance(config, HibertConfig):
        return f"ONNX Runtime runs only a HiBERT, and '{folder}' holds another model."
    encoder = config.document_encoder
    if encoder.owners or encoder.kinds:
        return f"ONNX Runtime runs only extractors of documents, and '{folder}' plans tables."
    if precision == "bf16":
        return "ONNX Runtime does not compute in bf16; choose fp32 or int8."
    if precision == "int8" and not multiplies_bytes():
        return "This processor cannot add products of bytes exactly; choose precision=fp32."
    if not (folder.path / graph_name(_kind(precision))).is_file():
        return f"'{folder}' holds no graph for ONNX Runtime; run longsum export '{folder}'."
    if find_spec("onnxruntime") is None:
        return "The package onnxruntime is not installed; run pip install onnxruntime."
    return ""


def _kind(precision: InferencePrecision) -> Kind:
    """Return the kind of graph for a precision that ONNX Runtime supports."""
    if precision == "auto":
        return "int8" if multiplies_bytes() else "fp32"
    return "int8" if precision == "int8" else "fp32"
