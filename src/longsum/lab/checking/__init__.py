"""Models that check summaries: readers that answer questions, and classifiers of claims.

They are plain Hugging Face checkpoints, so any such checkpoint can be used.
"""
