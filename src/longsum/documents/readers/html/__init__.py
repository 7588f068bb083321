"""HTML and EPUB."""
