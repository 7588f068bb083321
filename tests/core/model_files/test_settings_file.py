"""A model's settings are not trusted before they are checked."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from longsum import LongsumError
from longsum.core.model_files.folders import check_model
from longsum.core.model_files.settings_file import check_against, check_followed, check_settings
from longsum.core.model_files.weight_files import read_shapes
from longsum.models.networks.seq2seq import load_seq2seq
from longsum.models.writing.hub import load_writer
from model_folders import MAKERS
from settings_files import change
from within import within

Folder = Callable[[str], Path]
Load = Callable[[str, Path], object]


HOSTILE = (10_000_000, float("nan"))
KERNELS = ("attn_implementation", "experts_implementation", "kernel_config", "use_kernels")
ELSEWHERE = ("configuration_files", "transformers_weights", "fast_tokenizer_files")


def sizes_of(settings: dict, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the paths of all integer settings except ids."""
    found = []
    for name, value in settings.items():
        if isinstance(value, dict) and name != "label2id":
            found += sizes_of(value, (*above, name))
        elif type(value) is int and not name.endswith("_id"):
            found.append((*above, name))
    return found


@within(10)
@pytest.mark.parametrize("kind", MAKERS)
def test_an_impossible_size_is_refused_in_time(kind, folder, load, tokenizer) -> None:
    path = folder(kind)
    tokenizer.save_pretrained(path)
    text = (path / "config.json").read_text()
    places = sizes_of(json.loads(text))
    assert len(places) > 5
    for place in places:
        for value in HOSTILE:
            settings = json.loads(text)
            part = settings
            for name in place[:-1]:
                part = part[name]
            part[place[-1]] = value
            (path / "config.json").write_text(json.dumps(settings))
            with pytest.raises(LongsumError) as caught:
                load(kind, path)
            assert "\n" not in str(caught.value)
    (path / "config.json").write_text(text)
    load(kind, path)


@pytest.mark.parametrize(
    ("kind", "more"), [("seq2seq", 40), ("tagger", -1), ("bart", -1), ("t5", 40)]
)
def test_sizes_that_differ_from_the_weights_are_refused(
    kind, more, folder, load, tokenizer
) -> None:
    path = folder(kind)
    tokenizer.save_pretrained(path)
    layers = "num_layers" if kind == "t5" else "encoder_layers"
    sizes = {layers: 2, "vocab_size": 31, "d_model": 8}
    ffn = "d_ff" if kind == "t5" else "encoder_ffn_dim"
    for name, size in {**sizes, ffn: 8}.items():
        settings = json.loads((path / "config.json").read_text())
        assert settings[name] == size
        change(path / "config.json", **{name: size + more})
        with pytest.raises(LongsumError, match=r"weight|cannot be (divided|loaded)"):
            load(kind, path)
        change(path / "config.json", **{name: size})
    load(kind, path)


@pytest.mark.parametrize("kind", ["pointer", "convolutional", "bart", "seq2seq"])
def test_no_memory_is_allocated_for_sizes_that_the_weights_do_not_have(
    kind, folder, load, monkeypatch
) -> None:
    path, taken = folder(kind), []
    # Memory that libraries allocate at first use does not count.
    load(kind, path)
    original = torch.empty

    def empty(*sizes, **named) -> torch.Tensor:
        made = original(*sizes, **named)
        taken.append(0 if made.is_meta else made.numel())
        return made

    monkeypatch.setattr(torch, "empty", empty)
    name = "hidden_size" if kind in ("pointer", "convolutional") else "decoder_ffn_dim"
    change(path / "config.json", **{name: 512})
    with pytest.raises(LongsumError, match="weight"):
        load(kind, path)
    assert max(taken, default=0) < 512


@pytest.mark.parametrize("kind", MAKERS)
def test_a_vocabulary_larger_than_the_weights_is_refused(kind: str, folder: Folder) -> None:
    path = folder(kind)
    shapes, held = read_shapes(path), 0
    for shape in shapes.values():
        held += torch.Size(shape).numel()
    text = (path / "config.json").read_text()
    name, size = ("vocabulary", 31) if kind in ("hibert", "etc", "flat") else ("vocab_size", 31)
    size = 9 if kind in ("pointer", "convolutional") else size
    least = f'"{name}": {size}'
    assert text.count(least) == 1
    (path / "config.json").write_text(text.replace(least, f'"{name}": {held}'))
    with pytest.raises(LongsumError, match=r"vocabulary of .* which the weights do not have"):
        check_model(path)
    (path / "config.json").write_text(text)
    check_model(path)


LIMITS = {
    "encoder_layers": (0, 1_000),
    "num_beams": (1, 1_000),
    "num_attention_heads": (1, 4_096),
    "d_model": (1, 262_144),
    "vocab_size": (1, 8_388_608),
    "max_position_embeddings": (0, 4_194_304),
    "max_length": (-(2**31), 2**31),
    "eos_token_id": (1 - 2**63, 2**63 - 1),
}


