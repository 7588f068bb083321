"""Writes the graphs that let an extractor run without PyTorch."""

from pathlib import Path
from typing import get_args

import numpy as np

from longsum.common.errors import LongsumError
from longsum.common.extras import require
from longsum.common.files import write_bytes
from longsum.core.encoder.extractor_settings import (
    PREFIX,
    HibertConfig,
    SentenceEncoderConfig,
    folder_settings,
)
from longsum.core.encoder.onnx_runtime.sentence_graph import Split, sample, sentence_graph
from longsum.core.encoder.onnx_runtime.session import Initializers, Kind, Session, graph_name
from longsum.core.encoder.onnx_runtime.stored_weights import StoredWeights, check_shapes
from longsum.core.model_files.folders import ModelFolder

KINDS: tuple[Kind, ...] = get_args(Kind)


def export_extractor(folder: ModelFolder) -> list[Path]:
    """Write a graph of each kind beside an extractor's weights, and return the files.

    Args:
        folder: The folder of a HiBERT, stepwise or not.

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
    splits = _splits(encoder, stored)
    for kind in KINDS:
        graph = sentence_graph(encoder, Initializers(encoder, stored, kind), kind, splits=splits)
        paths.append(folder.path / graph_name(kind))
        write_bytes(paths[-1], graph)
    return paths


def _splits(config: SentenceEncoderConfig, stored: StoredWeights) -> dict[str, Split]:
    """Return how features enter the linear layers that read normalised states, outliers split."""
    layers = range(config.layers)
    names = [f"layers.{layer}.{name}" for layer in layers for name in ("projected", "expand")]
    constants = Initializers(config, stored, "fp32")
    graph = sentence_graph(config, constants, "fp32", shown=names)
    tokens = sample(config)
    lengths = np.full(len(tokens), tokens.shape[1], dtype=np.int32)
    _, *states = Session(graph, constants.values).run(tokens, lengths)
    largest = [np.abs(state).max(axis=0) for state in states]
    return {name: Split.of(maxima) for name, maxima in zip(names, largest, strict=True)}
