"""Comparisons, studies with people, and models that check summaries."""
