"""The reader: documents, their summaries and annotations, as pages in a browser."""
