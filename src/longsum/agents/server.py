"""`longsum mcp`: the tools over the Model Context Protocol, on standard input and output."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from importlib.metadata import version
from inspect import Parameter, signature
from itertools import count
from pathlib import Path
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, ContentBlock, TextContent, ToolAnnotations
from pydantic import Field, ValidationError

from longsum.agents.answers import DATA, LEAST, USUAL, Answer, CompleteAnswer, answer
from longsum.agents.folders import Folders, Shelf
from longsum.agents.tools import TOOLS, Tools
from longsum.common.errors import LongsumError
from longsum.common.wording import quote
from longsum.documents.readers import ReadLimits

_INSTRUCTIONS = (
    "Reads long documents: 'documents' lists the files, 'outline' the sections of one, 'summarize' "
    "makes a summary of any length of one or several, 'questions' a tree of them, 'read_section' "
    "and 'find' give the text itself, and 'check' says where a text differs from documents. Every "
    "answer has the offsets and pages that it comes from. Long answers come in pages: call again "
    f"with next_cursor. {DATA}"
)
_KEPT = 8
"""Number of answers whose further pages are kept."""
_PULSE = 2.0
"""Seconds between two notifications of progress."""

Cursor = Annotated[str | None, Field(description="next_cursor of the page before.")]
Result = Annotated[CallToolResult, Answer]


def serve(
    folders: Sequence[Path],
    limits: ReadLimits = ReadLimits(),  # noqa: B008
    bound: int = USUAL,
) -> None:
    """Serve the tools on standard input and output until the client leaves.

    Each document is read within the limits, and a page has at most `bound` characters, both as
    values and as text.

    Raises:
        LongsumError: A folder cannot be used, or the bound is too small.
    """
    if bound < LEAST:
        raise LongsumError(
            f"A page of {bound} characters is too short for a passage; give {LEAST} or more."
        )
    with closing(Folders(folders)) as opened:
        server_of(Tools(Shelf(opened, limits), bound), bound).run("stdio")


def server_of(tools: Tools, bound: int) -> MCPServer[Any]:
    """Return a server with the tools."""
    server = _Server(
        "longsum", version=version("longsum"), instructions=_INSTRUCTIONS, log_level="ERROR"
    )
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False, idempotent_hint=True)
    kept: OrderedDict[str, CompleteAnswer] = OrderedDict()
    for name in TOOLS:
        server.add_tool(_in_pages(getattr(tools, name), kept, bound), name, annotations=reads)
    return server


class _Server(MCPServer[Any]):
    """A server that explains in a sentence what is wrong with the arguments of a call."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> Any:
        """Call a tool by name; unknown arguments are refused, never ignored."""
        tools = {tool.name: tool.input_schema["properties"] for tool in await self.list_tools()}
        if name not in tools:
            raise ToolError(f"There is no tool '{name}'; there are {', '.join(tools)}.")
        takes = f"it takes {', '.join(tools[name])}."
        for given in arguments:
            if given not in tools[name]:
                raise ToolError(f"'{name}' has no argument {quote(given)}; {takes}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            wrong = error.__cause__.errors()[0]
            place = ".".join(map(str, wrong["loc"]))
            says = f"'{place}' of '{name}' is not right: {wrong['msg']}."
            if wrong["type"] == "missing":
                says = f"'{name}' needs '{place}'; {takes}"
            raise ToolError(says) from error.__cause__


def _in_pages(
    ask: Callable[..., CompleteAnswer], kept: OrderedDict[str, CompleteAnswer], bound: int
) -> Callable[..., Awaitable[CallToolResult]]:
    """Return a tool that takes the arguments of a question and a cursor, and answers in pages.

    Answers with further pages are kept, the latest last.
    """

    async def paged(ctx: Context, cursor: Cursor = None, **given: Any) -> Result:
        # Further pages come from the same answer as the first.
        found = kept.get((cursor or "").partition("-")[0])
        try:
            if found is None:
                pulse = asyncio.create_task(_pulse(ctx, ask.__name__.replace("_", " ")))
                try:
                    found = await asyncio.to_thread(ask, **given)
                finally:
                    pulse.cancel()
            values, text = answer(found, cursor, bound, [ask.__name__, given])
        except LongsumError as error:
            raise ToolError(str(error)) from None
        if values["next_cursor"] is not None:
            kept[values["next_cursor"].partition("-")[0]] = found
            while len(kept) > _KEPT:
                kept.popitem(last=False)
        content: list[ContentBlock] = [TextContent(type="text", text=text)]
        return CallToolResult(content=content, structured_content=values)

    paged.__doc__ = ask.__doc__
    (ctx, cursor, _), own = signature(paged).parameters.values(), signature(ask).parameters.values()
    given = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in (*own, cursor)]
    paged.__signature__ = signature(paged).replace(parameters=[ctx, *given])  # type: ignore[attr-defined]
    return paged


async def _pulse(ctx: Context[Any, Any], work: str) -> None:
    """Report ongoing work until cancelled."""
    for step in count():
        await ctx.report_progress(step, None, f"{work}: at work")
        await asyncio.sleep(_PULSE)
