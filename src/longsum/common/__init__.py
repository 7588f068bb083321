"""Shared utilities: errors, files, names, threads, the registry."""
