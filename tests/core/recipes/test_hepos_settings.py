"""The recipes of HEPOS have the sizes that the paper prints (§6.1 to §6.3), repeated here."""

import pytest

from longsum.core.recipes import load_recipe
from longsum.models.networks.seq2seq import LongsumSeq2SeqConfig
from longsum.models.training.run_seq2seq import SEQ2SEQ
from longsum.models.training.run_settings import Seq2SeqSettings

# §6.2: w = ŵ = k = l · b_l = 2 · b_s = 256, four rounds; g = n / s = r = 128.
WINDOW = {"kind": "pattern", "window": 256}
SPAN = {"kind": "adaptive_span", "window": 256}
LINFORMER = {"kind": "linformer", "projected": 256}
LSH = {"kind": "lsh", "rounds": 4, "chunk": 64}
SINKHORN = {"kind": "sinkhorn", "block": 128}
# §6.2: s_h = n / k = 4.
HEPOS = {"kind": "hepos", "stride": 4}
BY_TURNS = 6

TABLES = {
    "bart": ([{}], None, 1024),
    "window": ([WINDOW], None, 1024),
    "window-global": ([{**WINDOW, "global_tokens": 128}], None, 1024),
    "window-random": ([{**WINDOW, "random_block": 128}], None, 1024),
    "window-stride": ([{**WINDOW, "stride": 4096 // 128}], None, 4096),
    "adaptive-span": ([SPAN], None, 1024),
    "adaptive-span-global": ([{**SPAN, "global_tokens": 128}], None, 1024),
    "adaptive-span-random": ([{**SPAN, "random_block": 128}], None, 1024),
    "adaptive-span-stride": ([{**SPAN, "stride": 1024 // 128}], None, 1024),
    "linformer": ([LINFORMER], None, 3072),
    "lsh": ([WINDOW, LSH] * BY_TURNS, None, 4096),
    "sinkhorn": ([WINDOW, SINKHORN] * BY_TURNS, None, 5120),
    "hepos": ([{}], HEPOS, 1024),
    "linformer-cross": ([{}], {"kind": "linformer", "projected": 256}, 1024),
    "sinkhorn-linformer-cross": (
        [WINDOW, SINKHORN] * BY_TURNS,
        {"kind": "linformer", "projected": 256},
        1024,
    ),
    "hepos-window": ([WINDOW], HEPOS, 10_240),
    "hepos-lsh": ([WINDOW, LSH] * BY_TURNS, HEPOS, 7168),
    "hepos-sinkhorn": ([WINDOW, SINKHORN] * BY_TURNS, HEPOS, 10_240),
    "small": ([WINDOW], HEPOS, 4096),
}
PAPERS = [name for name in TABLES if name not in ("bart", "small")]


def settings(name: str) -> Seq2SeqSettings:
    return SEQ2SEQ.settings_of(load_recipe(name), {})


@pytest.mark.parametrize("name", TABLES)
def test_attentions(name: str) -> None:
    encoder, cross, tokens = TABLES[name]
    made = settings(name)
    assert made.task.source_tokens == tokens
    layers = len(encoder) if len(encoder) > 1 else made.model.get("encoder_layers", 12)
    read = {field: made.model.get(field) for field in ("encoder_attention", "cross_attention")}
    config = LongsumSeq2SeqConfig(encoder_layers=layers, max_source_positions=tokens, **read)
    expected = LongsumSeq2SeqConfig(
        encoder_layers=layers, encoder_attention=encoder, cross_attention=cross
    )
    assert config.encoder_attentions() == expected.encoder_attentions()
    assert config.cross_pattern() == expected.cross_pattern()


@pytest.mark.parametrize("name", PAPERS)
def test_training_and_decoding(name: str) -> None:
    made = settings(name)
    training, generation = made.training, made.generation
    assert training.optimizer == "adafactor"
    assert (training.learning_rate, training.warmup_steps) == (1e-4, 10_000)
    assert (training.clip, training.label_smoothing, training.accumulate) == (0.1, 0.1, 32)
    assert made.model["dropout"] == made.model["attention_dropout"] == 0.1
    assert (generation["num_beams"], generation["length_penalty"]) == (4, 2.0)
    assert made.task.target_tokens == 1024
