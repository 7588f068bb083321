"""The weights of an exported extractor, and the shapes that they must have."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import HibertConfig
from longsum.core.model_files.folders import ModelFolder
from longsum.core.model_files.weight_files import Shapes, read_shapes, weight_files

Named = Iterator[tuple[str, tuple[int, ...]]]


def check_shapes(shapes: Shapes, config: HibertConfig) -> None:
    """Reject weights that do not fit a model: one is missing or of another size.

    Args:
        shapes: The shapes of the available weights, named as in the model.
        config: Its settings.
    """
    for name, shape in weight_shapes(config).items():
        if shapes.get(name) != shape:
            problem = "has another size of" if name in shapes else "lacks"
            raise LongsumError(
                f"The checkpoint {problem} {name}; give one whose weights match its configuration."
            )


def weight_shapes(config: HibertConfig) -> Shapes:
    """Return the shape of each weight by its name."""
    return dict(_sentence_encoder(config)) | dict(_document_encoder(config))


def _sentence_encoder(config: HibertConfig) -> Named:
    encoder = config.sentence_encoder
    size, root = encoder.size, "sentence_encoder"
    yield f"{root}.embedding.tokens.weight", (encoder.vocabulary, size)
    rows = encoder.positions + encoder.position_offset
    yield f"{root}.embedding.positions.weight", (rows, size)
    yield f"{root}.embedding.types.weight", (encoder.token_types, size)
    yield from _norm(f"{root}.embedding.norm", size)
    for number in range(encoder.layers):
        layer = f"{root}.layers.{number}"
        yield from _attention(f"{layer}.attention", size)
        yield from _feed_forward(f"{layer}.feed_forward", size, encoder.feed_forward)


def _document_encoder(config: HibertConfig) -> Named:
    encoder, size, root = config.document_encoder, config.sentence_encoder.size, "document_encoder"
    reading = encoder.layers if encoder.summary_layers is None else encoder.summary_layers
    if config.stepwise:
        yield f"{root}.plan_positions.weight", (encoder.plan + 1, size)
        yield f"{root}.begin", (size,)
        yield f"{root}.end", (size,)
        if encoder.points:
            yield from _linear(f"{root}.pointer", size, size)
    for number in range(encoder.layers):
        layer = f"{root}.layers.{number}"
        yield from _attention(f"{layer}.attention", size)
        if config.stepwise and number >= encoder.layers - reading:
            yield from _attention(f"{layer}.summary_attention", size)
        yield from _feed_forward(f"{layer}.feed_forward", size, encoder.feed_forward)
    for number, rows in enumerate(encoder.position_tables):
        yield f"{root}.positions.{number}.weight", (rows, size)
    if encoder.headings:
        yield f"{root}.heading.weight", (size, size)
    yield from _norm(f"{root}.norm", size)
    yield from _linear(f"{root}.salience", size, 1)


def _attention(name: str, size: int) -> Named:
    for part in ("query", "key", "value", "output"):
        yield from _linear(f"{name}.{part}", size, size)
    yield from _norm(f"{name}.norm", size)


def _feed_forward(name: str, size: int, inner: int) -> Named:
    yield from _linear(f"{name}.expand", size, inner)
    yield from _linear(f"{name}.shrink", inner, size)
    yield from _norm(f"{name}.norm", size)


def _linear(name: str, inputs: int, outputs: int) -> Named:
    yield f"{name}.weight", (outputs, inputs)
    yield f"{name}.bias", (outputs,)


def _norm(name: str, size: int) -> Named:
    yield f"{name}.weight", (size,)
    yield f"{name}.bias", (size,)


_SCALE = ".scale"

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class StoredWeights:
    """The weights of a model by name, in floating point or as 8-bit rows with scales.

    Args:
        tensors: The tensors in the files.
    """

    tensors: Mapping[str, NDArray[np.generic]]

    @classmethod
    def of(cls, folder: ModelFolder) -> "StoredWeights":
        """Read the weights in a folder.

        Raises:
            LongsumError: As for `read_shapes`; or a file is damaged or of a type that NumPy lacks.
        """
        folder.check_same_weights()
        read_shapes(folder.path)
        tensors: dict[str, NDArray[np.generic]] = {}
        for path in weight_files(folder.path):
            try:
                tensors |= load_file(path)
            except (SafetensorError, OSError, KeyError, TypeError) as error:
                raise LongsumError(
                    f"'{path}' is damaged, or its numbers are of another type than fp32 and fp16 "
                    f"({error}); fetch or write the model again."
                ) from None
        folder.check_same_weights()
        for name, scale in tensors.items():
            scaled = tensors.get(name.removesuffix(_SCALE), scale)
            if scaled is not scale and scale.shape != (*scaled.shape[:-1], 1):
                raise LongsumError(f"'{folder}' is damaged: {name} does not fit; fetch it again.")
        return cls(tensors)

    def within(self, prefix: str) -> "StoredWeights":
        """Return the weights whose names begin with a prefix, named without it."""
        return StoredWeights(
            {
                name.removeprefix(prefix): tensor
                for name, tensor in self.tensors.items()
                if name.startswith(prefix)
            }
        )

    @property
    def shapes(self) -> Shapes:
        """The shape of each tensor."""
        return {name: tensor.shape for name, tensor in self.tensors.items()}

    def __contains__(self, name: str) -> bool:
        return name in self.tensors

    def floats(self, name: str) -> Floats:
        """Return a tensor in fp32.

        Raises:
            LongsumError: There is none of that name.
        """
        tensor = self._tensor(name).astype(np.float32)
        if name + _SCALE in self.tensors:
            tensor *= self.tensors[name + _SCALE].astype(np.float32)
        return tensor

    def rows(self, name: str) -> tuple[NDArray[np.int8], Floats]:
        """Return a matrix as integers `[rows, columns]` and a scale per row, `[rows]`.

        A matrix in floating point is rounded as in `longsum.models.networks.weights`.

        Raises:
            LongsumError: There is none of that name.
        """
        tensor = self._tensor(name)
        if name + _SCALE in self.tensors:
            return tensor.astype(np.int8), self.tensors[name + _SCALE][:, 0].astype(np.float32)
        floats = tensor.astype(np.float32)
        scale = np.maximum(np.abs(floats).max(axis=1), np.float32(1e-12)) / np.float32(127)
        return np.rint(floats / scale[:, None]).astype(np.int8), scale

    def _tensor(self, name: str) -> NDArray[np.generic]:
        if name not in self.tensors:
            raise LongsumError(
                f"The checkpoint lacks {name}; give one whose weights match its configuration."
            )
        return self.tensors[name]
