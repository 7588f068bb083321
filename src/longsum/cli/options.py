"""Options that several commands share, and the document that they read."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longsum.cli.streams import progress
from longsum.common.names import MAX_SEED

if TYPE_CHECKING:
    from longsum.documents import Document

Source = Annotated[
    str,
    typer.Argument(
        metavar="INPUT",
        help="A file (text, PDF, DOCX, ODT, EPUB, HTML, XML, …); - reads standard input.",
    ),
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace the output file if it exists.")]
Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        max=MAX_SEED,
        help="Seed for anything random; the same seed gives the same result.",
    ),
]
Root = Annotated[
    Path | None,
    typer.Option(
        "--root", metavar="FOLDER", help="Folder of the data, if no environment variable names it."
    ),
]


def ready_systems(incomplete: str) -> list[str]:
    """Return the systems that a shell may complete a word to: those that need no training."""
    from longsum.core.recipes import recipes

    ready = (recipe.name for recipe in recipes() if recipe.state != "train first")
    return [name for name in ready if name.startswith(incomplete)]


def trained_systems(incomplete: str) -> list[str]:
    """Return the systems that a shell may complete a word to: those that can be trained."""
    from longsum.core.recipes import recipes

    trained = (recipe.name for recipe in recipes() if recipe.state == "train first")
    return [name for name in trained if name.startswith(incomplete)]


def data_sets(incomplete: str) -> list[str]:
    """Return the data sets that a shell may complete a word to."""
    from longsum.evaluation.datasets import datasets

    return [info.name for info in datasets() if info.name.startswith(incomplete)]


class Format(StrEnum):
    """How a summary or a tree of summaries is written."""

    text = "text"
    markdown = "markdown"
    json = "json"
    html = "html"


class FillChoice(StrEnum):
    """How a length is filled; the values of `longsum.core.summaries.Fill`."""

    sensible = "sensible"
    strict = "strict"


FillOption = Annotated[
    FillChoice | None,
    typer.Option(
        "--fill",
        help="With sensible, a summary may end short where what is left and fits would only fill "
        "it; with strict, nothing that fits is left out. By default as the system has it.",
    ),
]

ReadLimit = Annotated[
    list[str] | None,
    typer.Option(
        "--read-limit",
        metavar="NAME=VALUE",
        help="Raise a limit on what is read: size=2GB, characters=200M, pages=50000, unpacked=2GB, "
        "html_depth=2000, xml_depth=2000, word=100000, pieces=1M, memory=4GB, seconds=600; repeat "
        "the option for each.",
    ),
]
Keep = Annotated[
    str,
    typer.Option(
        "--keep",
        metavar="KINDS",
        help="Keep in the text what is left out otherwise, by the names that the warning gives: "
        "tables,code,footnotes; all keeps everything.",
    ),
]
Cache = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="FOLDER",
        help="Keep the documents that are read in this folder, up to a gigabyte, so that the same "
        "file is read once.",
    ),
]


class ListFormat(StrEnum):
    """How a list is written."""

    text = "text"
    json = "json"


Form = Annotated[ListFormat, typer.Option("--format", "-f", help="Output format.")]
System = Annotated[
    str | None,
    typer.Option(
        "--system",
        "-s",
        metavar="NAME",
        autocompletion=ready_systems,
        help="The system to use, by default 'stepwise'; 'longsum systems' lists them.",
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="MODEL",
        help="The model that writes the summary or chooses its sentences: a folder, or "
        "owner/name on the Hugging Face Hub.",
    ),
]
Prototype = Annotated[
    str | None,
    typer.Option(
        "--prototype",
        metavar="NAME",
        help="A system, or the folder of a model, that writes a summary of a length of its "
        "own, which MLS then brings to the length asked for.",
    ),
]
Focus = Annotated[
    str | None,
    typer.Option("--focus", metavar="TEXT", help="What you want to know about, in any words."),
]
AsWritten = Annotated[
    bool,
    typer.Option(
        "--as-written",
        help="With --model: print what the model writes, however short. Otherwise MLS brings "
        "it to the length asked for with sentences from the document.",
    ),
]
Shorten = Annotated[
    bool | None,
    typer.Option(
        "--shorten/--no-shorten",
        help="Leave out of sentences what they can do without, such as citations and opening "
        "connectives, or keep them whole; by default as the system's settings say.",
    ),
]


def read_input(
    source: str,
    limits: Sequence[str] | None,
    cache: Path | None = None,
    keep: str = "",
    *,
    isolated: bool = False,
) -> "Document":
    """Read a document, and show that it is being read.

    Args:
        source: A file, or `-` for standard input.
        limits: What `--read-limit` was given.
        cache: What `--cache` was given.
        keep: What `--keep` was given.
        isolated: Whether `--isolation` requires it.

    Raises:
        LongsumError: A limit is unknown or impossible, or the document cannot be read.
    """
    from longsum.documents.readers import ReadLimits, read
    from longsum.documents.readers.isolation.reading_process import stand_by

    parsed = ReadLimits.parse(limits or ())
    # Before what shows the progress starts a thread.
    stand_by()
    with progress("Reading"):
        kept = [name for name in keep.split(",") if name.strip()]
        return read(source, limits=parsed, cache=cache, keep=kept, isolated=isolated)
