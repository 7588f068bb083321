"""`attn_implementation`: `eager` is the definition, `sdpa` PyTorch's own, others are refused."""

from copy import deepcopy
from functools import partial

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint
from transformers import AutoModel

from longsum.common.errors import LongsumError
from longsum.models.networks.extractive.modeling_extractive import (
    LongsumExtractor,
    LongsumExtractorConfig,
)
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, from_checkpoint

from .conftest import KINDS, T5, config, peer, sources


class Watch(TorchDispatchMode):
    """Notes whether attention ran fused."""

    def __init__(self) -> None:
        super().__init__()
        self.fused = False

    def __torch_dispatch__(self, func, _types, args=(), kwargs=None):
        self.fused |= "flash" in str(func) or "efficient" in str(func)
        return func(*args, **(kwargs or {}))


def run(model, given: dict[str, Tensor]) -> tuple[Tensor, bool, set[str]]:
    """Return the logits, whether attention ran fused, and how encoder layers were executed."""
    with torch.no_grad(), Watch() as watch:
        logits = model(**given).logits
    executed = {layer.self_attn.attention.execution for layer in model.model.encoder.layers}
    return logits, watch.fused, executed


@pytest.fixture
def given() -> dict[str, Tensor]:
    ids, mask = sources(21, 4)
    # More target tokens than would be read without fused attention anyway.
    return {"input_ids": ids, "attention_mask": mask, "decoder_input_ids": ids[:, :18]}


@pytest.mark.parametrize("kind", [*list(KINDS.values())[2:], T5], ids=[*list(KINDS)[2:], "T5"])
def test_eager_is_the_definition(given, kind) -> None:
    torch.manual_seed(3)
    model = LongsumForConditionalGeneration(config(**kind)).double().eval()
    logits = []
    for way in (None, "eager", "sdpa"):
        if way is not None:
            model.set_attn_implementation(way)
        found, fused, executed = run(model, given)
        assert fused == (model.config._attn_implementation == "sdpa") == (way != "eager")
        assert executed == {"fast" if fused else "reference"}
        logits.append(found)
    torch.testing.assert_close(logits[1], logits[0])
    assert torch.equal(logits[2], logits[0])


@pytest.mark.parametrize("asked", ["eager", None])
def test_the_requested_attention_is_used_when_a_model_is_loaded(given, tmp_path, asked) -> None:
    source = peer("bart")
    source.save_pretrained(tmp_path / "bart")
    from_checkpoint(source).save_pretrained(tmp_path / "ours")
    eager = asked == "eager"
    for folder in ("bart", "ours"):
        model = LongsumForConditionalGeneration.from_pretrained(
            tmp_path / folder, attn_implementation=asked
        )
        assert model.config._attn_implementation == ("eager" if eager else "sdpa")
        logits, fused, executed = run(model, given)
        assert fused is not eager
        assert executed == {"reference" if eager else "fast"}
        with torch.no_grad():
            expected = source(**given).logits
        torch.testing.assert_close(logits, expected, atol=2e-5, rtol=1e-4)


def test_a_copy_recomputes_with_its_own_settings(given, labels) -> None:
    model = LongsumForConditionalGeneration(config()).train()
    model._set_gradient_checkpointing(True, partial(checkpoint, use_reentrant=False))
    copied = deepcopy(model)
    copied.set_attn_implementation("eager")
    for each, fused in ((model, True), (copied, False)):
        with Watch() as watch:
            each(input_ids=given["input_ids"], labels=labels).loss.backward()
        assert watch.fused is fused


@pytest.mark.parametrize("asked", ["flash_attention_2", "fast"])
def test_other_ways_are_refused_in_a_sentence(tmp_path, asked) -> None:
    sentence = f"=\"{asked}\"` is not supported by .*; choose 'sdpa' or 'eager', or leave it out."
    peer("bart").save_pretrained(tmp_path)
    with pytest.raises(LongsumError, match=sentence):
        LongsumForConditionalGeneration.from_pretrained(tmp_path, attn_implementation=asked)
    with pytest.raises(LongsumError, match=sentence):
        AutoModel.from_config(config(), attn_implementation=asked)
    model = LongsumForConditionalGeneration(config())
    with pytest.raises(ValueError, match=sentence):
        model.set_attn_implementation(asked)
    assert model.config._attn_implementation == "sdpa"


def test_an_extractor_uses_the_requested_attention(tmp_path) -> None:
    sizes = {"vocabulary": 99, "size": 16, "layers": 1, "heads": 2, "feed_forward": 16}
    document = {"layers": 1, "feed_forward": 16, "positions": "places", "places": (2, 2)}
    settings = {"sentence_encoder": sizes, "document_encoder": document}
    LongsumExtractor(LongsumExtractorConfig(settings=settings)).save_pretrained(tmp_path)
    found, ran = [], []
    tokens = torch.randint(3, 99, (5, 7), generator=torch.Generator().manual_seed(0))
    for asked in (None, "eager"):
        model = LongsumExtractor.from_pretrained(tmp_path, attn_implementation=asked)
        with torch.no_grad(), Watch() as watch:
            output = model(
                tokens=tokens,
                lengths=torch.full((5,), 7),
                sentences=torch.arange(5)[None],
                headings=torch.full((1, 5), -1),
                places=torch.zeros(1, 5, 2).long(),
                plans=torch.tensor([[[2, -1]]]),
            )
        found.append(output.logits)
        ran.append(watch.fused)
    assert ran == [True, False]
    torch.testing.assert_close(found[1], found[0], atol=1e-4, rtol=1e-4)
    with pytest.raises(LongsumError, match="choose 'sdpa' or 'eager'"):
        LongsumExtractor.from_pretrained(tmp_path, attn_implementation="flash_attention_2")


@pytest.mark.parametrize("kind", ["full", "pattern", "lsh"])
def test_attention_dropout_is_the_same_when_states_are_recomputed(given, labels, kind) -> None:
    attention = {"kind": kind, **({"window": 4, "global_tokens": 1} if kind == "pattern" else {})}
    settings = config(encoder_attention=attention, dropout=0.0, attention_dropout=0.4)
    model = LongsumForConditionalGeneration(settings).train()

    def gradients(seed: int) -> Tensor:
        torch.manual_seed(seed)
        model.zero_grad()
        source = {name: given[name] for name in ("input_ids", "attention_mask")}
        model(**source, labels=labels).loss.backward()
        found = model.model.encoder.layers[0].self_attn.v_proj.weight.grad
        assert found is not None
        return found.clone()

    plain, other = gradients(1), gradients(2)
    assert not torch.allclose(plain, other)
    model._set_gradient_checkpointing(True, partial(checkpoint, use_reentrant=False))
    torch.testing.assert_close(gradients(1), plain)
