"""Metrics as pure functions of texts, and significance tests.

A metric with variants names the one that it computes (`rouge_variant()`, `meteor_variant()`);
report it with the scores. Slow packages are imported by the first call.
"""
