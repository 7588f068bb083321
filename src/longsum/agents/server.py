"""`longsum mcp`: the tools over the Model Context Protocol, on standard input and output."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from longsum.agents.answers import DATA, Answer, answer
from longsum.agents.folders import Folders
from longsum.agents.paging import LEAST, USUAL
from longsum.agents.shelf import Shelf
from longsum.agents.tools import Found, Tools
from longsum.common.errors import LongsumError
from longsum.documents.readers import ReadLimits

_INSTRUCTIONS = (
    "Reads long documents: 'documents' lists the files, 'outline' the sections of one, 'summarize' "
    "makes a summary of any length of one or several, 'questions' a tree of them, 'read_section' "
    "and 'find' give the text itself, and 'check' says where a text differs from documents. Every "
    "answer has the offsets and pages that it comes from. Long answers come in pages: call again "
    f"with next_cursor. {DATA}"
)
_KEPT = 8
"""Answers whose further pages are kept."""
_PULSE = 2.0
"""Seconds between two notifications of progress."""

Path_ = Annotated[str, Field(description="A file that 'documents' lists.")]
Paths = Annotated[
    list[str], Field(min_length=1, max_length=100, description="Files that 'documents' lists.")
]
Cursor = Annotated[str | None, Field(description="next_cursor of the page before.")]
Result = Annotated[CallToolResult, Answer]


def serve(
    folders: Sequence[Path],
    limits: ReadLimits = ReadLimits(),  # noqa: B008
    bound: int = USUAL,
) -> None:
    """Serve the tools on standard input and output until the client leaves.

    Args:
        folders: What may be read.
        limits: Limits on each document.
        bound: Characters of a page, as values and as text each.

    Raises:
        LongsumError: A folder cannot be used, or the bound is too small.
    """
    if bound < LEAST:
        raise LongsumError(f"A page of {bound} characters holds no passage; give {LEAST} or more.")
    opened = Folders(folders)
    try:
        server_of(Tools(Shelf(opened, limits), bound), bound).run("stdio")
    finally:
        opened.close()


def server_of(tools: Tools, bound: int) -> MCPServer[Any]:
    """Return a server with the tools."""
    server: MCPServer[Any] = MCPServer(
        "longsum", version=version("longsum"), instructions=_INSTRUCTIONS, log_level="ERROR"
    )
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False, idempotent_hint=True)
    tool = partial(server.tool, annotations=reads)
    kept: OrderedDict[str, Found] = OrderedDict()

    async def told(
        ctx: Context[Any, Any], cursor: str | None, ask: Callable[..., Found], *given: Any
    ) -> CallToolResult:
        """Answer in a thread, with progress while it takes time."""
        question = [ask.__name__, *given]
        try:
            # Further pages are of the answer that the first one was.
            found = None if cursor is None else kept.get(cursor.partition("-")[0])
            if found is None:
                doing = f"{ask.__name__.replace('_', ' ')}: at work"
                pulse = asyncio.create_task(_pulse(ctx, doing))
                try:
                    found = await asyncio.to_thread(ask, *given)
                finally:
                    pulse.cancel()
            values, text = answer(found, cursor, bound, question)
        except LongsumError as error:
            raise ToolError(str(error)) from None
        if values["next_cursor"] is not None:
            kept[values["next_cursor"].partition("-")[0]] = found
            while len(kept) > _KEPT:
                kept.popitem(last=False)
        return CallToolResult(
            content=[TextContent(type="text", text=text)], structured_content=values
        )

    @tool()
    async def documents(ctx: Context, cursor: Cursor = None) -> Result:
        """List the files that may be read, with their sizes."""
        return await told(ctx, cursor, tools.documents)

    @tool()
    async def summarize(
        ctx: Context,
        paths: Paths,
        length: Annotated[
            str, Field(description="At most: 250w (words), 12s (sentences), 8%, short, long, auto.")
        ] = "medium",
        focus: Annotated[str | None, Field(description="What the reader wants to know.")] = None,
        system: Annotated[str | None, Field(description="Another way to choose.")] = None,
        cursor: Cursor = None,
    ) -> Result:
        """Summarize a document, or several as one, in sentences of theirs with their places."""
        return await told(ctx, cursor, tools.summarize, paths, length, focus, system)

    @tool()
    async def outline(ctx: Context, path: Path_, cursor: Cursor = None) -> Result:
        """List the sections of a document with their numbers, words and pages."""
        return await told(ctx, cursor, tools.outline, path)

    @tool()
    async def questions(
        ctx: Context,
        path: Path_,
        question: Annotated[str | None, Field(description="Asks the document this.")] = None,
        depth: Annotated[int | None, Field(ge=1, description="Levels at most.")] = None,
        length: Annotated[str, Field(description="Of each node at most, such as 50w.")] = "50w",
        cursor: Cursor = None,
    ) -> Result:
        """Give a document as a tree: its whole, its sections and their parts, each summarized."""
        return await told(ctx, cursor, tools.questions, path, question, depth, length)

    @tool()
    async def read_section(
        ctx: Context,
        path: Path_,
        section: Annotated[int, Field(ge=0, description="Its number in 'outline'.")],
        cursor: Cursor = None,
    ) -> Result:
        """Read a section of a document with all below it, word for word."""
        return await told(ctx, cursor, tools.read_section, path, section)

    @tool()
    async def find(
        ctx: Context,
        path: Path_,
        query: Annotated[str, Field(description="Words, or a phrase, to look for.")],
        cursor: Cursor = None,
    ) -> Result:
        """Find sentences: those with the phrase word for word first, then the most relevant."""
        return await told(ctx, cursor, tools.find, path, query)

    @tool()
    async def check(
        ctx: Context,
        text: Annotated[str, Field(description="What is to be checked.")],
        paths: Paths,
        cursor: Cursor = None,
    ) -> Result:
        """Say, sentence by sentence, whether a text agrees with documents, and what differs."""
        return await told(ctx, cursor, tools.check, text, paths)

    return server


async def _pulse(ctx: Context[Any, Any], message: str) -> None:
    """Report that work goes on, until cancelled."""
    step = 0
    while True:
        await ctx.report_progress(step, None, message)
        step += 1
        await asyncio.sleep(_PULSE)
