import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoModelForSeq2SeqLM
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

import longsum.models
from longsum.models import announce
from longsum.models.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig

TINY: dict[str, Any] = {
    "vocab_size": 11,
    "d_model": 8,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 8,
    "decoder_ffn_dim": 8,
    "max_source_positions": 8,
    "max_target_positions": 8,
}
LOAD = """
import sys
assert "longsum.models.seq2seq" not in sys.modules
folder = sys.argv[1]
config = transformers.AutoConfig.from_pretrained(folder)
model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder)
base = transformers.AutoModel.from_pretrained(folder)
print(type(config).__name__, type(model).__name__, type(base).__name__)
"""
ORDERS = {
    # This part of transformers loads the Auto classes while it is itself being loaded.
    "before": "import longsum, transformers, transformers.modeling_layers",
    "after": "import transformers.models.auto.modeling_auto, longsum",
}


def test_registering_twice_is_harmless() -> None:
    longsum.models.register()
    longsum.models.register()
    assert AutoModelForSeq2SeqLM._model_mapping[LongsumSeq2SeqConfig] is (
        LongsumForConditionalGeneration
    )


def test_longsum_is_light() -> None:
    code = "import sys, longsum; sys.exit(bool({'transformers', 'torch'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_auto_classes_know_our_models_in_any_order_of_imports(tmp_path: Path) -> None:
    LongsumForConditionalGeneration(LongsumSeq2SeqConfig(**TINY)).save_pretrained(tmp_path)
    # All at once: each spends seconds on importing.
    running = {
        name: subprocess.Popen(
            [sys.executable, "-c", order + LOAD, tmp_path],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, order in ORDERS.items()
    }
    for name, process in running.items():
        out, err = process.communicate(timeout=120)
        assert out == (
            "LongsumSeq2SeqConfig LongsumForConditionalGeneration LongsumSeq2SeqModel\n"
        ), f"{name}: {err}"


@pytest.fixture
def unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the Auto classes not know the model."""
    rest = dict(CONFIG_MAPPING._extra_content)
    rest.pop(announce.MODEL_TYPE)
    monkeypatch.setattr(CONFIG_MAPPING, "_extra_content", rest)


def test_the_stand_in_makes_real_settings(unknown: Callable[..., None]) -> None:  # noqa: ARG001
    announce.announce()
    stand_in = CONFIG_MAPPING[announce.MODEL_TYPE]
    assert stand_in is announce.LongsumSeq2SeqConfig
    assert isinstance(stand_in(**TINY), LongsumSeq2SeqConfig)
    assert isinstance(stand_in.from_dict(TINY), LongsumSeq2SeqConfig)


def test_real_classes_are_not_replaced() -> None:
    longsum.models.register()
    announce.announce()
    assert CONFIG_MAPPING[announce.MODEL_TYPE] is LongsumSeq2SeqConfig


def test_the_hook_finds_what_others_find(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = find_spec(announce.HOME)
    monkeypatch.delitem(sys.modules, announce.HOME)
    hook = announce.Waiting()
    monkeypatch.setattr(sys, "meta_path", [hook, *sys.meta_path])
    spec = find_spec(announce.HOME)
    assert expected is not None
    assert spec is not None
    assert spec.origin == expected.origin
    assert hook.find_spec("json", None) is None
