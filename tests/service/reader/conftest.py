"""A service without workers."""

from reader_pages import add, client  # noqa: F401
