"""The result tables of the five papers as experiments: rows run, beside what is printed."""
