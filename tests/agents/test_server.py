"""`longsum mcp` with the official client, over standard input and output."""

import sys
from collections import OrderedDict
from inspect import signature
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import anyio
import pytest

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters
from mcp.server.mcpserver.exceptions import ToolError

from longsum import LongsumError, ReadLimits, __version__
from longsum.agents import server
from longsum.agents.answers import LEAST, USUAL, CompleteAnswer
from longsum.agents.folders import Folders, Shelf
from longsum.agents.server import _in_pages, serve, server_of
from longsum.agents.tools import Tools

TEXT = "# Dam\n\nThe dam was finished in 1931 by the town. " + " ".join(
    f"The lake number {number} freezes in winter." for number in range(400)
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "dam.md").write_text(TEXT)
    (tmp_path / "secret.txt").write_text("Nobody may read this sentence.")
    (tmp_path / "docs" / "link.txt").symlink_to(tmp_path / "secret.txt")
    return tmp_path / "docs"


def talk(folder: Path, conversation, bound: int = USUAL) -> None:
    async def run() -> None:
        folders = Folders([folder])
        made = server_of(Tools(Shelf(folders, ReadLimits()), bound), bound)
        async with Client(made) as client:
            await conversation(client)
        folders.close()

    anyio.run(run)


@pytest.mark.slow
def test_a_program_speaks_over_its_standard_streams(folder: Path) -> None:
    arguments = ["-m", "longsum", "mcp", str(folder)]

    async def run() -> None:
        async with Client(StdioServerParameters(command=sys.executable, args=arguments)) as client:
            found = await client.call_tool("documents", {})
            assert [each["text"] for each in found.structured_content["passages"]] == ["dam.md"]

    anyio.run(run)


def test_a_client_reads_documents(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_PULSE", 0.02)

    async def conversation(session: Client) -> None:
        info = session.server_info
        assert (info.name, info.version) == ("longsum", __version__)
        listed = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert set(listed) == {
            *("documents", "summarize", "outline", "questions", "read_section", "find", "check")
        }
        for tool in listed.values():
            hints = tool.annotations
            assert tool.output_schema
            assert (hints.read_only_hint, hints.idempotent_hint) == (True, True)
            assert hints.open_world_hint is False

        files = await session.call_tool("documents", {})
        assert [each["text"] for each in files.structured_content["passages"]] == ["dam.md"]

        told = []

        async def progress(done: float, _total: float | None, message: str | None) -> None:
            told.append((done, message))

        made = await session.call_tool(
            "summarize", {"paths": ["dam.md"], "length": "12w"}, progress_callback=progress
        )
        assert not made.is_error
        assert told[:2] == [(step, "summarize: at work") for step in range(2)]
        (passage,) = made.structured_content["passages"][:1]
        source = passage["sources"][0]
        assert source["end"] - source["start"] == len(passage["text"])
        assert "never instructions" in made.content[0].text
        assert passage["text"] in made.content[0].text

        first = await session.call_tool("read_section", {"path": "dam.md", "section": 0})
        (folder / "dam.md").write_text("# Dam\n\nNothing of it is left.")
        cursor = first.structured_content["next_cursor"]
        given = {"path": "dam.md", "section": 0, "cursor": cursor}
        second = await session.call_tool("read_section", given)
        assert second.structured_content["first"] > 0
        assert second.structured_content["sha256"] == first.structured_content["sha256"]
        (folder / "dam.md").write_text(TEXT)

        wrong = await session.call_tool(
            "check", {"text": "The dam was finished in 1940 by the town.", "paths": ["dam.md"]}
        )
        assert wrong.structured_content["passages"][0]["verdict"] != "confirmed"

    talk(folder, conversation, 8000)


def test_errors_are_those_of_tools(folder: Path) -> None:
    async def conversation(session: Client) -> None:
        inside = "nothing else may be read"
        for says, name, given in (
            ("links are not followed", "outline", {"path": "link.txt"}),
            (inside, "summarize", {"paths": ["../secret.txt"]}),
            (inside, "check", {"text": "It is so here.", "paths": ["/etc/passwd"]}),
            ("no argument 'file'; it takes path, cursor.", "outline", {"file": "dam.md"}),
            ("'outline' needs 'path'; it takes path", "outline", {}),
            ("'path' of 'outline' is not right: Input should be", "outline", {"path": 1}),
            ("no tool 'sum'; there are documents, ", "sum", {}),
        ):
            found = await session.call_tool(name, given)
            assert found.is_error
            assert says in found.content[0].text
            assert "Nobody may read" not in found.content[0].text
        bad = await session.call_tool(
            "find", {"path": "dam.md", "query": "lake", "cursor": "nonsense"}
        )
        assert bad.is_error
        assert "start again" in bad.content[0].text
        after = await session.call_tool("find", {"path": "dam.md", "query": "lake"})
        assert not after.is_error

    talk(folder, conversation)


def test_a_cursor_is_valid_only_for_its_tool() -> None:
    found = CompleteAnswer("a", "0", [{"text": "x" * 900}] * 20)

    async def run() -> None:
        kept: OrderedDict[str, CompleteAnswer] = OrderedDict()
        one, other = Mock(return_value=found, __name__="one"), Mock(__name__="other")
        one.__signature__ = other.__signature__ = signature(lambda path: path)
        context = Mock(report_progress=AsyncMock())
        page = await _in_pages(one, kept, LEAST)(context, path="a.txt")
        again = {"cursor": page.structured_content["next_cursor"], "path": "a.txt"}
        assert (await _in_pages(one, kept, LEAST)(context, **again)).structured_content["first"] > 0
        with pytest.raises(ToolError, match="belongs to another call"):
            await _in_pages(other, kept, LEAST)(context, **again)
        # The last eight long answers are kept: of nine, only the first is asked for again.
        one.reset_mock()
        asked = [{"path": f"{number}.txt"} for number in range(9)]
        pages = [await _in_pages(one, kept, LEAST)(context, **each) for each in asked]
        for each, page in zip(reversed(asked), reversed(pages), strict=True):
            cursor = page.structured_content["next_cursor"]
            await _in_pages(one, kept, LEAST)(context, **each, cursor=cursor)
        assert [call.kwargs for call in one.call_args_list] == [*asked, asked[0]]

    anyio.run(run)


def test_folders_are_served_in_pages_of_a_size(folder: Path, monkeypatch) -> None:
    for bound, says in ((LEAST - 1, "8000 or more"), (LEAST, "cannot be used as a folder")):
        with pytest.raises(LongsumError, match=says):
            serve([folder, folder / "dam.md"], bound=bound)
    made, run = Mock(wraps=server_of), Mock()
    monkeypatch.setattr(server, "server_of", made)
    monkeypatch.setattr(server.MCPServer, "run", run)
    limits = ReadLimits(size=9)
    serve([folder], limits, LEAST)
    run.assert_called_once_with("stdio")
    (tools, bound), _ = made.call_args
    assert (bound, tools._longest, tools._shelf._limits) == (LEAST, LEAST // 8, limits)
