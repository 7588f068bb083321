"""Summarization: extractive systems, lengths, book parts, grounding and pages."""
