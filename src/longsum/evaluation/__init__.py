"""Data sets and metrics."""
