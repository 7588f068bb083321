"""Summaries: systems that choose sentences, lengths, parts of books, grounding, pages."""
