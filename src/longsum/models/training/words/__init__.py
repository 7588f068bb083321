"""Training of word-level models."""
