"""JSON: longsum's own, that of data sets, of Docling and of Unstructured."""
