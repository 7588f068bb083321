"""How an attention is computed: by its definition, in tiles, with FlexAttention."""
