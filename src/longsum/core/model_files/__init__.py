"""Folders with models: what is in them, checked before anything is loaded."""
