"""A model's folder is data: none of it runs, and none of it is believed before it is checked."""

import ast
import json
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from transformers import BartConfig, BartForConditionalGeneration, T5Config
from transformers import T5ForConditionalGeneration as T5

from longsum import LongsumError
from longsum.models.compact import load_compact
from longsum.models.convolutional import LongsumConvolutional, LongsumConvolutionalConfig
from longsum.models.extractive import load_extractor, save_extractor
from longsum.models.extractive.architectures import build, read_settings
from longsum.models.folders import check_model, find_folder
from longsum.models.hugging_face import load_config, load_model, load_tokenizer
from longsum.models.pointer import (
    LongsumPointerConfig,
    LongsumPointerGenerator,
    Vocabulary,
    load_word_model,
    save_word_model,
)
from longsum.models.seq2seq import (
    LongsumForConditionalGeneration,
    LongsumSeq2SeqConfig,
    from_checkpoint,
    load_seq2seq,
)
from longsum.models.tagger import LongsumTagger
from longsum.models.tagger.loading import load_tagger
from longsum.models.weight_files import read_shapes
from longsum.systems.pretrained import load_model_system
from longsum.systems.registry import load_model as load_any

ROOT = Path(__file__).parent.parent.parent
SIZES = {
    "vocab_size": 31,
    "d_model": 8,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 8,
    "decoder_ffn_dim": 8,
}
Folder = Callable[[str], Path]
Change = Callable[[Path], None]


def seq2seq(path: Path) -> None:
    lengths = dict.fromkeys(("max_source_positions", "max_target_positions"), 16)
    config = LongsumSeq2SeqConfig(**SIZES, **lengths, top_down={"layers": 1, "segment_layers": 1})
    LongsumForConditionalGeneration(config).save_pretrained(path)


def tagger(path: Path) -> None:
    config = LongsumSeq2SeqConfig(**SIZES, max_source_positions=16)
    LongsumTagger.of(LongsumForConditionalGeneration(config)).save_pretrained(path)


def bart(path: Path) -> None:
    BartForConditionalGeneration(BartConfig(**SIZES, max_position_embeddings=16)).save_pretrained(
        path
    )


def t5(path: Path) -> None:
    sizes = {"vocab_size": 31, "d_model": 8, "d_kv": 4, "d_ff": 8, "num_layers": 1, "num_heads": 2}
    T5(T5Config(**sizes)).save_pretrained(path)


def words(kind: Any, config: Any) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        sizes = {"vocab_size": 9, "embedding_size": 4, "hidden_size": 4}
        save_word_model(kind(config(**sizes)), Vocabulary("abcde"), path)

    return make


def extractor(architecture: str, settings: dict[str, Any]) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        save_extractor(build(architecture, read_settings(architecture, settings)), path)

    return make


