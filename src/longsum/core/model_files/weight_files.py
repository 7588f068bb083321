"""Finds the weight files of a model in a folder, and checks that they are complete.

A safetensors file begins with a header: eight bytes that state its length, then JSON with the type,
shape and place of each tensor. It is checked against the size of the file before PyTorch is loaded
or memory is allocated.
"""

import hashlib
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json

INDEX = "model.safetensors.index.json"
WEIGHTS = "model.safetensors"
COMPACT_WEIGHTS = "compact.safetensors"

_COMPACT_PART = re.compile(r"compact-(\d{5})-of-(\d{5})\.safetensors")
# Formats of others that are, or may be, pickles.
_PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.h5", "*.msgpack")
_CONVERT = (
    "python -c \"from transformers import AutoModelForSeq2SeqLM as M; M.from_pretrained('{}')"
    ".save_pretrained('NEW')\""
)
_LENGTH = 8  # bytes, by the format
_BLOCK = 2**20
# A tensor takes some hundred bytes; the largest models have tens of thousands in a file.
_MAX_HEADER = 2**24
_MAX_SIZE = 2**40
_MAX_DIMENSIONS = 8
_METADATA = "__metadata__"
_BITS = {
    **dict.fromkeys(("F64", "I64", "U64", "C64"), 64),
    **dict.fromkeys(("F32", "I32", "U32"), 32),
    **dict.fromkeys(("F16", "BF16", "I16", "U16"), 16),
    **dict.fromkeys(("I8", "U8", "BOOL"), 8),
    **dict.fromkeys(("F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"), 8),
    **{"F6_E2M3": 6, "F6_E3M2": 6, "F4": 4},
}

Shapes = Mapping[str, tuple[int, ...]]
"""Shapes of tensors by their names."""


def weight_files(folder: Path) -> list[Path]:
    """Return the files that hold the weights of the model in a folder.

    Raises:
        LongsumError: There are none that are safe to read, or one of them is missing or outside of
            the folder.
    """
    if (folder / INDEX).is_file():
        names = sorted(set(_indexed(folder / INDEX).values()))
    elif not (folder / WEIGHTS).is_file() and (compact := compact_files(folder)):
        return compact
    else:
        names = [WEIGHTS]
    for name in names:
        if not (folder / name).is_file():
            raise LongsumError(_lacking(folder, name))
    return [folder / name for name in names]


def read_shapes(folder: Path) -> dict[str, tuple[int, ...]]:
    """Return the shape of each tensor in a folder, once all files are found to be whole.

    Raises:
        LongsumError: As `weight_files`; or a file is damaged, or lacks what the index says.
    """
    found: dict[str, tuple[int, ...]] = {}
    for path in weight_files(folder):
        shapes = read_header(path)
        if path.name == WEIGHTS or is_compact(path):
            found |= shapes
            continue
        listed = {name for name, file in _indexed(folder / INDEX).items() if file == path.name}
        if missing := sorted(listed - shapes.keys()):
            raise _damaged(path, f"it lacks {missing[0]}, which {INDEX} places there")
        found |= shapes
    return found


def read_header(path: Path) -> dict[str, tuple[int, ...]]:
    """Return the shape of each tensor in a file of safetensors, once it is found to be whole.

    Raises:
        LongsumError: Its header is too long for the file, is not what a header should be, or tells
            of other bytes than there are.
    """
    try:
        size = path.stat().st_size - _LENGTH
        with path.open("rb") as file:
            length = int.from_bytes(file.read(_LENGTH), "little")
            if size < 0 or length > min(size, _MAX_HEADER):
                raise _damaged(path, "its header is longer than it can be")
            header = parse_json(file.read(length))
    except OSError as error:
        raise LongsumError(f"'{path}' cannot be read: {error.strerror}.") from None
    except ValueError:
        raise _damaged(path, "its header is no JSON") from None
    if not isinstance(header, dict):
        raise _damaged(path, "its header names no tensors")
    tensors = {name: value for name, value in header.items() if name != _METADATA}
    _check_places(path, tensors, size - length)
    return {name: tuple(tensor["shape"]) for name, tensor in tensors.items()}


