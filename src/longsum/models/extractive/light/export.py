"""Writes the graphs that let an extractor run without PyTorch."""

from pathlib import Path
from typing import get_args

from longsum.errors import LongsumError
from longsum.extras import require
from longsum.files import write_bytes
from longsum.models.extractive.extractor_config import PREFIX, folder_settings
from longsum.models.extractive.extractor_settings import HibertConfig
from longsum.models.extractive.light.sentence_graph import (
    Initializers,
    Kind,
    graph_name,
    sentence_graph,
)
from longsum.models.extractive.light.stored_weights import StoredWeights
from longsum.models.extractive.light.weight_shapes import check_shapes
from longsum.models.folders import ModelFolder

KINDS: tuple[Kind, ...] = get_args(Kind)


def export_extractor(folder: ModelFolder) -> list[Path]:
    """Write a graph of each kind beside an extractor's weights, which stay as they are.

    Args:
        folder: The folder of a HiBERT, stepwise or not.

    Returns:
        The files.

    Raises:
        LongsumError: The folder contains no HiBERT, weights are missing or damaged, or the package
            `onnx` is not installed.
    """
    require("onnx")
    config = folder_settings(folder)
    if not isinstance(config, HibertConfig):
        raise LongsumError(
            f"Only a HiBERT can be exported, and '{folder}' holds another model; use that with "
            "PyTorch."
        )
    encoder = config.sentence_encoder
    weights = StoredWeights.of(folder).within(PREFIX)
    check_shapes(weights.shapes, config)
    stored = weights.within("sentence_encoder.")
    paths = []
    for kind in KINDS:
        graph = sentence_graph(encoder, Initializers(encoder, stored, kind), kind)
        paths.append(folder.path / graph_name(kind))
        write_bytes(paths[-1], graph)
    return paths
