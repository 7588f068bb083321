"""Biases of attention scores by the section tree and by distances."""
