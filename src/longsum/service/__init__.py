"""Summaries over HTTP: a store of documents and jobs, worker processes, and an API."""
