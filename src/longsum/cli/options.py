"""Options that several commands take, written once."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

Source = Annotated[
    str,
    typer.Argument(
        metavar="INPUT", help="A text, Markdown, HTML, PDF, EPUB or JSON file; - is standard input."
    ),
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the output file.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of whatever is random.")]
Root = Annotated[
    Path | None,
    typer.Option("--root", help="Folder of the data, where its variable does not name it."),
]


class Format(StrEnum):
    """How a summary or a tree of summaries is written."""

    text = "text"
    markdown = "markdown"
    json = "json"
    html = "html"


ReadLimit = Annotated[
    list[str] | None,
    typer.Option(
        "--read-limit",
        metavar="NAME=VALUE",
        help="Let the document be larger, or take more to read, than by default: size=2GB, "
        "characters=200M, pages=50000, unpacked=2GB, memory=4GB, seconds=600; repeat it.",
    ),
]


class ListFormat(StrEnum):
    """How a list is written."""

    text = "text"
    json = "json"


Form = Annotated[ListFormat, typer.Option("--format", "-f", help="How to write it.")]
