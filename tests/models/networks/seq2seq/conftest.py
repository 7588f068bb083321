from collections.abc import Iterable
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers import AutoConfig, AutoModelForSeq2SeqLM, PreTrainedModel

from longsum.models.attention.backends.reference import dense_attention
from longsum.models.attention.linear_layers import merge_heads, split_heads
from longsum.models.networks.seq2seq import (
    LongsumForConditionalGeneration,
    LongsumSeq2SeqConfig,
    from_checkpoint,
)
from longsum.models.tasks.source import reads_importance, reads_sections
from tiny_sizes import tiny_sizes

SIZES: dict[str, Any] = {"vocab_size": 61, **tiny_sizes(16, (2, 4), (24, 28), layers=(2, 3))}
LONGT5: dict[str, Any] = {
    **{"num_layers": 2, "num_decoder_layers": 3, "num_heads": 4, "d_kv": 4, "d_ff": 24},
    **{"local_radius": 5, "global_block_size": 4, "decoder_start_token_id": 0},
    **{"relative_attention_num_buckets": 8, "relative_attention_max_distance": 12},
}
SCALED: dict[str, Any] = {"max_position_embeddings": 48, "scale_embedding": True}
FAMILIES: dict[str, dict[str, Any]] = {
    "bart": {"max_position_embeddings": 48},
    "led": {
        "attention_window": [4, 8],
        "max_encoder_position_embeddings": 64,
        "max_decoder_position_embeddings": 40,
    },
    "mbart": SCALED,
    "pegasus_x": {"block_size": 6, "num_global_tokens": 3},
    # Sources of up to 44 tokens are read in full.
    "bigbird_pegasus": {"max_position_embeddings": 48, "block_size": 4, "num_random_blocks": 3},
    "longt5": LONGT5,
    "longt5_tglobal": {
        **LONGT5,
        "encoder_attention_type": "transient-global",
        # Version 1.1: gated, and no scale before the head.
        "feed_forward_proj": "gated-gelu",
        "tie_word_embeddings": False,
    },
    "pegasus": SCALED,
}
CROSS: dict[str, dict[str, Any]] = {
    "full": {"kind": "full"},
    "hepos": {"kind": "hepos", "stride": 2},
    "contiguous": {"kind": "contiguous", "stride": 4},
    "linformer": {"kind": "linformer", "projected": 7},
}
TOKENS = 30
SECTION_OF = torch.tensor([[0] * 3 + [1] * 9 + [2] * 8 + [3] * 10, [0] * 10 + [1] * 20])
PARENTS = torch.tensor([[-1, 0, 1, -1], [-1, 0, -2, -2]])
LEARNED: dict[str, dict[str, Any]] = {
    "joined_span": {
        **{"kind": "adaptive_span", "window": 8, "span_ramp": 2},
        **{"global_tokens": 2, "stride": 5, "random_block": 4},
    },
    "linformer": {"projected": 5},
    "lsh": {"chunk": 4, "rounds": 2},
    "learned_sinkhorn": {"kind": "sinkhorn", "block": 4, "sorting": "learned"},
}
WINDOW = {"window": 4, "global_tokens": 2}
# Models in which every kind of layer computes with its weights in a way of its own.
KINDS: dict[str, dict[str, Any]] = {
    "full": {},
    "hepos": {"cross_attention": {"kind": "hepos", "stride": 4}},
    "window, hepos": {
        "encoder_attention": WINDOW,
        "cross_attention": {"kind": "hepos", "stride": 2},
        "global_projections": True,
    },
    "linformer cross": {"cross_attention": {"kind": "linformer", "projected": 5}},
    "top-down": {"top_down": {"layers": 1, "kernel": 4, "stride": 3}},
    "biased global projections": {
        "encoder_attention": WINDOW,
        "global_projections": True,
        "encoder_bias": {"kind": "token_distance", "global_biases": True},
    },
    "adaptive span": {"encoder_attention": {"kind": "adaptive_span", "window": 6}},
    "linformer": {"encoder_attention": {"kind": "linformer", "projected": 5}},
    "lsh": {"encoder_attention": {"kind": "lsh", "chunk": 4, "rounds": 2}},
    "sinkhorn": {"encoder_attention": {"kind": "sinkhorn", "block": 4, "sorting": "learned"}},
    "BigBird": {"encoder_attention": {"sparse_block": 2, "sparse_random": 1}},
    "transient": {
        "encoder_attention": {"window": 6, "transient_block": 4},
        "encoder_bias": {"kind": "token_distance", "token_reach": 5},
    },
}
# What only a converted T5 has, and settings of its own.
T5: dict[str, Any] = {
    "encoder_attention": {"window": 6},
    "encoder_bias": {"kind": "token_distance", "token_reach": 5},
    **{"decoder_token_reach": 5, "position_kind": "none", "scale_scores": False},
    **{"norm_kind": "rms", "gated_activation": True, "normalize_before": True},
    "output_scale": 0.5,
}
TOP_DOWN: dict[str, dict[str, Any]] = {
    "average": {},
    "adaptive": {"pooling": "adaptive"},
    "concat": {"update": "concat"},
    "two levels": {"levels": 2, "pooling": "adaptive"},
    "three levels": {"levels": 3, "update": "concat"},
}


def logits(model: Any, *given: Tensor, **named: Any) -> Tensor:
    """Return logits without what gradients need."""
    with torch.no_grad():
        return model(*given, **named).logits  # type: ignore[no-any-return]


def assert_same_logits(
    models: Iterable[Any], *given: Tensor, close: float = 1e-5, **named: Any
) -> None:
    """Compare the logits of models with those of the first."""
    expected, *others = (logits(model, *given, **named) for model in models)
    for found in others:
        torch.testing.assert_close(found, expected, atol=close, rtol=close)


