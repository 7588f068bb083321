"""The result tables of the five papers as experiments: our scores beside the published ones."""
