"""The experiments, in a file for each paper."""
