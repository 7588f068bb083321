"""Metrics as pure functions of texts, and significance tests.

Every metric with variants names its own (`rouge_variant()`, `meteor_variant()`); report it with
the number. Slow packages are imported by the first call.
"""
