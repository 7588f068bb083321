"""Options that several commands share, alone and in groups (`longsum.cli.command.ungrouped`)."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

from longsum.cli.streams import check_output, progress, tell, write_json, write_result
from longsum.common.errors import LongsumError
from longsum.common.names import MAX_SEED

if TYPE_CHECKING:
    from longsum.core.pipeline import SystemOptions
    from longsum.documents import Document
    from longsum.documents.readers import ReadLimits

Source = Annotated[
    str,
    typer.Argument(
        metavar="INPUT",
        help="A file (text, PDF, DOCX, ODT, EPUB, HTML, XML, …); - reads standard input.",
    ),
]
Output = Annotated[
    Path | None,
    # Known before the format, which its suffix may name.
    typer.Option("--output", "-o", metavar="FILE", is_eager=True, help="Write to this file."),
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


Format = Literal["text", "markdown", "json", "html"]
_SUFFIXES = {
    ".txt": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
    ".html": "html",
    ".htm": "html",
    ".csv": "csv",
}


def written_form(*forms: str) -> Any:
    """Return the option for the format of what `Output` takes, one of those of a command.

    Without it the suffix of the output chooses, where it names a format that the command has.
    """

    def as_named(context: typer.Context, form: str) -> str:
        source = context.get_parameter_source("form")
        if source is None or source.name != "DEFAULT":
            return form
        named = _SUFFIXES.get(Path(context.params["output"] or "").suffix.lower(), form)
        return named if named in forms else form

    return typer.Option(
        "--format",
        "-f",
        callback=as_named,
        help="Output format; by default the one that the suffix of --output names.",
    )


FormatOption = Annotated[Format, written_form(*get_args(Format))]
Fill = Annotated[
    Literal["sensible", "strict"] | None,
    typer.Option(
        "--fill",
        help=(
            "sensible lets a summary end short if what is left would only pad it; strict leaves "
            "out nothing that fits. By default, the system's setting."
        ),
    ),
]

ReadLimit = Annotated[
    list[str] | None,
    typer.Option(
        "--read-limit",
        metavar="NAME=VALUE",
        help="Raise a limit on input files: size=2GB, characters=200M, pages=50000, unpacked=2GB, "
        "html_depth=2000, xml_depth=2000, word=100000, pieces=1M, memory=4GB, seconds=600; repeat "
        "the option for each.",
    ),
]
Keep = Annotated[
    str,
    typer.Option(
        "--keep",
        metavar="KINDS",
        help="Keep in the text what would be left out, by the names that the warning gives: "
        "tables,code,footnotes; all keeps everything.",
    ),
]
Cache = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="FOLDER",
        help="Cache parsed documents in this folder, up to a gigabyte, so that each file is read "
        "only once.",
    ),
]
ListFormat = Literal["text", "json"]
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
        help="The model that writes the summary or chooses its sentences: a folder, "
        "owner/name on the Hugging Face Hub, or the address of a chat endpoint, such as "
        "http://127.0.0.1:8080/v1#NAME.",
    ),
]
Prototype = Annotated[
    str | None,
    typer.Option(
        "--prototype",
        metavar="NAME",
        help="A system, or a model's folder, that writes a summary of its own length, which MLS "
        "then brings to the requested length.",
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
        help="Leave what a model writes as it is, however short. Otherwise it is filled to the "
        "requested length with sentences from the document.",
    ),
]
Shorten = Annotated[
    bool | None,
    typer.Option(
        "--shorten/--no-shorten",
        help=(
            "Shorten sentences by what they can do without, such as citations and opening "
            "connectives, or keep them whole; by default, the system's setting."
        ),
    ),
]
AtOnce = Annotated[
    bool,
    typer.Option(
        "--at-once", help="Do not divide a long text; a model then reads only its beginning."
    ),
]
DataSet = Annotated[
    str,
    typer.Option(
        "--data",
        metavar="SET",
        autocompletion=data_sets,
        help="The data set; 'longsum data' lists them. Or a file of your own: JSON lines, CSV, "
        "Parquet, or a folder that 'datasets' saved.",
    ),
]
Map = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="MEANING=FIELD",
        help="Which field of your own file holds what: document=article, summary=highlights, id, "
        "title, question, split or license; repeat the option for each.",
    ),
]
Split = Annotated[str, typer.Option("--split", metavar="NAME", help="The split of the data set.")]
UsualSplit = Annotated[
    str | None,
    typer.Option(
        "--split",
        metavar="NAME",
        help="The split of the data set, by default validation; a file without splits is used "
        "whole.",
    ),
]
Limit = Annotated[
    int | None,
    typer.Option("--limit", metavar="N", min=1, help="Use at most N documents of each split."),
]


def mapped(name: str, fields: list[str] | None) -> str:
    """Return the name of data with the field mapping of `--map`, and print how fields are read.

    Raises:
        LongsumError: The fields are not in the file, or the name is that of a data set.
    """
    from longsum.evaluation.datasets.own_files import OwnData, name_with_fields

    given = dict(field.partition("=")[::2] for field in fields or ())
    data = OwnData.parse(name)
    if data is None:
        if given:
            raise LongsumError("--map says what the fields of a file mean; give the file as data.")
        return name
    name = name_with_fields(name, given)
    data = OwnData.parse(name)
    if data is not None:
        tell(data.understood)
    return name


@dataclass(frozen=True, slots=True)
class InputOptions:
    """How the document of a command is read."""

    read_limit: ReadLimit = None
    cache: Cache = None
    keep: Keep = ""

    def read(self, source: str, *, isolated: bool = False) -> "Document":
        """Read a document, and show that it is being read.

        Args:
            source: A file, or `-` for standard input.
            isolated: Whether `--isolation` requires it.

        Raises:
            LongsumError: A limit is unknown or impossible, or the document cannot be read.
        """
        from longsum.documents.readers import read
        from longsum.documents.readers.isolation.reading_process import stand_by

        limits = parsed_limits(self.read_limit)
        # Before the progress display starts a thread.
        stand_by()
        with progress("Reading"):
            kept = [name for name in self.keep.split(",") if name.strip()]
            return read(source, limits=limits, cache=self.cache, keep=kept, isolated=isolated)


def parsed_limits(given: list[str] | None) -> "ReadLimits":
    """Return the limits that `--read-limit` was given.

    Raises:
        LongsumError: One is unknown or impossible.
    """
    from longsum.documents.readers import ReadLimits

    return ReadLimits.parse(given or ())


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """Where the result of a command goes."""

    output: Output = None
    force: Force = False

    def check(self) -> None:
        """Refuse a file that cannot be written, before any work is done."""
        check_output(self.output, self.force)

    def write(self, text: str) -> None:
        """Write the result; see `write_result`."""
        write_result(text, self.output)

    def write_json(self, values: Any) -> None:
        """Write JSON values as the result."""
        write_json(values, self.output)

    def write_as(self, form: str, **ways: Callable[[], Any]) -> None:
        """Write the result in a form; for each form, a function returns JSON values or a text."""
        made = ways[form]()
        if form == "json":
            self.write_json(made)
        else:
            self.write(made)


@dataclass(frozen=True, slots=True)
class SystemChoice:
    """The choice of a system or model."""

    system: System = None
    model: Model = None
    prototype: Prototype = None

    def options(self, **others: Any) -> "SystemOptions":
        """Return the choice in the form of the library."""
        from longsum.core.pipeline import SystemOptions

        return SystemOptions(
            system=self.system, model=self.model, prototype=self.prototype, **others
        )


@dataclass(frozen=True, slots=True)
class LanguageModelOptions:
    """How a language model, from a folder or behind an endpoint, is used."""

    context: Annotated[
        int | None,
        typer.Option(
            "--context",
            metavar="TOKENS",
            min=1,
            help=(
                "Tokens that a language model reads and writes in one call, if the server or "
                "folder does not say, or names too many."
            ),
        ),
    ] = None
    parallel: Annotated[
        int | None,
        typer.Option("--parallel", metavar="N", min=1, help="Simultaneous calls to an endpoint."),
    ] = None
    unsupported: Annotated[
        Literal["flag", "replace", "drop"] | None,
        typer.Option(
            "--unsupported",
            help="What to do with a language model's sentence that the document does not support: "
            "flag shows the doubt (the default), replace gives the document's sentence that it "
            "comes from, drop leaves it out.",
        ),
    ] = None
    allow_net: Annotated[
        bool,
        typer.Option(
            "--allow-net",
            help="Allow an endpoint on another machine, which is then sent the document.",
        ),
    ] = False

    dtype: Annotated[
        str | None,
        typer.Option(
            "--dtype",
            metavar="TYPE",
            help=(
                "Number type for a model in a folder: fp32, bf16 or fp16, by default the type of "
                "a language model's weights, and fp32 for other models; auto takes bf16 if the "
                "processor computes in it and the text stays the same; int8 keeps a language "
                "model in a quarter of the memory."
            ),
        ),
    ] = None
    use: Annotated[
        str,
        typer.Option(
            "--use",
            metavar="NAMES",
            help=(
                "Extra features for a language model, separated by commas: datamark marks the "
                "document's spaces, so that the model can tell its text from instructions; "
                "json_schema constrains answers to a schema and stream receives them as they are "
                "written, if a call shows that the server can."
            ),
        ),
    ] = ""

    @property
    def settings(self) -> dict[str, Any]:
        """The given settings, for `longsum.core.pipeline.SystemOptions`."""
        given = {
            "context": self.context,
            "parallel": self.parallel,
            "unsupported": self.unsupported,
            "allow_net": self.allow_net or None,
            "dtype": self.dtype,
            "use": [name for each in self.use.split(",") if (name := each.strip())] or None,
        }
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True, slots=True)
class EndpointOptions(LanguageModelOptions):
    """How a language model is used, and whether it is called at all."""

    estimate: Annotated[
        bool,
        typer.Option(
            "--estimate",
            help="Print how many calls a language model would get, with how many tokens, and make "
            "none.",
        ),
    ] = False


@dataclass(frozen=True, slots=True)
class SummaryOptions:
    """How a summary is brought to its length."""

    fill: Fill = None
    as_written: AsWritten = False
    seed: Seed = 0

    @property
    def settings(self) -> dict[str, Any]:
        """Settings of `longsum.core.pipeline.Options`."""
        return asdict(self)
