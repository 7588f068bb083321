"""Sentences of plans that a model writes."""
