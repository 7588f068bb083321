import json

import pytest
import torch
from safetensors.torch import load_file, save_file

from chat_models import tokenizer
from longsum.common.errors import LongsumError
from longsum.models.networks.seq2seq import (
    LongsumForConditionalGeneration,
    from_checkpoint,
    load_seq2seq,
)
from longsum.models.networks.seq2seq.convert_checkpoints import (
    convert_config,
    convert_state_dict,
    extend_positions,
)
from longsum.models.networks.seq2seq.seq2seq_files import check_target, convert_checkpoint
from settings_files import change

from .conftest import assert_same_logits, both, logits, peer, sources


def test_a_folder_without_a_head_or_generation_settings(tmp_path) -> None:
    """Public BART checkpoints were saved without their head, and keep beams in config.json."""
    theirs = peer("bart")
    theirs.save_pretrained(tmp_path)
    (tmp_path / "generation_config.json").unlink()
    change(tmp_path / "config.json", num_beams=4, max_length=9)
    state = load_file(tmp_path / "model.safetensors")
    bare = {name[6:]: each for name, each in state.items() if name.startswith("model.")}
    save_file({**bare, "encoder.version": torch.ones(1)}, tmp_path / "model.safetensors")
    found = load_seq2seq(tmp_path)
    assert torch.equal(found.lm_head.weight, theirs.lm_head.weight)
    assert found.final_logits_bias is not None
    assert not found.final_logits_bias.any()
    assert (found.generation_config.num_beams, found.generation_config.max_length) == (4, 9)


def test_a_folder_is_converted_with_all_that_belongs_to_it(tmp_path) -> None:
    (tmp_path / "own").mkdir()
    peer("led").save_pretrained(tmp_path / "own")
    tokenizer(None).save_pretrained(tmp_path / "own")
    changes = {"encoder_attention": {"global_tokens": 2}, "max_source_positions": 100}
    random = torch.get_rng_state()
    made = convert_checkpoint(tmp_path / "own", tmp_path / "new", changes=changes)
    assert torch.equal(torch.get_rng_state(), random)
    attentions = made.config.encoder_attention
    assert [each["window"] for each in attentions] == [4, 8]
    assert {each["global_tokens"] for each in attentions} == {2}
    loaded = load_seq2seq(tmp_path / "new")
    for name, weight in made.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], weight), name
    kept = {name.name for name in (tmp_path / "new").iterdir()}
    assert kept == {"config.json", "generation_config.json", "model.safetensors"} | {
        *("tokenizer.json", "tokenizer_config.json")
    }
    assert (tmp_path / "new/tokenizer.json").read_bytes() == (
        tmp_path / "own/tokenizer.json"
    ).read_bytes()
    before, settings = (
        json.loads((tmp_path / name / "tokenizer_config.json").read_text())
        for name in ("own", "new")
    )
    assert settings == {"tokenizer_class": "LEDTokenizer", **before, "model_max_length": 100}
    drawn = [
        convert_checkpoint(
            tmp_path / "own",
            tmp_path / f"drawn{place}",
            changes={"encoder_attention": {"kind": "linformer", "projected": 7}},
            seed=seed,
        ).state_dict()
        for place, seed in enumerate((3, 3, 4))
    ]
    projections = [name for name in drawn[0] if name not in made.state_dict()]
    assert projections
    for name in projections:
        assert torch.equal(drawn[0][name], drawn[1][name])
    assert any(not torch.equal(drawn[0][name], drawn[2][name]) for name in projections)


def test_a_folder_that_cannot_be_written_is_refused_before_any_work(tmp_path) -> None:
    (tmp_path / "file").touch()
    for target, problem in (
        (tmp_path / "file", "is a file; give a new folder"),
        (tmp_path, "is not empty; give a new or an empty one"),
        (tmp_path / "none" / "new", "none' does not exist; make it first"),
    ):
        with pytest.raises(LongsumError, match=problem):
            convert_checkpoint(tmp_path / "no checkpoint", target)
    (tmp_path / "empty").mkdir()
    check_target(tmp_path / "empty")


def test_tied_embeddings_are_those_shared() -> None:
    theirs = peer("bart")
    config = convert_config(theirs.config)
    stale = {**theirs.state_dict(), "lm_head.weight": torch.zeros(61, 16)}
    found = convert_state_dict(stale, config)
    assert torch.equal(found["lm_head.weight"], theirs.get_input_embeddings().weight)


