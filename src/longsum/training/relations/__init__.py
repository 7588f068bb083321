"""Training of the extractor of relations."""
