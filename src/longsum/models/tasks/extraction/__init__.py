"""Extraction: documents as sentences to choose from, and what is to be chosen."""
