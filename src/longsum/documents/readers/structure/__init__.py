"""Headings, contents, and what stands on every page, in files that do not mark them."""
