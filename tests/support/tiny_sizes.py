"""Sizes of tiny models, as the settings of encoder-decoders name them."""

Pair = int | tuple[int, int]


def tiny_sizes(width: int, heads: Pair, inner: Pair, layers: Pair = 2) -> dict[str, int]:
    """Return the sizes of the encoder and of the decoder; of a pair, one each."""
    given = {"layers": layers, "attention_heads": heads, "ffn_dim": inner}
    sizes = {"d_model": width}
    for name, size in given.items():
        pair = size if isinstance(size, tuple) else (size, size)
        sizes |= {f"encoder_{name}": pair[0], f"decoder_{name}": pair[1]}
    return sizes
