"""Training of models that check summaries: readers that answer questions, and classifiers of claims."""