SMALL = {"vocabulary": 31, "size": 8, "layers": 1, "heads": 2, "feed_forward": 8}
MAKERS: dict[str, Callable[[Path], None]] = {
    "seq2seq": seq2seq,
    "tagger": tagger,
    "bart": bart,
    "t5": t5,
    "pointer": words(LongsumPointerGenerator, LongsumPointerConfig),
    "convolutional": words(LongsumConvolutional, LongsumConvolutionalConfig),
    "hibert": extractor(
        "hibert",
        {
            "sentence_encoder": {**SMALL, "positions": 16},
            "document_encoder": {"layers": 1, "feed_forward": 8, "sentences": 16, "plan": 4},
        },
    ),
    "etc": extractor("etc", {**SMALL, "radius": 4}),
    "flat": extractor("flat", {"encoder": {**SMALL, "positions": 16}}),
}
LOADERS: dict[str, Callable[[Path], object]] = {
    "seq2seq": load_seq2seq,
    "tagger": load_tagger,
    "bart": load_seq2seq,
    "t5": load_model_system,
    "pointer": lambda path: load_word_model(path, LongsumPointerGenerator),
    "convolutional": lambda path: load_word_model(path, LongsumConvolutional),
    **dict.fromkeys(("hibert", "etc", "flat"), load_extractor),
}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Make the folder of a tiny model of a kind."""

    def make(kind: str) -> Path:
        torch.manual_seed(0)
        MAKERS[kind](tmp_path / kind)
        return tmp_path / kind

    return make


def change(path: Path, **settings: Any) -> None:
    """Change settings in a file; those that are dicts are merged into what is there."""

    def merged(old: Any, new: Any) -> Any:
        if not isinstance(old, dict) or not isinstance(new, dict):
            return new
        return {**old, **{name: merged(old.get(name), value) for name, value in new.items()}}

    old = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps(merged(old, settings)))


@pytest.fixture
def foreign(tmp_path: Path, tokenizer) -> tuple[Path, Path]:
    """The folder of a model whose code, all of it, leaves a mark; and that mark."""
    path, mark = tmp_path / "foreign", tmp_path / "mark"
    bart(path)
    tokenizer.save_pretrained(path)
    code = f"import pathlib\npathlib.Path({str(mark)!r}).write_text(__name__)\n"
    for name in ("configuration_x", "modeling_x", "tokenization_x"):
        (path / f"{name}.py").write_text(code)
    (path / "custom_generate").mkdir()
    (path / "custom_generate" / "generate.py").write_text(code)
    return path, mark


FOREIGN = {
    "the settings, of an unknown kind": (
        "config.json",
        {"model_type": "x", "auto_map": {"AutoConfig": "configuration_x.C"}},
    ),
    "the model, of a known kind": (
        "config.json",
        {"auto_map": {"AutoModelForSeq2SeqLM": "modeling_x.M"}},
    ),
    "the tokenizer, beside the model's settings": (
        "config.json",
        {"auto_map": {"AutoTokenizer": ["tokenization_x.T", None]}},
    ),
    "the tokenizer": (
        "tokenizer_config.json",
        {"tokenizer_class": "T", "auto_map": {"AutoTokenizer": ["tokenization_x.T", None]}},
    ),
    "the tokenizer, in the old form": (
        "tokenizer_config.json",
        {"tokenizer_class": "T", "auto_map": ["tokenization_x.T", "tokenization_x.T"]},
    ),
    "a model within": (
        "config.json",
        {
            "model_type": "encoder-decoder",
            "encoder": {"model_type": "bert"},
            "decoder": {"model_type": "x", "auto_map": {"AutoModelForCausalLM": "modeling_x.M"}},
        },
    ),
    "settings in another file": (
        "config.json",
        {"configuration_files": ["config.4.0.0.json"]},
    ),
    "weights in another file": ("config.json", {"transformers_weights": "adapter_model.bin"}),
    "a tokenizer in another file": (
        "tokenizer_config.json",
        {"fast_tokenizer_files": ["tokenizer.4.0.0.json"]},
    ),
    "kernels of the Hub": ("config.json", {"_attn_implementation": "somebody/kernels"}),
    "quantized weights": ("config.json", {"quantization_config": {"quant_method": "hqq"}}),
    "an adapter": ("adapter_config.json", {"base_model_name_or_path": "somebody/model"}),
}


@pytest.mark.parametrize("what", FOREIGN)
def test_no_code_of_a_folder_runs_whatever_is_answered(
    what: str, foreign: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, mark = foreign
    name, settings = FOREIGN[what]
    change(path / name, **settings)
    if "configuration_files" in settings:
        (path / "config.4.0.0.json").write_text(
            json.dumps({"model_type": "x", "auto_map": {"AutoConfig": "configuration_x.C"}})
        )
    monkeypatch.setattr("builtins.input", lambda *_: "y")
    ways: list[Callable[[Path], object]] = [load_any, load_model_system, from_checkpoint]
    ways += [load_tokenizer] if "tokenizer" in name else [load_seq2seq, load_config]
    for load in ways:
        with pytest.raises(LongsumError, match=r"auto_map|\.json'|adapter"):
            load(path)
    assert not mark.exists()


def test_an_untold_program_beside_a_model_stays_unread(foreign: tuple[Path, Path]) -> None:
    path, mark = foreign
    load_model_system(path)
    assert not mark.exists()


COMMANDS = [
    ("summarize", "EXAMPLE", "--model", "FOLDER"),
    ("summarize", "EXAMPLE", "--prototype", "FOLDER"),
    ("summarize", "EXAMPLE", "--importance", "FOLDER"),
    ("questions", "EXAMPLE", "--model", "FOLDER"),
    ("convert", "FOLDER", "NEW"),
    ("biases", "FOLDER"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[::2]))
def test_no_command_asks_whether_to_run_code(
    command: tuple[str, ...], foreign: tuple[Path, Path], example_path: Path
) -> None:
    path, mark = foreign
    change(path / "config.json", **FOREIGN["the settings, of an unknown kind"][1])
    places = {"EXAMPLE": example_path, "FOLDER": path, "NEW": path.parent / "new"}
    words = [str(places.get(word, word)) for word in command]
    done = subprocess.run(
        [sys.executable, "-m", "longsum", *words], input="y\n", capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "runs no code that comes with a model" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not mark.exists()


LOADS = {"AutoConfig", "AutoTokenizer", "AutoModel", "AutoModelForSeq2SeqLM", "GenerationConfig"}


def test_one_place_loads_what_lies_in_folders() -> None:
    for path in (
        file for room in ("src", "gpu", "benchmarks") for file in (ROOT / room).rglob("*.py")
    ):
        if path.name == "hugging_face.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                assert node.attr != "from_pretrained", f"{path}:{node.lineno}"
                assert ast.unparse(node) not in ("torch.load", "np.lib.format.read_array"), path
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.name for alias in node.names} | {getattr(node, "module", "")}
                assert not names & {"pickle", "cloudpickle", "joblib", "dill", "marshal"}, path
            if isinstance(node, ast.keyword) and node.arg in ("trust_remote_code", "allow_pickle"):
                assert ast.unparse(node.value) == "False", f"{path}:{node.value.lineno}"


def test_what_passes_is_as_safe_as_transformers_can_be_told(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[dict[str, Any]] = []
    original = T5.from_pretrained.__func__

    def watched(kind: Any, *words: Any, **named: Any) -> Any:
        given.append(named)
        return original(kind, *words, **named)

    monkeypatch.setattr(T5, "from_pretrained", classmethod(watched))
    load_model(T5, folder("t5"))
    assert given[0]["trust_remote_code"] is False
    assert given[0]["local_files_only"] is True
    assert given[0]["use_safetensors"] is True


@pytest.mark.parametrize("kind", MAKERS)
def test_a_whole_model_loads(kind: str, folder: Folder, tokenizer) -> None:
    path = folder(kind)
    tokenizer.save_pretrained(path)
    check_model(path)
    assert LOADERS[kind](path) is not None


HOSTILE = (10_000_000, 10**30, -1, 2.5, 1e400, float("nan"), "many", True, [10**9])
NESTED = {"settings": {"sentence_encoder", "document_encoder", "encoder"}, "top_down": set()}


def sizes_of(settings: dict[str, Any], above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return where the whole numbers of settings stand, but ids."""
    found = []
    for name, value in settings.items():
        if isinstance(value, dict) and name != "label2id":
            found += sizes_of(value, (*above, name))
        elif type(value) is int and not name.endswith("_id"):
            found.append((*above, name))
    return found


@pytest.mark.parametrize("kind", MAKERS)
def test_a_size_that_no_model_has_is_refused_in_time(kind: str, folder: Folder, tokenizer) -> None:
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
            began = time.perf_counter()
            try:
                LOADERS[kind](path)
            except LongsumError as error:
                assert "\n" not in str(error)
            else:
                # What is allowed is no number of anything that is built.
                assert (place, value) in [], (place, value)
            assert time.perf_counter() - began < 2, (place, value)
    (path / "config.json").write_text(text)
    LOADERS[kind](path)
