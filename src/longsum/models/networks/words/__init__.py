"""What word-level models share: words, vocabulary, settings, loss, beam search, files."""
