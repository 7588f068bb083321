"""Models that check summaries: readers that answer questions, and classifiers of claims.

They are plain Hugging Face checkpoints, so that any serves.
"""
