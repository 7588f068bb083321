"""Language models behind chat endpoints, under longsum's structure, length and checks.

A document is divided along its section tree, so that every sentence is in exactly one call; the
model answers in lines that cite sentences by number; merges see those numbers, so that the summary
of the whole cites sentences of the document (docs/writers.md).
"""
