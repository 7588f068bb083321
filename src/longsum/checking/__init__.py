"""Checks any text against its documents, sentence by sentence, with the evidence."""
