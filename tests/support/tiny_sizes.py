"""Sizes of tiny models, as the settings of encoder-decoders name them."""

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


def tiny_sizes(width: int, heads: Pair, inner: Pair, layers: Pair = 2) -> dict[str, int]:
    """Return the sizes of the encoder and of the decoder; of a pair, one each."""
    given = {"layers": layers, "attention_heads": heads, "ffn_dim": inner}
    sizes = {"d_model": width}
    for name, size in given.items():
        pair = size if isinstance(size, tuple) else (size, size)
        sizes |= {f"encoder_{name}": pair[0], f"decoder_{name}": pair[1]}
    return sizes
