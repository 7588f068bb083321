"""Weights that are truncated, state wrong sizes, or are not safetensors."""

import json
import os
import struct
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from transformers import BartForConditionalGeneration, T5ForConditionalGeneration

from longsum import LongsumError
from longsum.core.model_files.folders import ModelFolder, check_model
from longsum.core.model_files.weight_files import compact_files, read_shapes, weight_files
from longsum.models.networks.hugging_face import load_model
from longsum.models.networks.seq2seq import from_checkpoint, load_seq2seq
from longsum.models.networks.weights import load_compact
from model_folders import MAKERS
from within import within

Folder = Callable[[str], Path]
Change = Callable[[Path], None]


def header(path: Path) -> tuple:
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    return json.loads(content[8 : 8 + length]), content[8 + length :]


def rewritten(edit: Callable) -> Change:
    """Change the header of a file, without changing what follows it."""

    def spoil(path: Path) -> None:
        said, data = header(path)
        edit(said)
        text = json.dumps(said).encode()
        path.write_bytes(struct.pack("<Q", len(text)) + text + data)

    return spoil


def said(text: bytes, length: int | None = None) -> Change:
    """Replace the header of a file."""
    number = len(text) if length is None else length
    return lambda path: path.write_bytes(struct.pack("<Q", number) + text + bytes(64))


def first(values: dict) -> dict:
    """Return the header entry of the first tensor in the file."""
    tensors = {name: value for name, value in values.items() if name != "__metadata__"}
    return min(tensors.values(), key=lambda value: value["data_offsets"])


def move(values: dict, by: int) -> None:
    """Move the offsets of the first tensor, with the same number of bytes."""
    first(values)["data_offsets"] = [place + by for place in first(values)["data_offsets"]]


TORN: dict[str, tuple[Change, str]] = {
    "a byte is gone": (lambda path: path.write_bytes(path.read_bytes()[:-1]), "1 bytes too early"),
    "a byte is too many": (
        lambda path: path.write_bytes(path.read_bytes() + b"x"),
        "1 bytes that belong to no tensor",
    ),
    "nothing is left": (lambda path: path.write_bytes(b""), "longer than it can be"),
    "an endless header": (said(b"{}", 2**63), "longer than it can be"),
    "a header longer than the file": (said(b"{}", 67), "longer than it can be"),
    "no JSON": (said(b"{nothing"), "no JSON"),
    "no UTF-8": (said(b'{"\xff": 1}'), "no JSON"),
    "deep JSON": (said(b"[" * 200_000), "no JSON"),
    "a list": (said(b"[]"), "names no tensors"),
    "no tensor": (said(b'{"x": 1}'), "does not say what 'x' is"),
    "an unknown type": (rewritten(lambda v: first(v).update(dtype="O")), "does not say what"),
    "a type of another size": (rewritten(lambda v: first(v).update(dtype="F64")), "of its shape"),
    "another shape": (rewritten(lambda v: first(v)["shape"].append(2)), "of its shape"),
    "a negative shape": (rewritten(lambda v: first(v).update(shape=[-1, -8])), "does not say"),
    "a shape of truths": (rewritten(lambda v: first(v).update(shape=[True])), "does not say"),
    "a shape of many": (
        rewritten(lambda v: first(v).update(shape=[2**40] * 60_000)),
        "does not say",
    ),
    "a size that none has": (rewritten(lambda v: first(v).update(shape=[2**40 + 1, 0])), "not say"),
    "the largest size": (rewritten(lambda v: first(v).update(shape=[2**40, 0])), "of its shape"),
    "bytes before the first": (rewritten(lambda v: move(v, -1)), "does not say"),
    "a tensor over another": (rewritten(lambda v: move(v, 4)), "overlap or leave a gap"),
    "two tensors over one another that fill the file": (
        said(
            b'{"a": {"dtype": "U8", "shape": [40], "data_offsets": [0, 40]},'
            b' "b": {"dtype": "U8", "shape": [44], "data_offsets": [20, 64]}}'
        ),
        "overlap or leave a gap",
    ),
    "a tensor that is gone": (rewritten(lambda v: v.pop("model.shared.weight")), "gap|no tensor"),
    "one place": (rewritten(lambda v: first(v).update(data_offsets=[0])), "does not say what"),
}


@within(4)
@pytest.mark.parametrize("how", TORN)
def test_an_incomplete_weight_file_is_refused_in_time(how: str, folder: Folder) -> None:
    path = folder("bart")
    spoil, problem = TORN[how]
    spoil(path / "model.safetensors")
    for load in (check_model, load_seq2seq, from_checkpoint, lambda path: load_model(None, path)):
        with pytest.raises(LongsumError, match=problem) as caught:
            load(path)
        assert "\n" not in str(caught.value)


def test_empty_tensors_and_small_types_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    state = {
        "none": torch.zeros(0, 3),
        "half": torch.ones(3, 5, dtype=torch.bfloat16),
        "byte": torch.ones(7, dtype=torch.int8),
        "small": torch.ones(2, 2, dtype=torch.float8_e4m3fn),
        "truth": torch.ones(2, dtype=torch.bool),
        "number": torch.tensor(2.0, dtype=torch.float64),
    }
    save_file(state, path, {"format": "pt"})
    assert read_shapes(tmp_path) == {name: tuple(tensor.shape) for name, tensor in state.items()}


def test_a_folder_without_compact_weights_lists_no_files_of_them(tmp_path: Path) -> None:
    (tmp_path / "compact-1.safetensors").touch()
    assert compact_files(tmp_path) == []


