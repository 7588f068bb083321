"""The encoders that the benchmarks compare, at one geometry and with random weights of one seed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from workers import Subject

OURS, LED = "longsum", "HF LED"
# Learned attentions at the sizes of HEPOS, §6.2, each with the number of tokens that it reads to
# either side: four rounds of two chunks, and two blocks.
LEARNED: dict[str, tuple[dict[str, Any], int]] = {
    "longsum LSH": ({"kind": "lsh", "chunk": 64, "rounds": 4}, 256),
    "longsum Sinkhorn": ({"kind": "sinkhorn", "block": 128}, 128),
}
# Positions of the output that are compared.
SAMPLED = 64


@dataclass(frozen=True, slots=True)
class Geometry:
    """Sizes of an encoder.

    Attributes:
        size: Of the states.
        heads: Of its attention.
        inner: Of BART's and LED's feed-forward network.
        gated: Of LongT5's, which has one more product.
        layers: As many as the published model has.
        window: Tokens that each sees, both sides together (LED's `attention_window`).
        vocabulary: Number of tokens.
    """

    size: int
    heads: int
    inner: int
    gated: int
    layers: int
    window: int = 1024
    vocabulary: int = 50265


GEOMETRIES = {
    "large": Geometry(size=1024, heads=16, inner=4096, gated=2816, layers=12),
    "base": Geometry(size=768, heads=12, inner=3072, gated=2048, layers=6),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """The parameters shared by all peers of a measurement.

    Attributes:
        geometry: The sizes.
        layers: How many layers are built.
        longest: Positions that are built.
        global_tokens: First tokens that ours and LED see globally.
        dtype: Name of the type of weights and states.
    """

    geometry: Geometry
    layers: int
    longest: int
    global_tokens: int
    dtype: str


def build_encoder(peer: str, setting: Setting) -> Subject:
    """Make an encoder that reads this many random tokens."""
    import torch

    torch.manual_seed(0)
    encoder, radius = ENCODERS[peer](setting)
    encoder = encoder.to(getattr(torch, setting.dtype)).eval()
    marks = setting.global_tokens if peer == LED else 0

    def run(tokens: int) -> Any:
        ids = _random_tokens(setting.geometry.vocabulary, tokens)
        with torch.no_grad():
            return encoder(ids, **_globally(ids, marks)).last_hidden_state

    def report(states: Any) -> dict[str, Any]:
        tokens = states.shape[1]
        sample = states[0, :: max(tokens // SAMPLED, 1)].float().numpy()
        return {"flops": _count(encoder, setting, radius, tokens), "sample": sample}

    return Subject(run, report)


def build_product(setting: Setting) -> Subject:
    """Make the product of the feed-forward network alone, in the faster of PyTorch's libraries."""
    import torch

    from longsum.models.attention.linear_layers import linear

    dtype, geometry = getattr(torch, setting.dtype), setting.geometry
    weight = torch.randn(geometry.inner, geometry.size).to(dtype)

    def run(tokens: int) -> int:
        with torch.no_grad():
            linear(torch.ones(tokens, geometry.size, dtype=dtype), weight)
        return 2 * tokens * geometry.size * geometry.inner

    return Subject(run, lambda flops: {"flops": flops})


def build_training(peer: str, setting: Setting) -> Subject:
    """Make a training step of a whole model: forward, backward and an update by AdamW."""
    import torch

    torch.manual_seed(0)
    model: Any = _led(setting, decoder_layers=setting.layers)
    if peer == OURS:
        model = _converted(model, setting)
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    marks = setting.global_tokens if peer == LED else 0

    def run(tokens: int) -> Any:
        ids = _random_tokens(setting.geometry.vocabulary, tokens)
        labels = ids[:, : max(tokens // 8, 1)]
        with torch.autocast("cpu", enabled=setting.dtype == "bfloat16"):
            loss = model(ids, labels=labels, **_globally(ids, marks)).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return Subject(run, float)


def _random_tokens(vocabulary: int, tokens: int) -> Any:
    import torch

    generator = torch.Generator().manual_seed(1)
    return torch.randint(3, vocabulary, (1, tokens), generator=generator)


def _globally(ids: Any, tokens: int) -> dict[str, Any]:
    """Mark the first tokens for LED."""
    import torch

    if not tokens:
        return {}
    mask = torch.zeros_like(ids)
    mask[:, :tokens] = 1
    return {"global_attention_mask": mask}


def _ours(setting: Setting) -> tuple[Any, int | None]:
    return _converted(_led(setting), setting).model.encoder, setting.geometry.window // 2


def _learned(peer: str, setting: Setting) -> tuple[Any, int | None]:
    attention, reach = LEARNED[peer]
    return _converted(_led(setting), setting, attention).model.encoder, reach


def _led_encoder(setting: Setting) -> tuple[Any, int | None]:
    return _led(setting).led.encoder, setting.geometry.window // 2


def _bart(setting: Setting) -> tuple[Any, int | None]:
    from transformers import BartConfig
    from transformers.models.bart.modeling_bart import BartEncoder

    geometry = setting.geometry
    config = BartConfig(
        vocab_size=geometry.vocabulary,
        d_model=geometry.size,
        encoder_layers=setting.layers,
        encoder_attention_heads=geometry.heads,
        encoder_ffn_dim=geometry.inner,
        max_position_embeddings=setting.longest,
    )
    return BartEncoder._from_config(config, attn_implementation="sdpa"), None


def _longt5(setting: Setting) -> tuple[Any, int | None]:
    from transformers import LongT5Config
    from transformers.models.longt5.modeling_longt5 import LongT5EncoderModel

    geometry = setting.geometry
    config = LongT5Config(
        vocab_size=geometry.vocabulary,
        d_model=geometry.size,
        d_kv=geometry.size // geometry.heads,
        d_ff=geometry.gated,
        num_layers=setting.layers,
        num_heads=geometry.heads,
        feed_forward_proj="gated-gelu",
    )
    return LongT5EncoderModel(config), config.local_radius


ENCODERS: dict[str, Callable[[Setting], tuple[Any, int | None]]] = {
    OURS: _ours,
    LED: _led_encoder,
    "HF BART": _bart,
    "HF LongT5": _longt5,
    **{peer: partial(_learned, peer) for peer in LEARNED},
}


def _led(setting: Setting, decoder_layers: int = 1) -> Any:
    """Make an LED without dropout; if only the encoder is run, it has one tiny decoder layer."""
    from transformers import LEDConfig, LEDForConditionalGeneration

    geometry = setting.geometry
    return LEDForConditionalGeneration(
        LEDConfig(
            vocab_size=geometry.vocabulary,
            d_model=geometry.size,
            encoder_layers=setting.layers,
            encoder_attention_heads=geometry.heads,
            encoder_ffn_dim=geometry.inner,
            decoder_layers=decoder_layers,
            decoder_attention_heads=geometry.heads,
            decoder_ffn_dim=geometry.inner if decoder_layers > 1 else 64,
            attention_window=[geometry.window] * setting.layers,
            max_encoder_position_embeddings=setting.longest,
            max_decoder_position_embeddings=1024,
            dropout=0.0,
        )
    )


def _converted(led: Any, setting: Setting, attention: dict[str, Any] | None = None) -> Any:
    """Convert an LED into this package's model, with its own attention by default."""
    from longsum.models.networks.seq2seq import from_checkpoint

    pattern = {
        "kind": "pattern",
        "window": setting.geometry.window,
        "global_tokens": setting.global_tokens,
    }
    return from_checkpoint(led, encoder_attention=attention or pattern)


def _count(encoder: Any, setting: Setting, radius: int | None, tokens: int) -> int:
    """Count the operations that the definition needs: products with weights, scores and averages.

    Pairs outside the pattern that a peer computes and throws away are not counted, nor are global
    tokens, which are few.
    """
    from torch import nn

    weights = sum(
        module.weight.numel()
        for name, module in encoder.named_modules()
        if isinstance(module, nn.Linear) and "global" not in name
    )
    pairs = tokens * tokens if radius is None else _pairs_within(radius, tokens)
    return 2 * tokens * weights + 4 * setting.geometry.size * setting.layers * pairs


def _pairs_within(radius: int, tokens: int) -> int:
    """Count the pairs of tokens at most this far apart."""
    reach = min(radius, tokens - 1)
    return tokens * (2 * reach + 1) - reach * (reach + 1)
