"""Adapters (PEFT) on the model have the same effect as on BART, merged or not."""

from collections.abc import Callable
from functools import partial

import pytest
import torch
from peft import (
    IA3Config,
    LoraConfig,
    PeftModel,
    get_peft_model,
    get_peft_model_state_dict,
    set_peft_model_state_dict,
)
from torch import nn

from longsum.models.networks.seq2seq import from_checkpoint

from .conftest import KINDS, converted, logits, peer, sources

pytestmark = pytest.mark.slow


EVERYWHERE = ["q_proj", "k_proj", "v_proj", "out_proj", "fc1", "fc2"]


LORA = partial(LoraConfig, r=3, lora_alpha=7, target_modules=EVERYWHERE)
ADAPTERS = {
    "lora": LORA,
    "dora": partial(LORA, use_dora=True),
    # PEFT scales what a feed-forward layer is given, and what the others give.
    "ia3": partial(
        IA3Config, target_modules=["k_proj", "v_proj", "fc2"], feedforward_modules=["fc2"]
    ),
}
TRIED = [kind for kind in KINDS if kind not in ("linformer", "lsh", "sinkhorn")]


def adapted(model: nn.Module, config, seed: int = 3) -> PeftModel:
    """Put adapters with a visible effect on a model; their initial weights would change nothing."""
    made = get_peft_model(model, config)  # type: ignore[arg-type]
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in made.named_parameters():
            if weight.requires_grad:
                drawn = torch.randn(weight.shape, generator=generator, dtype=weight.dtype)
                weight.add_(drawn * (0.2 if "lora" in name else 0.3))
    made.eval()
    return made


def both(config: Callable) -> tuple[PeftModel, PeftModel]:
    """Make an adapted BART, and this model with the same adapters."""
    source = peer("bart")
    ours = get_peft_model(from_checkpoint(source), config())  # type: ignore[arg-type]
    theirs = adapted(source, config())
    loaded = set_peft_model_state_dict(ours, get_peft_model_state_dict(theirs))
    assert not loaded.unexpected_keys
    ours.eval()
    return theirs, ours


def ours(settings: dict, dtype: torch.dtype = torch.float64):
    """Make the model with attentions of some kind and without shared weights."""
    torch.manual_seed(7)
    model = converted(settings).to(dtype)
    generator = torch.Generator().manual_seed(8)
    with torch.no_grad():
        for tensor in model.parameters():
            tensor.add_(torch.randn(tensor.shape, generator=generator, dtype=dtype) * 0.05)
    return model


@pytest.mark.parametrize("config", ADAPTERS.values(), ids=ADAPTERS)
def test_an_adapted_model_has_the_logits_of_the_adapted_bart(labels, config) -> None:
    theirs, ours = both(config)
    ids, mask = sources(12, 5)
    given = {"input_ids": ids, "attention_mask": mask, "labels": labels}
    expected, found = logits(theirs, **given), logits(ours, **given)
    with ours.disable_adapter():
        plain = logits(ours, **given)
    torch.testing.assert_close(found, expected, atol=2e-5, rtol=1e-4)
    assert (found - plain).abs().max() > 0.1


@pytest.mark.parametrize("config", ADAPTERS.values(), ids=ADAPTERS)
@pytest.mark.parametrize(
    "kind", [*(KINDS[kind] for kind in TRIED), {"family": "longt5_tglobal"}], ids=[*TRIED, "longt5"]
)
def test_merged_is_as_unmerged(labels, kind, config) -> None:
    model = adapted(ours(kind), config())
    ids, mask = sources(13, 4)
    given = {"input_ids": ids, "attention_mask": mask, "labels": labels}
    unmerged = logits(model, **given)
    merged = logits(model.merge_and_unload(), **given)
    torch.testing.assert_close(unmerged, merged, atol=1e-6, rtol=1e-5)