def test_types_have_the_sizes_that_the_format_states(tmp_path: Path) -> None:
    sizes = {
        64: "F64 I64 U64 C64",
        32: "F32 I32 U32",
        16: "F16 BF16 I16 U16",
        8: "I8 U8 BOOL F8_E4M3 F8_E5M2 F8_E8M0 F8_E4M3FNUZ F8_E5M2FNUZ",
        6: "F6_E2M3 F6_E3M2",
        4: "F4",
    }
    tensors, end = {}, 0
    for bits, names in sizes.items():
        for name in names.split():
            # Eight numbers take as many bytes as one takes bits.
            place = {"data_offsets": [end, end + bits]}
            tensors[name] = {"dtype": name, "shape": [8]} | place
            end += bits
    head = json.dumps(tensors).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(len(head).to_bytes(8, "little") + head + bytes(end))
    assert read_shapes(tmp_path) == dict.fromkeys(tensors, (8,))


INDEXES = {
    "a file that is gone": ({"weight_map": {"a": "gone.safetensors"}}, "has no gone"),
    "a file above": ({"weight_map": {"a": "../other.safetensors"}}, "in its own folder"),
    "a file elsewhere": ({"weight_map": {"a": "/etc/passwd"}}, "in its own folder"),
    "a pickle": ({"weight_map": {"a": "pytorch_model.bin"}}, "in its own folder"),
    "a tensor that is gone": (
        {"weight_map": {"a": "part.safetensors", "b": "part.safetensors"}},
        "lacks b",
    ),
    "no names": ({"weight_map": {"a": 1}}, "no index"),
    "no map": ({"weights": {}}, "no index"),
    "no JSON": ("{", "no index"),
    "deep JSON": ("[" * 200_000, "no index"),
}


@pytest.mark.parametrize("what", INDEXES)
def test_an_index_may_name_only_files_of_its_folder(what: str, folder: Folder) -> None:
    path = folder("bart")
    save_file({"a": torch.ones(99, 9)}, path / "part.safetensors")
    save_file({"a": torch.ones(99, 9)}, path.parent / "other.safetensors")
    (path / "model.safetensors").unlink()
    index, problem = INDEXES[what]
    text = index if isinstance(index, str) else json.dumps(index)
    (path / "model.safetensors.index.json").write_text(text)
    for load in (check_model, load_seq2seq):
        with pytest.raises(LongsumError, match=problem):
            load(path)


def test_weights_may_be_in_several_files(folder: Folder) -> None:
    path = folder("bart")
    expected = read_shapes(path)
    whole = load_seq2seq(path)
    peer = BartForConditionalGeneration.from_pretrained(path)
    (path / "model.safetensors").unlink()
    peer.save_pretrained(path, max_shard_size="2KB")
    assert len(list(path.glob("model-*.safetensors"))) > 2
    assert read_shapes(path) == expected
    for name, tensor in load_seq2seq(path).state_dict().items():
        assert torch.equal(tensor, whole.state_dict()[name])


@pytest.mark.parametrize(
    "name",
    [
        *("pytorch_model.bin", "model.pt", "tf_model.h5", "a.pth", "a.ckpt", "a.pkl"),
        "flax_model.msgpack",
    ],
)
def test_a_pickle_is_refused_with_advice_how_to_convert_it(name: str, folder: Folder) -> None:
    path = folder("bart")
    (path / "model.safetensors").rename(path / name)
    for load in (check_model, load_seq2seq, from_checkpoint):
        with pytest.raises(LongsumError, match=rf"but {name}, which can run code.*save_pretrained"):
            load(path)


def test_a_scale_that_does_not_fit_its_weight_is_refused(tmp_path: Path) -> None:
    # A few kilobytes of these would together take that many megabytes.
    many = {"a": torch.ones(1, 2000, dtype=torch.int8), "a.scale": torch.ones(2000, 1)}
    save_file(many, tmp_path / "compact.safetensors")
    with pytest.raises(LongsumError, match="scale of a of another size"):
        load_compact(tmp_path / "compact.safetensors")


@pytest.mark.parametrize("kind", MAKERS)
def test_a_loaded_model_does_not_depend_on_its_file(kind, folder, load) -> None:
    source = ModelFolder.of(folder(kind))
    t5 = kind == "t5"
    loaded = load_model(T5ForConditionalGeneration, source) if t5 else load(kind, source)
    model = loaded[0] if isinstance(loaded, tuple) else loaded
    weights = model.state_dict()
    before = {name: tensor.clone() for name, tensor in weights.items()}
    (path,) = weight_files(source.path)
    _, data = header(path)
    with path.open("r+b") as file:
        file.seek(-len(data), os.SEEK_END)
        file.write(bytes(len(data)))
    assert all(bool((before[name] == tensor).all()) for name, tensor in weights.items())
    with pytest.raises(LongsumError, match="changed since they were first read"):
        source.weights_sha256  # noqa: B018
    other = ModelFolder.of(source.path)
    assert other.weights_sha256 == sha256(path.read_bytes()).hexdigest()


def test_changed_or_replaced_weights_are_noticed(tmp_path: Path) -> None:
    path, new = tmp_path / "model.safetensors", tmp_path / "new"
    for size, later, replaced in ((2, 0, False), (1, 1, False), (1, 0, True)):
        path.write_bytes(b"a")
        before, folder = path.stat(), ModelFolder.of(tmp_path)
        folder.check_same_weights()
        folder.check_same_weights()
        (new if replaced else path).write_bytes(b"b" * size)
        os.utime(new if replaced else path, ns=(0, before.st_mtime_ns + later))
        if replaced:
            new.replace(path)
        with pytest.raises(LongsumError, match="changed since they were first read"):
            folder.check_same_weights()
