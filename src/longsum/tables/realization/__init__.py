"""Sentences that a model writes from plans."""
