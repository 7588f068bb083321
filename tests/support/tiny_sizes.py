"""Sizes of tiny models, under the names in the settings of encoder-decoders."""

from typing import Any

Pair = int | tuple[int, int]
TINY_EXTRACTORS: dict[str, dict[str, Any]] = {
    "hibert": {
        "sentence_encoder": {"layers": 2},
        "document_encoder": {"layers": 2, "feed_forward": 24},
    },
    "etc": {"layers": 2, "radius": 8},
    "flat": {"encoder": {"positions": 128}},
}


def tiny_sizes(
    width: int, heads: Pair, inner: Pair, layers: Pair = 2, positions: Pair | None = None
) -> dict[str, int]:
    """Return the sizes of the encoder and of the decoder; of a pair, one each."""
    sizes = {"d_model": width}
    for names, size in (
        ("encoder_layers decoder_layers", layers),
        ("encoder_attention_heads decoder_attention_heads", heads),
        ("encoder_ffn_dim decoder_ffn_dim", inner),
        ("max_source_positions max_target_positions", positions),
    ):
        if size is not None:
            pair = size if isinstance(size, tuple) else (size, size)
            sizes |= zip(names.split(), pair, strict=True)
    return sizes


def bert_sizes(inner: int = 16, layers: int = 1, heads: int = 2) -> dict[str, int]:
    """Return the sizes of a BERT of 16 features, as its settings name them."""
    names = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")
    return dict(zip(names, (16, layers, heads, inner), strict=True))
