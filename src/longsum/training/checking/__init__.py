"""Training of models that check summaries."""
