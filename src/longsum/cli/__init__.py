"""The command line; one file a command."""

from longsum.cli.app import main

__all__ = ["main"]
