"""The reader: documents, their summaries and what people note on them, as pages in a browser."""