def both(family: str, *seed: int, **other: Any) -> tuple[Any, Any]:
    """Make the model of a family, and this model of the same weights."""
    theirs = peer(family, *seed, **other)
    return theirs, from_checkpoint(theirs)


def attended(attention: Any, queries: Tensor, keys: Tensor, bias: Tensor | None = None) -> Tensor:
    """Full attention, written out."""
    query, key, value = (
        split_heads(project(states), attention.heads)
        for project, states in (
            (attention.q_proj, queries),
            (attention.k_proj, keys),
            (attention.v_proj, keys),
        )
    )
    found = dense_attention(query, key, value, torch.ones(1, 1, dtype=torch.bool), bias)
    return attention.out_proj(merge_heads(found))  # type: ignore[no-any-return]


def fed_forward(layer: Any, states: Tensor) -> Tensor:
    inner = torch.nn.functional.gelu(layer.fc1(states))
    return layer.final_layer_norm(states + layer.fc2(inner))  # type: ignore[no-any-return]


def randomise(model: torch.nn.Module, seed: int) -> None:
    """Give every weight, bias and norm a value that shows when it is left out."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for tensor in (*model.parameters(), *model.buffers()):
            tensor.add_(torch.randn(tensor.shape, generator=generator) * 0.15)


def randomised(settings: LongsumSeq2SeqConfig, seed: int = 0) -> Any:
    """Return a model in which every weight shows when it is left out."""
    torch.manual_seed(0)
    model = LongsumForConditionalGeneration(settings)
    randomise(model, seed)
    return model.eval()


def converted(kind: dict[str, Any]) -> Any:
    """Return a BART with attentions of some kind, or a model of the family that is named."""
    settings = {**kind}
    return from_checkpoint(peer(settings.pop("family", "bart")), **settings)


def peer(family: str, seed: int = 0, **other: Any) -> PreTrainedModel:
    """Make the tiny random model of a family as `transformers` has it."""
    torch.manual_seed(seed)
    settings = {**SIZES, **FAMILIES[family], **other}
    config = AutoConfig.for_model(family.removesuffix("_tglobal"), **settings)
    made: PreTrainedModel = AutoModelForSeq2SeqLM.from_config(config).eval()
    frozen = {name: p.clone() for name, p in made.named_parameters() if not p.requires_grad}
    randomise(made, seed)
    with torch.no_grad():
        for name, value in frozen.items():
            made.get_parameter(name).copy_(value)
    return made


def sources(length: int, shorter: int, side: str = "right") -> tuple[torch.Tensor, torch.Tensor]:
    """Two sources, the second `shorter` tokens short of `length`, and their mask."""
    generator = torch.Generator().manual_seed(length)
    ids = torch.randint(3, SIZES["vocab_size"], (2, length), generator=generator)
    mask = torch.ones_like(ids)
    if shorter and side == "right":
        ids[1, -shorter:], mask[1, -shorter:] = 1, 0
    elif shorter:
        ids[1] = ids[1].roll(shorter)
        ids[1, :shorter], mask[1, :shorter] = 1, 0
    return ids, mask


def in_sections(
    section_of: tuple[Tensor, Tensor], parents: Tensor, shorter: int = 4, side: str = "right"
) -> dict[str, Tensor]:
    """Make two sources in sections; the padding of the second is in no section."""
    first, second = section_of
    ids, mask = sources(len(first), shorter, side)
    rows = torch.stack([first, torch.full_like(first, 9)])
    rows[1][mask[1].bool()] = second[: mask[1].sum()]
    given = {"input_ids": ids, "attention_mask": mask}
    return given | {"section_of": rows, "section_parents": parents}


def checkpointed(model: Any, **given: Tensor) -> dict[str, Tensor]:
    """Check that checkpointing changes no gradient; return those that there are."""
    gradients = []
    for checkpointing in (False, True):
        if checkpointing:
            # Newer releases of transformers have given the method this name.
            enable = getattr(model, "activation_checkpointing_enable", None)
            (enable or model.gradient_checkpointing_enable)({"use_reentrant": False})
        model.zero_grad()
        model(**given).loss.backward()
        learned = (each for each in model.named_parameters() if each[1].grad is not None)
        gradients.append({name: weight.grad.clone() for name, weight in learned})
    assert gradients[0].keys() == gradients[1].keys()
    for name, gradient in gradients[0].items():
        torch.testing.assert_close(gradients[1][name], gradient, msg=name)
    return gradients[0]


@pytest.fixture(scope="session")
def labels() -> torch.Tensor:
    generator = torch.Generator().manual_seed(5)
    made = torch.randint(3, SIZES["vocab_size"], (2, 7), generator=generator)
    made[1, -2:] = -100
    return made


def config(**settings: Any) -> LongsumSeq2SeqConfig:
    """Make tiny settings."""
    lengths = {"max_source_positions": 48, "max_target_positions": 48}
    return LongsumSeq2SeqConfig(**{**SIZES, **lengths, **settings})


def inputs(model: Any, shorter: int = 11, side: str = "right") -> dict[str, Tensor]:
    """Make two sources with what a model reads, the second padded; padding is in no section."""
    ids, mask = sources(TOKENS, shorter, side)
    given = {"input_ids": ids, "attention_mask": mask}
    if reads_sections(model.config):
        rows = torch.full_like(ids, 77)
        for row, kept in enumerate(mask.bool()):
            rows[row, kept] = SECTION_OF[row, : kept.sum()]
        given |= {"section_of": rows, "section_parents": PARENTS}
    if reads_importance(model.config):
        importance = torch.rand(2, TOKENS, generator=torch.Generator().manual_seed(2))
        given["importance"] = importance.masked_fill(mask == 0, torch.nan)
    return given
