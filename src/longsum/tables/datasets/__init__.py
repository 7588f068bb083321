"""Games as a data set."""
