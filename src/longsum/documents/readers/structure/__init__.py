"""Headings, contents, and running heads and feet, in files that do not mark them."""
