"""Finds the sources of generated sentences, and verifies the sentences against them."""
