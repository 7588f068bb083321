"""Corpora: folders, JSON lines and Parquet files."""
