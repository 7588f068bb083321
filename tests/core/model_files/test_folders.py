"""A model's folder is data: nothing in it is run, and nothing is trusted before a check."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from transformers import (
    BartTokenizer,
    BertTokenizer,
    LlamaTokenizer,
    T5ForConditionalGeneration,
    T5Tokenizer,
    XLMRobertaTokenizer,
)

from longsum import LongsumError
from longsum.core.loading import load_model as load_any
from longsum.core.model_files import folders
from longsum.core.model_files.folders import ModelFolder, check_local, find_folder
from longsum.core.model_files.weight_files import weights_sha256
from longsum.core.recipes import load_recipe
from longsum.models.networks.hugging_face import load_config, load_model, load_tokenizer
from longsum.models.networks.seq2seq import from_checkpoint, load_seq2seq
from longsum.models.training.documents import PreparedCache
from longsum.models.training.prepare_tokens import run_tokenizer
from longsum.models.training.run_seq2seq import SEQ2SEQ, start_model
from longsum.models.writing.hub import load_writer
from settings_files import change

ROOT = Path(__file__).parents[3]
Folder = Callable[[str], Path]


@pytest.fixture
def foreign(tmp_path: Path, folder: Folder, tokenizer) -> tuple[Path, Path]:
    """Return the folder of a model whose code would create a mark file, and that file's path."""
    path, mark = folder("bart"), tmp_path / "mark"
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
    "settings in another file": ("config.json", {"configuration_files": ["config.4.0.0.json"]}),
    "weights in another file": ("config.json", {"transformers_weights": "adapter_model.bin"}),
    "a tokenizer in another file": (
        "tokenizer_config.json",
        {"fast_tokenizer_files": ["tokenizer.4.0.0.json"]},
    ),
    "kernels of the Hub": ("config.json", {"_attn_implementation": "somebody/kernels"}),
    "quantized weights": ("config.json", {"quantization_config": {"quant_method": "hqq"}}),
    "an adapter": ("adapter_config.json", {"base_model_name_or_path": "somebody/model"}),
}


REFUSED = r"names code of its own|names other files|from elsewhere|quantized|adapter"


@pytest.mark.parametrize("what", FOREIGN)
def test_no_code_of_a_folder_runs_even_if_a_prompt_is_answered_with_yes(
    what, foreign, monkeypatch
) -> None:
    path, mark = foreign
    name, settings = FOREIGN[what]
    change(path / name, **settings)
    if "configuration_files" in settings:
        (path / "config.4.0.0.json").write_text(
            json.dumps({"model_type": "x", "auto_map": {"AutoConfig": "configuration_x.C"}})
        )
    monkeypatch.setattr("builtins.input", lambda *_: "y")

    def train(path: Path) -> object:
        settings = SEQ2SEQ.settings_of(load_recipe("hepos"), {"checkpoint": str(path)})
        cache = PreparedCache(settings.data, path.parent / "new")
        return start_model(settings, run_tokenizer(settings, cache))

    ways: list[Callable[[Path], object]] = [load_any, load_writer, from_checkpoint, train]
    ways += [load_tokenizer] if "tokenizer" in name else [load_seq2seq, load_config]
    for load in ways:
        with pytest.raises(LongsumError, match=REFUSED):
            load(path)
    assert not mark.exists()


def test_code_beside_a_model_that_does_not_name_it_never_runs(foreign: tuple[Path, Path]) -> None:
    path, mark = foreign
    load_any(path)
    assert not mark.exists()


def test_a_folder_is_read_once(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder("seq2seq")
    read: list[str] = []
    original = folders.read_settings_file

    def counted(path: Path) -> dict:
        read.append(path.name)
        return original(path)

    monkeypatch.setattr(folders, "read_settings_file", counted)
    monkeypatch.setattr(folders, "weights_sha256", lambda _: pytest.fail("hashed"))
    model_folder = ModelFolder.at(path)
    load_seq2seq(model_folder)
    load_config(model_folder)
    load_seq2seq(model_folder, max_source_positions=64)
    assert sorted(read) == ["config.json", "generation_config.json"]


def test_properties_of_a_folder(folder: Folder, tokenizer) -> None:
    path = folder("seq2seq")
    assert ModelFolder.at(path).tokenizer_files == []
    tokenizer.save_pretrained(path)
    (path / "training.yaml").write_text("recipe: hepos\nsettings: {task: {}}\n")
    found = ModelFolder.at(path)
    assert ModelFolder.at(found) is found
    assert (found.name, os.fspath(found)) == (path.name, str(path))
    assert found.model_type == found.settings["model_type"] == "longsum_seq2seq"
    assert found.training == {"recipe": "hepos", "settings": {"task": {}}}
    assert found.tokenizer_files == [path / "tokenizer.json"]
    assert found.weights_sha256 == weights_sha256(path)
    check_local(path)
    with pytest.raises(LongsumError, match="There is no folder 'owner/a-model'; give that of"):
        check_local("owner/a-model")


@pytest.mark.parametrize(
    "kind", [BartTokenizer, BertTokenizer, LlamaTokenizer, T5Tokenizer, XLMRobertaTokenizer]
)
def test_files_that_a_tokenizer_reads_are_listed(kind, tmp_path: Path) -> None:
    read = {*kind.vocab_files_names.values(), "special_tokens_map.json", "added_tokens.json"}
    for name in {*read, "config.json", "notes.txt"}:
        (tmp_path / name).write_text("{}")
    assert {each.name for each in ModelFolder.at(tmp_path).tokenizer_files} == read


@pytest.mark.parametrize("text", ["[", "[1]", "recipe: hepos", "recipe: x\nsettings: [1]"])
def test_damaged_training_settings(text: str, folder: Folder) -> None:
    path = folder("seq2seq")
    (path / "training.yaml").write_text(text)
    with pytest.raises(LongsumError, match=r"training\.yaml is damaged"):
        _ = ModelFolder.at(path).training


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), ValueError("no UTF-8")])
def test_unreadable_files_in_a_folder_are_reported(error: Exception, tmp_path, monkeypatch) -> None:
    for name in ("config.json", "training.yaml", "chat_template.jinja"):
        (tmp_path / name).write_text("{}")
    monkeypatch.setattr(Path, "read_text", Mock(side_effect=error))
    with pytest.raises(LongsumError, match=r"its training\.yaml is damaged"):
        _ = ModelFolder.of(tmp_path).training
    with pytest.raises(LongsumError, match=r"chat_template\.jinja' cannot be read as a"):
        _ = ModelFolder.of(tmp_path).chat_template


