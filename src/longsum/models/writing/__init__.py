"""Systems that write with a model."""
