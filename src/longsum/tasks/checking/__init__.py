"""Training data of models that check summaries: cloze questions, and claims true to their source or not."""
