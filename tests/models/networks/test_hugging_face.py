"""Whether what is loaded of a folder is what its settings call for."""

import json

import pytest

from longsum.common.errors import LongsumError
from longsum.models.networks.hugging_face import load_model, weights_of
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig
from tiny_sizes import tiny_sizes


def _config(**other: object) -> LongsumSeq2SeqConfig:
    sizes = tiny_sizes(16, 2, 16, positions=(40, 8))
    return LongsumSeq2SeqConfig(vocab_size=31, **sizes, **other)


@pytest.mark.parametrize(("more", "says"), [(1, "it lacks"), (-1, "it has no place for")])
def test_weights_that_are_not_those_of_the_settings_are_refused(tmp_path, more, says) -> None:
    LongsumForConditionalGeneration(_config()).save_pretrained(tmp_path)
    file = tmp_path / "config.json"
    settings = json.loads(file.read_text())
    file.write_text(json.dumps(settings | {"encoder_layers": settings["encoder_layers"] + more}))
    with pytest.raises(LongsumError, match=rf"{says} .*encoder\.layers\..* such weights\)"):
        load_model(LongsumForConditionalGeneration, tmp_path)


@pytest.mark.parametrize(("length", "shown"), [(100, "x" * 100 + ")"), (300, "…)")])
def test_what_makes_no_model_is_told_in_a_line(monkeypatch, length, shown) -> None:
    def broken(*_: object) -> None:
        raise ValueError("y\n" + "x" * length)

    monkeypatch.setattr(LongsumForConditionalGeneration, "__init__", broken)
    with pytest.raises(LongsumError, match="settings make no model") as caught:
        weights_of(LongsumForConditionalGeneration, _config())
    assert "y x" in str(caught.value)
    assert shown in str(caught.value)
    assert len(str(caught.value)) < 300
