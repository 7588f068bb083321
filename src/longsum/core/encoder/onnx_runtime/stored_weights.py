"""The weights of a model as they are stored, in NumPy."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelFolder
from longsum.core.model_files.weight_files import Shapes, read_shapes, weight_files

_SCALE = ".scale"

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class StoredWeights:
    """The weights of a model by name: in floating point, or as `networks.compact` keeps them.

    Args:
        tensors: What the files hold.
    """

    tensors: Mapping[str, NDArray[np.generic]]

    @classmethod
    def of(cls, folder: ModelFolder) -> "StoredWeights":
        """Read the weights in a folder.

        Raises:
            LongsumError: As `read_shapes`, or a file is damaged or in a type that NumPy lacks.
        """
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
        for name, scale in tensors.items():
            scaled = tensors.get(name.removesuffix(_SCALE), scale)
            if scaled is not scale and scale.shape != (*scaled.shape[:-1], 1):
                raise LongsumError(f"'{folder}' is damaged: {name} does not fit; fetch it again.")
        return cls(tensors)

    def within(self, prefix: str) -> "StoredWeights":
        """Return those whose names begin with a prefix, by the rest of their names."""
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
        """Return a matrix as whole numbers `[rows, columns]` and a scale a row, `[rows]`.

        One that is stored in floating point is rounded as `longsum.models.networks.compact` does
        it.

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
