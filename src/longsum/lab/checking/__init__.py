"""Models that check summaries: readers that answer questions, and classifiers of claims.

They are ordinary Hugging Face checkpoints; any checkpoint of these kinds can be used.
"""
