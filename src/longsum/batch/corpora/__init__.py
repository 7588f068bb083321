"""What is in a corpus: folders, lines of JSON, Parquet."""
