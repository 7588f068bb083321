"""Whole corpora: a row of results for every document, whatever happens on the way."""
