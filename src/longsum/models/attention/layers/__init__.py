"""Products and layers that attentions and networks are made of."""
