"""Folders that `from_pretrained` and the Auto classes load: foreign models, and compact ones."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor
from transformers import AutoConfig, AutoModel, AutoModelForSeq2SeqLM, PreTrainedModel

from longsum.common.errors import LongsumError
from longsum.models.networks.seq2seq import (
    LongsumForConditionalGeneration,
    from_checkpoint,
    load_seq2seq,
)
from longsum.models.networks.seq2seq.encoder import LongsumEncoder
from longsum.models.networks.seq2seq.modeling_seq2seq import LongsumSeq2SeqModel
from longsum.models.networks.tagger import LongsumTagger
from longsum.models.networks.weights import save_compact
from settings_files import change

from .conftest import peer, sources

HEPOS = {"kind": "hepos", "stride": 2}


def logits(model, ids: Tensor, mask: Tensor) -> Tensor:
    target = torch.arange(3, 10).expand(len(ids), -1)
    with torch.no_grad():
        given = {"attention_mask": mask, "decoder_input_ids": target}
        found: Tensor = model(ids, **given).logits
    return found


def save_compacted(model: PreTrainedModel, folder: Path) -> None:
    """Save a model with compact weights alone."""
    model.save_pretrained(folder)
    save_compact(model.state_dict(), folder)
    (folder / "model.safetensors").unlink()


@pytest.mark.parametrize("family", ["bart", "led", "longt5_tglobal"])
def test_a_folder_of_another_model_converts_as_it_is_loaded(family, tmp_path) -> None:
    source, (ids, mask) = peer(family), sources(24, 5)
    source.generation_config.num_beams = 3
    source.save_pretrained(tmp_path)
    loaded = LongsumForConditionalGeneration.from_pretrained(tmp_path)
    assert not loaded.training
    assert loaded.config.name_or_path == str(tmp_path)
    assert loaded.generation_config.num_beams == 3
    converted = from_checkpoint(source)
    expected, found = converted.state_dict(), loaded.state_dict()
    assert all(torch.equal(found[name], tensor) for name, tensor in expected.items())
    given = {"global_attention_mask": torch.eye(1, 24).expand(2, -1)} if family == "led" else {}
    target = torch.arange(3, 10).expand(2, -1)
    with torch.no_grad():
        theirs = source(ids, attention_mask=mask, decoder_input_ids=target, **given).logits
    torch.testing.assert_close(logits(loaded, ids, mask), theirs, atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize("kind", ["prophetnet", "t5"])
def test_models_that_cannot_be_converted_are_reported(tmp_path: Path, kind: str) -> None:
    config = AutoConfig.for_model(kind, vocab_size=4, d_model=8, num_layers=1, encoder_layers=1)
    config.save_pretrained(tmp_path)
    save_file({"lm_head.weight": torch.zeros(4, 8)}, tmp_path / "model.safetensors")
    for load in (LongsumForConditionalGeneration.from_pretrained, load_seq2seq):
        with pytest.raises(LongsumError, match=f"{kind}' cannot be converted.*roberta.*Auto"):
            load(tmp_path)


def test_the_model_without_its_head_converts_too(tmp_path) -> None:
    source, (ids, mask) = peer("bart"), sources(13, 4)
    source.save_pretrained(tmp_path)
    loaded = LongsumSeq2SeqModel.from_pretrained(tmp_path)
    given = {"attention_mask": mask, "decoder_input_ids": ids[:, :5]}
    with torch.no_grad():
        expected = source.model(ids, **given).last_hidden_state
        found = loaded(ids, **given).last_hidden_state
    torch.testing.assert_close(found, expected, atol=2e-5, rtol=1e-4)


def test_parts_that_a_checkpoint_lacks_start_as_their_settings_say(tmp_path) -> None:
    peer("bart").save_pretrained(tmp_path)
    torch.manual_seed(2)
    loaded, told = LongsumForConditionalGeneration.from_pretrained(
        tmp_path,
        top_down={"layers": 1, "start": "zeros"},
        encoder_attention={"kind": "linformer", "projected": 6},
        output_loading_info=True,
    )
    layer = loaded.model.encoder.layers[-1]
    assert not layer.segment_update.out_proj.weight.any()
    assert 0.05 < layer.segment_update.q_proj.weight.std() / loaded.config.init_std < 5
    assert layer.self_attn.attention.projection.std() > 0.05
    assert told["missing_keys"]
    # Not what lay in its memory before; what was loaded is marked, and left as it is.
    loaded.final_logits_bias = loaded.final_logits_bias + 3.0
    loaded._init_weights(loaded)
    assert not loaded.final_logits_bias.any()


@pytest.mark.parametrize("kind", [LongsumEncoder, LongsumTagger])
def test_a_part_is_no_whole_model(tmp_path: Path, kind) -> None:
    peer("led").save_pretrained(tmp_path)
    with pytest.raises(LongsumError, match=r"kind 'led'; load it with .*load_seq2seq"):
        kind.from_pretrained(tmp_path)


def test_compact_weights_load_by_the_auto_classes(tmp_path) -> None:
    ids, mask = sources(13, 4)
    save_compacted(from_checkpoint(peer("bart"), cross_attention=HEPOS), tmp_path)
    expected = load_seq2seq(tmp_path)
    model, told = AutoModelForSeq2SeqLM.from_pretrained(tmp_path, output_loading_info=True)
    assert isinstance(model, LongsumForConditionalGeneration)
    assert not any(told.values())
    assert torch.equal(logits(model, ids, mask), logits(expected, ids, mask))
    base = AutoModel.from_pretrained(tmp_path)
    assert isinstance(base, LongsumSeq2SeqModel)
    assert all(
        torch.equal(tensor, expected.model.state_dict()[name])
        for name, tensor in base.state_dict().items()
    )
    changed = AutoModelForSeq2SeqLM.from_pretrained(
        tmp_path, cross_attention={"kind": "full"}, dtype=torch.bfloat16
    )
    assert changed.config.cross_attention == {"kind": "full"}
    assert changed.dtype == torch.bfloat16


def test_weights_that_transformers_reads_come_first(tmp_path: Path) -> None:
    model = from_checkpoint(peer("bart"))
    model.save_pretrained(tmp_path)
    save_compact(model.state_dict(), tmp_path)
    loaded = AutoModelForSeq2SeqLM.from_pretrained(tmp_path)
    assert torch.equal(loaded.lm_head.weight, model.lm_head.weight)


def test_a_folder_in_a_folder(tmp_path: Path) -> None:
    save_compacted(from_checkpoint(peer("bart")), tmp_path / "inner")
    loaded = LongsumForConditionalGeneration.from_pretrained(tmp_path, subfolder="inner")
    assert loaded.config.name_or_path == str(tmp_path / "inner")


def test_pickled_weights_are_not_looked_for(tmp_path: Path) -> None:
    model = from_checkpoint(peer("bart"))
    model.config.save_pretrained(tmp_path)
    torch.save(model.state_dict(), tmp_path / "pytorch_model.bin")
    with pytest.raises(OSError, match="safetensors"):
        LongsumForConditionalGeneration.from_pretrained(tmp_path)


def test_a_hub_id_is_fetched_with_the_given_options(tmp_path, monkeypatch) -> None:
    peer("bart").save_pretrained(tmp_path)
    asked = []

    def fetched(name: str, **options) -> str:
        asked.append((name, options))
        return str(tmp_path)

    monkeypatch.setattr("huggingface_hub.snapshot_download", fetched)
    LongsumForConditionalGeneration.from_pretrained("some/bart", revision="v1", token="t")
    (name, options), *others = asked
    assert name == "some/bart"
    assert (options["revision"], options["token"]) == ("v1", "t")
    assert not any(".py" in pattern or "bin" in pattern for pattern in options["allow_patterns"])
    assert not others


def test_settings_of_compact_weights_are_checked(tmp_path: Path) -> None:
    save_compacted(from_checkpoint(peer("bart")), tmp_path)
    change(tmp_path / "config.json", encoder_layers=10_000_000)
    with pytest.raises(LongsumError, match="encoder_layers"):
        LongsumForConditionalGeneration.from_pretrained(tmp_path)
