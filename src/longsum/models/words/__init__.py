"""What word-level models share: words, vocabulary, beam search, files."""
