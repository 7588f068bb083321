"""JSON: our own, that of data sets, of Docling and of Unstructured."""
