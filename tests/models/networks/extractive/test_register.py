import subprocess
import sys

import pytest
from transformers import AutoModel, AutoModelForSeq2SeqLM
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

import longsum.models.networks
from longsum.common import beginning as announce
from longsum.models.networks.extractive.modeling_extractive import (
    LongsumExtractor,
    LongsumExtractorConfig,
)
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig
from tiny_sizes import tiny_sizes

TINY = {"vocab_size": 11, **tiny_sizes(8, 2, 8, layers=1, positions=8)}
FLAT = {"encoder": {"vocabulary": 11, "size": 8, "layers": 1, "heads": 2, "feed_forward": 8}}
LOAD = """
import sys
assert "longsum.models.networks.seq2seq" not in sys.modules
assert "longsum.models.networks.extractive" not in sys.modules
seq2seq, extractor = sys.argv[1:]
config = transformers.AutoConfig.from_pretrained(seq2seq)
model = transformers.AutoModelForSeq2SeqLM.from_pretrained(seq2seq)
base = transformers.AutoModel.from_pretrained(seq2seq)
chosen = transformers.AutoModel.from_pretrained(extractor)
for made in (config, model, base, chosen, chosen.config):
    print(type(made).__name__)
"""
LOADED = """\
LongsumSeq2SeqConfig
LongsumForConditionalGeneration
LongsumSeq2SeqModel
LongsumExtractor
LongsumExtractorConfig
"""
ORDERS = {
    # This part of transformers loads the Auto classes while it is itself being loaded.
    "before": "import longsum, transformers, transformers.modeling_layers",
    "after": "import transformers.models.auto.modeling_auto, longsum",
}


def test_registering_twice_is_harmless_and_real_classes_are_not_replaced() -> None:
    longsum.models.networks.register()
    longsum.models.networks.register()
    announce.announce()
    for real in (LongsumSeq2SeqConfig, LongsumExtractorConfig):
        assert CONFIG_MAPPING[real.model_type] is real
    assert AutoModelForSeq2SeqLM._model_mapping[LongsumSeq2SeqConfig] is (
        LongsumForConditionalGeneration
    )
    assert AutoModel._model_mapping[LongsumExtractorConfig] is LongsumExtractor


@pytest.mark.slow
def test_auto_classes_know_our_models_in_any_order_of_imports(tmp_path) -> None:
    folders = tmp_path / "seq2seq", tmp_path / "extractor"
    LongsumForConditionalGeneration(LongsumSeq2SeqConfig(**TINY)).save_pretrained(folders[0])
    settings = LongsumExtractorConfig(architecture="flat", settings=FLAT)
    LongsumExtractor(settings).save_pretrained(folders[1])
    # All at once: each spends seconds on importing.
    running = {
        name: subprocess.Popen(
            [sys.executable, "-c", order + LOAD, *folders],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, order in ORDERS.items()
    }
    for name, process in running.items():
        out, err = process.communicate(timeout=120)
        assert out == LOADED, f"{name}: {err}"


def test_a_stand_in_makes_real_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the Auto classes do not know the models."""
    known = CONFIG_MAPPING._extra_content.items()
    rest = {name: config for name, config in known if name not in announce.STAND_INS}
    monkeypatch.setattr(CONFIG_MAPPING, "_extra_content", rest)
    announce.announce()
    flat = {"architecture": "flat", "settings": FLAT}
    for real, settings in ((LongsumSeq2SeqConfig, TINY), (LongsumExtractorConfig, flat)):
        stand_in = CONFIG_MAPPING[real.model_type]
        assert stand_in is announce.STAND_INS[real.model_type]
        assert stand_in is not real
        assert isinstance(stand_in(**settings), real)
        assert isinstance(stand_in.from_dict(settings), real)