LOADING = "from_pretrained|torch.load|read_array|pickle|joblib|dill|marshal|trust_remote_code"


def test_only_one_module_loads_files_of_model_folders() -> None:
    for path in (
        file for room in ("src", "gpu", "benchmarks") for file in (ROOT / room).rglob("*.py")
    ):
        text = path.read_text(encoding="utf-8")
        if path.name == "hugging_face.py" or not re.search(LOADING, text):
            continue
        tree = ast.parse(text)
        for node in ast.walk(tree):
            # An inherited loader of our own class loads no other class.
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) != "super()":
                assert node.attr != "from_pretrained", f"{path}:{node.lineno}"
                assert ast.unparse(node) not in ("torch.load", "np.lib.format.read_array"), path
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.name for alias in node.names} | {getattr(node, "module", "")}
                assert not names & {"pickle", "cloudpickle", "joblib", "dill", "marshal"}, path
            if isinstance(node, ast.keyword) and node.arg in ("trust_remote_code", "allow_pickle"):
                assert ast.unparse(node.value) == "False", f"{path}:{node.value.lineno}"


def test_transformers_loads_with_its_safest_options(folder, monkeypatch) -> None:
    given = []
    original = T5ForConditionalGeneration.from_pretrained.__func__

    def watched(kind, *words, **named):
        given.append(named)
        return original(kind, *words, **named)

    monkeypatch.setattr(T5ForConditionalGeneration, "from_pretrained", classmethod(watched))
    load_model(T5ForConditionalGeneration, folder("t5"))
    assert given[0]["trust_remote_code"] is False
    assert given[0]["local_files_only"] is True
    assert given[0]["use_safetensors"] is True


LIGHT = """
import sys
from longsum import LongsumError
from longsum.core.model_files.folders import check_model
from longsum.core.loading import load_model
for path in sys.argv[1:]:
    for check in (check_model, load_model):
        try:
            check(path)
        except LongsumError as error:
            print(error)
assert not {"torch", "transformers"} & set(sys.modules)
"""


def test_a_damaged_folder_is_refused_before_slow_imports(folder) -> None:
    weights, settings = folder("bart"), folder("t5")
    (weights / "model.safetensors").write_bytes(b"\xff" * 40)
    (settings / "config.json").write_bytes(b"\xff" * 40)
    words = [sys.executable, "-c", LIGHT, str(weights), str(settings)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.count("is damaged") == 4


def test_offline_a_model_on_the_hub_is_reported_as_out_of_reach(tmp_path, monkeypatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(LongsumError) as error:
        find_folder("facebook/bart-large-cnn")
    assert str(error.value) == (
        "The model 'facebook/bart-large-cnn' is not a folder here, and cannot be fetched "
        "from the Hugging Face Hub (HF_HUB_OFFLINE is set); run 'hf download "
        "facebook/bart-large-cnn --local-dir FOLDER' where there is a network, bring the folder "
        "here, and give it in place of the name, as in --model FOLDER or, to train, "
        "checkpoint=FOLDER."
    )


@pytest.mark.parametrize(
    "name",
    [
        *("nowhere", "here/misspelled", "./nowhere", "../a/b", "a/b/c", "/nowhere/a", "~/model"),
        *("a/", ".a/b", "a b"),
    ],
)
def test_a_name_that_looks_like_a_path_is_not_looked_up_on_the_hub(
    name, monkeypatch, tmp_path
) -> None:
    import huggingface_hub

    monkeypatch.chdir(tmp_path)
    Path("here").mkdir()
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda *_, **__: pytest.fail(name))
    with pytest.raises(LongsumError, match=f"There is no folder '{name}'"):
        find_folder(name)


def test_errors_of_the_hub_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub
    from huggingface_hub import errors

    class Refused(errors.RepositoryNotFoundError):
        def __init__(self) -> None:
            Exception.__init__(self, "404\nwith many lines")

    def answering(error: Exception) -> Callable[..., str]:
        def fetch(*_: object, **__: object) -> str:
            raise error

        return fetch

    for number, (error, problem) in enumerate(
        [
            (Refused(), "no model of that name .* that you may read"),
            (errors.HFValidationError("bad\nname"), "can have that name"),
            (errors.LocalEntryNotFoundError("none"), "cannot be fetched .*cannot be reached"),
            (OSError(28, "No space left on device"), r"cannot be fetched .*\(No space left on"),
            (RuntimeError("whatever\nit is"), "cannot be fetched .*cannot be reached"),
        ]
    ):
        monkeypatch.setattr(huggingface_hub, "snapshot_download", answering(error))
        with pytest.raises(LongsumError, match=problem) as caught:
            find_folder(f"some/model-{number}")
        assert "\n" not in str(caught.value)
