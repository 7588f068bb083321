"""Tiny models of every kind, in folders."""

from model_folders import folder, load  # noqa: F401
