"""Systems by documents by metrics, with intervals and tests."""
