"""Summarizers: each takes a document and a budget and gives a summary with its sources."""
