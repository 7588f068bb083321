"""Which cells a text states."""