@pytest.mark.parametrize("name", LIMITS)
def test_sizes_must_be_within_their_limits(name: str) -> None:
    """The limits are well above the sizes of the largest known models."""
    path, (least, most) = Path("config.json"), LIMITS[name]
    for known in (least, most, None):
        check_settings({"encoder": {name: known}}, path)
    unknown = (0.5, True, "1") if least in (0, 1) else ()
    for value in (least - 1, most + 1, 10**30, 1e400, [10**30], *unknown):
        with pytest.raises(LongsumError, match=f"as '{name}'"):
            check_settings({"encoder": {name: value}}, path)


SETTINGS = {
    "nothing": ("", r"has no readable config\.json; give the folder"),
    "no JSON": ("{", "is damaged"),
    "deep JSON": ("[" * 200_000, "nested too deeply"),
    "a list": ("[]", "holds no settings"),
    "no number": ('{"dropout": NaN}', "NaN is no number"),
    "thousands of digits": ('{"d_model": ' + "9" * 9000 + "}", "is damaged|as 'd_model'"),
    "too long": ('{"a": "' + "x" * 2**24 + '"}', "is longer than"),
    "an unknown kind": ('{"model_type": "x"}', "of the kind 'x'"),
    "a kind that is no name": ('{"model_type": [1]}', "of the kind"),
    "no activation": ('{"model_type": "bart", "activation_function": "x"}', "make no model"),
    "many labels": ('{"model_type": "bart", "num_labels": 1000000}', "as 'num_labels'"),
}


@pytest.mark.parametrize("what", SETTINGS)
def test_unusable_settings_are_refused(what: str, folder: Folder) -> None:
    path = folder("bart")
    text, problem = SETTINGS[what]
    (path / "config.json").write_text(text)
    for load in (load_seq2seq, load_writer):
        with pytest.raises(LongsumError, match=problem) as caught:
            load(path)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 600


@pytest.mark.parametrize("name", ["config.json", "generation_config.json", "tokenizer_config.json"])
def test_a_pipe_in_place_of_a_file_does_not_block(name: str, folder: Folder, tokenizer) -> None:
    path = folder("bart")
    tokenizer.save_pretrained(path)
    (path / name).unlink(missing_ok=True)
    os.mkfifo(path / name)
    code = "import sys, longsum.core.model_files.folders as f; f.check_model(sys.argv[1])"
    check = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, timeout=60)
    assert (check.returncode == 0) == (name != "config.json")


def test_too_many_beams_in_the_generation_settings_are_refused(folder: Folder) -> None:
    path = folder("bart")
    change(path / "generation_config.json", num_beams=10**9)
    with pytest.raises(LongsumError, match="1,000,000,000 as 'num_beams'"):
        load_seq2seq(path)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        *((name, "a/kernel", "code from elsewhere") for name in KERNELS),
        *((name, ["a.json"], "names other files") for name in ELSEWHERE),
        ("auto_map", {"AutoConfig": "code.C"}, "names code of its own"),
        ("quantization_config", {"bits": 4}, "quantized weights"),
    ],
)
def test_settings_that_name_other_files_or_code_are_refused_at_any_depth(name, value, said) -> None:
    path = Path("config.json")
    for spelled in (name, f"_{name}", f"_{name}_internal"):
        for settings in (
            {spelled: value},
            {"a": {"b": {spelled: value}}},
            {"a": [{spelled: value}]},
        ):
            with pytest.raises(LongsumError, match=rf"'config\.json' .*{said}"):
                check_followed(settings, path)
    check_followed({name: None, f"{name}s": value}, path)


def test_attention_is_one_of_those_of_transformers() -> None:
    for known in ("eager", "sdpa", "flex_attention"):
        check_followed({"_attn_implementation": known}, Path("config.json"))


@pytest.mark.parametrize("vocabulary", ["vocab_size", "vocabulary"])
@pytest.mark.parametrize("width", ["embedding_size", "d_model", "hidden_size", "size", "n_embd"])
def test_weights_must_hold_the_vocabulary_at_the_smallest_width(
    vocabulary: str, width: str
) -> None:
    shapes, path = {"a": (3, 4), "b": (8,)}, Path("config.json")
    inner = {width: 4, "size": 9} if width != "size" else {width: 4}
    for place in (lambda part: part, lambda part: {"decoder": part}):
        check_against(place({vocabulary: 5, **inner}), shapes, path)
        with pytest.raises(LongsumError, match="a vocabulary of 6 in 4 features"):
            check_against(place({vocabulary: 6, **inner}), shapes, path)
    with pytest.raises(LongsumError, match="a vocabulary of 21 in 1 features"):
        check_against({vocabulary: 21}, shapes, path)


@pytest.mark.parametrize(
    "name",
    ["layers", "encoder_layers", "num_layers", "num_hidden_layers", "n_layer", "n_layers"],
)
def test_weights_must_have_a_tensor_for_each_layer(name: str) -> None:
    check_against({name: 2}, {"a": (3,), "b": (8,)}, Path("config.json"))
    with pytest.raises(LongsumError, match="states 3 layers"):
        check_against({name: 3}, {"a": (3,), "b": (8,)}, Path("config.json"))
