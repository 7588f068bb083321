"""`longsum mcp`."""

from pathlib import Path
from typing import Annotated

import typer

from longsum.cli.command import Command
from longsum.cli.options import ReadLimit, parsed_limits

EXAMPLES = ("longsum mcp documents", "longsum mcp reports minutes --page 8000")


def mcp(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="FOLDER…", help="Folders that agents may read, and nothing else."),
    ],
    page: Annotated[
        int,
        typer.Option(
            "--page", metavar="N", help="Characters per answer; the rest comes in further pages."
        ),
    ] = 16_000,
    read_limit: ReadLimit = None,
) -> None:
    """Serve documents of folders to agents, over the Model Context Protocol.

    It talks on standard input and output: a client such as an editor starts it. It reads nothing
    outside the folders, follows no link in them, writes nothing and uses no network.
    """
    from longsum.agents.server import serve

    serve(folders, parsed_limits(read_limit), page)


COMMAND = Command(mcp, "Serve documents of folders to agents (MCP).", EXAMPLES)