def weights_sha256(folder: Path) -> str:
    """Return the hash of the weights, which identifies the model whatever it is called.

    Raises:
        LongsumError: As `weight_files`.
    """
    digest = hashlib.sha256()
    for path in weight_files(folder):
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()


def has_plain_weights(folder: Path) -> bool:
    """Return whether a folder has weights, in one file or several, that `transformers` reads."""
    return any((folder / name).is_file() for name in (WEIGHTS, INDEX))


def is_compact(path: Path) -> bool:
    """Return whether `longsum.models.networks.weights` writes files of such a name."""
    return path.name == COMPACT_WEIGHTS or _COMPACT_PART.fullmatch(path.name) is not None


def compact_names(count: int) -> list[str]:
    """Return the names of the files that compact weights are divided into."""
    if count == 1:
        return [COMPACT_WEIGHTS]
    return [f"compact-{number:05}-of-{count:05}.safetensors" for number in range(1, count + 1)]


def compact_files(folder: Path) -> list[Path]:
    """Return the files of a folder that hold compact weights; none where there are none.

    Raises:
        LongsumError: One of several is missing.
    """
    if (folder / COMPACT_WEIGHTS).is_file():
        return [folder / COMPACT_WEIGHTS]
    names = (path.name for path in folder.glob("compact-*"))
    parts = [found for name in names if (found := _COMPACT_PART.fullmatch(name))]
    if not parts:
        return []
    paths = [folder / name for name in compact_names(int(parts[0][2]))]
    for path in paths:
        if not path.is_file():
            raise LongsumError(f"{folder} has no {path.name}; fetch the model again, whole.")
    return paths


def _indexed(path: Path) -> dict[str, str]:
    """Return in which file an index places each tensor."""
    try:
        listed = parse_json(path.read_bytes())["weight_map"]
        found = {str(name): Path(file) for name, file in listed.items()}
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        raise _damaged(path, "it is no index of weights") from None
    for file in found.values():
        if file.name != str(file) or file.suffix != ".safetensors":
            raise LongsumError(
                f"'{path}' names the file '{file}', which is not a safetensors file in its own "
                "folder; fetch the model again from where you trust it."
            )
    return {name: file.name for name, file in found.items()}


def _lacking(folder: Path, name: str) -> str:
    """Return the message that a folder lacks a weight file, and how to get it."""
    others = sorted(path.name for kind in _PICKLED for path in folder.glob(kind))
    if name == WEIGHTS and others:
        return (
            f"{folder} has no {name} but {others[0]}, which can run code when it is read; save "
            f"the model as safetensors first, where you trust it: {_CONVERT.format(folder)}"
        )
    return (
        f"{folder} has no {name}; save the model as safetensors first, because other formats can "
        "run code when they are read."
    )


def _check_places(path: Path, tensors: Mapping[str, Any], size: int) -> None:
    """Check that tensors fill a file without overlapping."""
    end = 0
    for start, stop in sorted(_places(path, tensors)):
        if start != end:
            raise _damaged(path, "its tensors overlap or leave a gap")
        end = stop
    if end > size:
        raise _damaged(path, f"it ends {end - size:,} bytes too early")
    if end < size:
        raise _damaged(path, f"it holds {size - end:,} bytes that belong to no tensor")


def _places(path: Path, tensors: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    """Yield where tensors begin and end.

    Raises:
        LongsumError: A tensor is described in another way, or its type and shape need another
            number of bytes.
    """
    for name, tensor in tensors.items():
        try:
            bits, shape = _BITS[tensor["dtype"]], tensor["shape"]
            start, stop = tensor["data_offsets"]
            right = len(shape) <= _MAX_DIMENSIONS and all(map(_is_size, (*shape, start, stop)))
        except (KeyError, TypeError, ValueError):
            right = False
        if not right:
            raise _damaged(path, f"its header does not say what {name[:80]!r} is")
        if 8 * (stop - start) != bits * math.prod(shape):
            raise _damaged(path, f"the bytes of {name[:80]!r} are not those of its shape")
        yield start, stop


def _is_size(number: object) -> bool:
    return type(number) is int and 0 <= number <= _MAX_SIZE


def _damaged(path: Path, problem: str) -> LongsumError:
    return LongsumError(f"'{path}' is damaged: {problem}; fetch the model again.")
