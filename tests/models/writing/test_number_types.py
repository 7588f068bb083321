"""`--dtype`: bfloat16 if the device supports it and the model writes the same."""

import pytest
import torch
from transformers import LongT5Config, LongT5ForConditionalGeneration

from longsum.common.errors import LongsumError
from longsum.models.writing import number_types
from longsum.models.writing.hub import load_writer


@pytest.fixture
def native(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(number_types, "computes_in_bfloat16", lambda _: True)


@pytest.mark.usefixtures("native")
def test_auto_is_bfloat16_if_every_likeliest_token_stays(folder, monkeypatch) -> None:
    asked = []
    through = number_types._likeliest

    def likeliest(writer):
        found = through(writer)
        asked.append((writer.model.dtype, found.shape))
        return torch.zeros_like(found)

    monkeypatch.setattr(number_types, "_likeliest", likeliest)
    writer = load_writer(folder, dtype="auto")
    assert writer.settings["dtype"] == "bfloat16"
    assert [each for each, _ in asked] == [torch.float32, torch.bfloat16]
    assert asked[0][1][1] > 20


@pytest.mark.usefixtures("native")
def test_auto_is_unrounded_fp32_if_one_token_differs(folder, monkeypatch) -> None:
    through = number_types._likeliest
    monkeypatch.setattr(
        number_types,
        "_likeliest",
        lambda writer: through(writer) + (writer.model.dtype == torch.bfloat16),
    )
    writer, plain = load_writer(folder, dtype="auto"), load_writer(folder)
    assert writer.settings["dtype"] == "float32"
    for one, other in zip(writer.model.parameters(), plain.model.parameters(), strict=True):
        assert torch.equal(one, other)


def test_auto_tries_nothing_on_a_device_without_bfloat16(folder, monkeypatch) -> None:
    monkeypatch.setattr(number_types, "computes_in_bfloat16", lambda _: False)
    monkeypatch.setattr(number_types, "_likeliest", None)
    assert load_writer(folder, dtype="auto").settings["dtype"] == "float32"


@pytest.mark.parametrize(
    ("known", "native"),
    [({}, False), ({"avx512_bf16": True}, True), ({"amx_bf16": True, "avx512_bf16": False}, True)],
)
def test_support_for_bfloat16_follows_the_processors_capabilities(
    monkeypatch, known, native
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: known)
    assert number_types.computes_in_bfloat16(torch.device("cpu")) is native
    assert not number_types.computes_in_bfloat16(torch.device("meta"))


@pytest.mark.usefixtures("native")
def test_auto_also_tries_models_of_transformers(tokenizer, tmp_path) -> None:
    sizes = {"vocab_size": len(tokenizer), "d_model": 16, "d_kv": 8, "d_ff": 16}
    config = LongT5Config(**sizes, num_layers=1, num_heads=2, decoder_start_token_id=0)
    LongT5ForConditionalGeneration(config).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    assert load_writer(tmp_path, dtype="auto").settings["dtype"] in ("bfloat16", "float32")


def test_there_are_no_other_names(folder) -> None:
    with pytest.raises(LongsumError, match="no dtype 'half'; choose one of float32, bfloat16"):
        load_writer(folder, dtype="half")
