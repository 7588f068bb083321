"""Whole corpora: documents in, a row of results for each out, whatever happens on the way."""
