"""Where a text differs from its table."""
