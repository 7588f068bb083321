from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    LEDConfig,
    LEDForConditionalGeneration,
    PegasusConfig,
    PegasusForConditionalGeneration,
    RobertaConfig,
    RobertaForMaskedLM,
)

from invented_games import GAMES
from longsum.evaluation.datasets import Example, dataset_info
from longsum.tables.datasets.games import example_of
from tiny_sizes import bert_sizes, tiny_sizes

SIZES: Mapping[str, int] = {
    **dict.fromkeys(("window", "random_block", "projected", "block"), 16),
    **dict.fromkeys(("chunk", "token_reach", "kernel"), 8),
    **{"global_tokens": 4, "stride": 4, "rounds": 2, "layers": 1, "segment_layers": 1},
}
ATTENTIONS = (
    *("encoder_attention", "cross_attention", "encoder_bias", "decoder_bias"),
    *("section_encoder", "section_relations", "top_down"),
)
LAYERS = 2
SOURCE = 128
TASK = {"source_tokens": SOURCE, "target_tokens": 32, "sections": "all", "least_words": 9}
Shrink = Callable[[Mapping[str, Any]], dict[str, Any]]


def smaller(attention: Any) -> Any:
    """Shrink the sizes of a part; of a list for each layer, take the first layers."""
    if isinstance(attention, list):
        return [smaller(layer) for layer in attention[:LAYERS]]
    return {name: SIZES.get(name, value) for name, value in attention.items()}


@pytest.fixture(scope="session")
def checkpoints(tokenizer, tmp_path_factory) -> dict[str | None, Path]:
    """Tiny models of the kinds that recipes start from; for None, a tokenizer alone."""
    shared = {
        "vocab_size": len(tokenizer),
        **tiny_sizes(16, 4, 16, layers=LAYERS),
        "max_position_embeddings": 64,
    }
    torch.manual_seed(0)
    models = {
        "facebook/bart-large": BartForConditionalGeneration(BartConfig(**shared)),
        "allenai/led-large-16384": LEDForConditionalGeneration(
            LEDConfig(
                **{name: size for name, size in shared.items() if "positions" not in name},
                attention_window=16,
                max_encoder_position_embeddings=64,
                max_decoder_position_embeddings=64,
            )
        ),
        # It has the same tokenizer, so its special tokens are BART's.
        "google/pegasus-large": PegasusForConditionalGeneration(
            PegasusConfig(**shared, pad_token_id=1, eos_token_id=2, decoder_start_token_id=1)
        ),
        "FacebookAI/roberta-base": RobertaForMaskedLM(
            RobertaConfig(
                vocab_size=len(tokenizer),
                **bert_sizes(layers=LAYERS, heads=4),
                max_position_embeddings=130,
                type_vocab_size=1,
                layer_norm_eps=1e-5,
            )
        ),
        None: None,
    }
    folders: dict[str | None, Path] = {}
    for number, (name, model) in enumerate(models.items()):
        folders[name] = tmp_path_factory.mktemp(f"checkpoint{number}")
        tokenizer.save_pretrained(folders[name])
        if model is not None:
            model.save_pretrained(folders[name])
    return folders


@pytest.fixture(scope="session")
def lessons(small, example) -> list[Example]:
    summary = (
        "Floods of the river damaged bridges and roads in the valley.\n"
        "Trains carry passengers and coal along the railway."
    )
    other = "Miners of coins use much electricity. Laws on mining differ between states."
    return [
        Example(document.title, document, (text,), "validation", "", {})
        for document, text in ((small, summary), (example, other))
    ]


@pytest.fixture(scope="session")
def games() -> list[Example]:
    """Two invented games with their reports."""
    info = dataset_info("generated_games")
    return [example_of(info, game, game["id"], "train") for game in GAMES[:2]]


@pytest.fixture(scope="session")
def shrink(checkpoints: Mapping[str | None, Path]) -> Shrink:
    """Return a function that shrinks a recipe's settings to a model that trains in a moment."""

    def overrides(settings: Mapping[str, Any]) -> dict[str, Any]:
        start = settings.get("checkpoint")
        given = settings.get("model", {})
        model: dict[str, Any] = {name: smaller(given[name]) for name in ATTENTIONS if name in given}
        if start is None:
            model |= dict.fromkeys(("encoder_layers", "decoder_layers"), LAYERS)
            model |= {f"{side}_attention_heads": 4 for side in ("encoder", "decoder")}
            model |= dict.fromkeys(("d_model", "encoder_ffn_dim", "decoder_ffn_dim"), 16)
        if given.get("share_layers"):
            # Its positions are the encoder's.
            model["max_target_positions"] = SOURCE
        return {
            "checkpoint": None if start is None else str(checkpoints[start]),
            "tokenizer": {"path": str(checkpoints[None])},
            "model": model,
            "task": {**TASK},
            "generation": {"num_beams": 2, "min_new_tokens": 2, "max_new_tokens": 8},
        }

    return overrides
