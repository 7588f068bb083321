"""Summaries over HTTP: a store of documents and jobs, processes that work, and what answers."""
