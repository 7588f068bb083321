"""What models that check summaries learn from: cloze questions, and claims."""
