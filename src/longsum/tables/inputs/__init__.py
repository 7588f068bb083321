"""Tables from files: games, CSV, Parquet and records, with a schema."""