def test_own_checkpoints_take_new_settings(labels, tmp_path) -> None:
    model = from_checkpoint(peer("led"))
    model.save_pretrained(tmp_path)
    ids, _ = sources(13, 0)
    assert_same_logits((model, load_seq2seq(tmp_path)), ids, labels=labels, close=0)
    longer = load_seq2seq(tmp_path, max_source_positions=100, cross_attention={"kind": "hepos"})
    assert longer.config.cross_attention == {"kind": "hepos"}
    table = model.model.encoder.embed_positions.weight
    assert torch.equal(longer.model.encoder.embed_positions.weight, torch.cat([table, table[:36]]))


@pytest.mark.parametrize("family", ["bart", "led"])
def test_longer_sources(labels, family: str) -> None:
    theirs, ours = both(family)
    longer = from_checkpoint(theirs, max_source_positions=130, max_target_positions=20)
    ids, _ = sources(33, 0)
    assert_same_logits((longer, ours), ids, labels=labels, close=0)
    assert logits(longer, sources(130, 0)[0], labels=labels).isfinite().all()
    offset, have = ours.config.position_offset, ours.config.max_source_positions
    old = ours.model.encoder.embed_positions.weight
    new = longer.model.encoder.embed_positions.weight
    # The first position comes again after the last; the rows before it do not.
    assert torch.equal(new[offset + have], old[offset])
    assert longer.model.decoder.embed_positions.weight.shape[0] == offset + 20


def test_ways_to_extend_positions() -> None:
    rows = torch.tensor([[0.0], [1.0], [4.0]])
    assert extend_positions(rows, 2, "tile").flatten().tolist() == [0, 1]
    assert extend_positions(rows, 7, "tile").flatten().tolist() == [0, 1, 4, 0, 1, 4, 0]
    assert extend_positions(rows, 5, "repeat_last").flatten().tolist() == [0, 1, 4, 4, 4]
    # Five points over a table of three: every other one falls between two rows.
    assert extend_positions(rows, 5, "interpolate").flatten().tolist() == [0, 0.5, 1, 2.5, 4]
    drawn = extend_positions(rows, 2000, "random", std=0.02)
    assert torch.equal(drawn[:3], rows)
    assert drawn[3:].std().item() == pytest.approx(0.02, rel=0.1)
    assert torch.equal(drawn, extend_positions(rows, 2000, "random", std=0.02))


def test_global_projections_start_as_copies() -> None:
    attention = [{"kind": "pattern", "window": 4, "global_tokens": 1}] * 2
    made = from_checkpoint(peer("bart"), global_projections=True, encoder_attention=attention)
    layer = made.model.encoder.layers[1].self_attn
    assert torch.equal(layer.global_queries.k_proj.weight, layer.k_proj.weight)
    without = from_checkpoint(peer("led"), global_projections=False)
    assert without.model.encoder.layers[0].self_attn.global_queries is None


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"windows": 4}, "no setting 'windows'"),
        ({"d_model": 32}, "fix d_model at 16"),
        ({"normalize_before": True}, "fix normalize_before at False"),
        (
            {"max_source_positions": 99, "position_extension": "guess"},
            "cannot be extended by 'guess'",
        ),
    ],
)
def test_overrides_that_do_not_fit(overrides, message: str) -> None:
    with pytest.raises(LongsumError, match=message):
        from_checkpoint(peer("bart"), **overrides)


def test_weights_that_do_not_fit(tmp_path) -> None:
    peer("bart").save_pretrained(tmp_path)
    state = load_file(tmp_path / "model.safetensors")
    name = "model.encoder.layers.0.fc1.weight"
    for changed, message in (
        ({**state, "classification_head.dense.weight": torch.ones(1)}, "has no place .* for class"),
        ({key: value for key, value in state.items() if key != name}, f"lacks {name}"),
        ({**state, name: state[name][:3].clone()}, f"has another size of {name}"),
        ({str(number): torch.ones(99, 9) for number in range(3)}, "no token embeddings"),
        ({}, "vocabulary of 61 in 16 features, which the weights do not have"),
    ):
        save_file(changed, tmp_path / "model.safetensors")
        for load in (load_seq2seq, LongsumForConditionalGeneration.from_pretrained):
            with pytest.raises(LongsumError, match=message):
                load(tmp_path)


def test_folders_that_hold_no_model(tmp_path) -> None:
    with pytest.raises(LongsumError, match=r"no readable config\.json"):
        load_seq2seq(tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "t5"}')
    (tmp_path / "model.safetensors").write_bytes(b"")
    peer("bart").config.save_pretrained(tmp_path / "bare")
    with pytest.raises(LongsumError, match=r"has no model\.safetensors; save"):
        load_seq2seq(tmp_path / "bare")
    save_file({"x": torch.ones(1)}, tmp_path / "model.safetensors")
    with pytest.raises(LongsumError, match="'t5' cannot be converted; choose one of bart, led"):
        load_seq2seq(tmp_path)
