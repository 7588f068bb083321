"""`longsum batch`, and `longsum batch resume`, `status` and `verify`."""

from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from longsum.cli.command import Command, ungrouped
from longsum.cli.options import (
    Focus,
    Form,
    ReadLimit,
    Shorten,
    SummaryOptions,
    SystemChoice,
    parsed_limits,
)
from longsum.cli.streams import bar, tell, warn, write_as
from longsum.common.errors import LongsumError
from longsum.common.wording import counted

if TYPE_CHECKING:
    from longsum.batch.inspection import Status
    from longsum.batch.run import BatchRun, Engines

EXAMPLES = (
    "longsum batch reports/ summaries/",
    "longsum batch reports/ summaries/ --length 5% --workers 4",
    "longsum batch corpus.jsonl out/ --text-field article --format jsonl",
    "longsum batch status out/",
    "longsum batch resume out/",
    "longsum batch verify out/",
)
ABOUT = """Summarize every document of a folder, or of a JSON-lines or Parquet file.

OUTPUT becomes a folder with a row for each document, in Parquet or JSON lines: its summary with the
sources of each sentence, or why there is none. An interrupted run continues where it was with
'longsum batch resume OUTPUT'; 'longsum batch run --help' lists the options.
"""
_INCOMPLETE = 1


Folder = Annotated[Path, typer.Argument(metavar="OUTPUT", help="The folder of a run.")]


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """The engine that runs the workers, and their number."""

    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            "-w",
            metavar="N",
            min=1,
            help="Number of processes; by default one per core.",
        ),
    ] = None
    engine: Annotated[
        Literal["local", "ray"],
        typer.Option("--engine", help="Processes on this machine, or Ray, here or on a cluster."),
    ] = "local"
    address: Annotated[
        str | None,
        typer.Option(
            "--address", metavar="ADDRESS", help="With --engine ray: the cluster; auto finds it."
        ),
    ] = None
    gpus: Annotated[
        float,
        typer.Option(
            "--gpus", metavar="N", min=0, help="With --engine ray: GPUs per worker, or a fraction."
        ),
    ] = 0.0
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout",
            metavar="SECONDS",
            min=1,
            help="Seconds that a document may take before longsum gives up on it.",
        ),
    ] = 1800.0

    def engines(self) -> "Engines":
        """Return the function that makes the engine.

        Raises:
            LongsumError: Options of Ray are given without it, or an impossible timeout.
        """
        if self.engine == "local" and (self.address is not None or self.gpus):
            raise LongsumError(
                "--address and --gpus are for --engine ray; add it, or leave them out."
            )
        from longsum.common.threads import cores

        count = self.workers or cores()
        from longsum.batch.ray_engine import RayEngine
        from longsum.batch.trial import check_timeout
        from longsum.batch.workers import LocalEngine

        check_timeout(self.timeout)

        if self.engine == "ray":
            on_ray = partial(RayEngine, address=self.address, gpus=self.gpus)
            return partial(on_ray, workers=count, timeout=self.timeout)
        return partial(LocalEngine, workers=count, timeout=self.timeout)


@dataclass(frozen=True, slots=True)
class RecordOptions:
    """The fields of a record with its id, its text and its title."""

    id_field: Annotated[
        str, typer.Option("--id-field", metavar="NAME", help="The field that holds a record's id.")
    ] = "id"
    text_field: Annotated[
        str, typer.Option("--text-field", metavar="NAME", help="The field that holds its text.")
    ] = "text"
    title_field: Annotated[
        str, typer.Option("--title-field", metavar="NAME", help="The field that holds its title.")
    ] = "title"


class BatchGroup(TyperGroup):
    """Lets `longsum batch INPUT OUTPUT` do without the word `run`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert `run` unless the first word is a command."""
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["run", *args]
        return super().parse_args(ctx, args)


batch = typer.Typer(cls=BatchGroup, no_args_is_help=True, rich_markup_mode=None)


@batch.command(short_help="Summarize a corpus; the word 'run' may be left out.")
@ungrouped
def run(
    source: Annotated[
        Path,
        typer.Argument(metavar="INPUT", help="A folder, or a .jsonl or .parquet file."),
    ],
    output: Annotated[
        Path | None, typer.Argument(metavar="OUTPUT", help="A new folder for the rows.")
    ] = None,
    length: Annotated[
        str,
        typer.Option(
            "--length", "-l", metavar="LENGTH", help="As for longsum summarize: 250w, 12s, 8%."
        ),
    ] = "medium",
    *,
    folder: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUTPUT", help="Another way to give OUTPUT."),
    ] = None,
    choice: SystemChoice,
    focus: Focus = None,
    shorten: Shorten = None,
    made: SummaryOptions,
    form: Annotated[
        Literal["parquet", "jsonl"], typer.Option("--format", "-f", help="Format of the rows.")
    ] = "parquet",
    full: Annotated[
        bool,
        typer.Option("--full", help="Give every row its full result, with reasons, as JSON."),
    ] = False,
    records: RecordOptions,
    block: Annotated[
        int,
        typer.Option(
            "--block",
            metavar="N",
            min=1,
            help="Number of documents whose rows are written together.",
        ),
    ] = 64,
    read_limit: ReadLimit = None,
    workers: EngineOptions,
) -> None:
    """Summarize every document of a corpus."""
    folders = [each for each in (output, folder) if each is not None]
    if len(folders) != 1:
        raise LongsumError("Give one folder for the rows: longsum batch INPUT OUTPUT.")
    engines = workers.engines()
    from longsum.batch.corpora.corpus import Fields
    from longsum.batch.plan import BlockSize
    from longsum.batch.run import BatchRun
    from longsum.batch.settings import BatchSettings

    settings = BatchSettings(
        corpus=str(source.absolute()),
        fields=Fields(id=records.id_field, text=records.text_field, title=records.title_field),
        choice=choice.options(),
        length=length,
        focus=focus,
        shorten=shorten,
        limits=parsed_limits(read_limit),
        form=form,
        full=full,
        **made.settings,
    )
    settings.choice.check(settings.options)
    begun = BatchRun(folders[0], settings, BlockSize(block))
    begun.begin()
    _go_on(begun, engines)


@batch.command(short_help="Summarize what is missing in a run that was interrupted.")
@ungrouped
def resume(output: Folder, *, workers: EngineOptions) -> None:
    """Summarize what is missing in a run, including documents added to its corpus since.

    It refuses if the system's weights or settings, or longsum itself, have changed since.
    """
    engines = workers.engines()
    from longsum.batch.run import BatchRun

    begun = BatchRun.open(output)
    begun.check_unchanged()
    warn(begun.renew_plan().lines)
    _go_on(begun, engines)


@batch.command(short_help="Show a run's progress.")
def status(output: Folder, form: Form = "text") -> None:
    """Show a run's progress, and why documents have no summary."""
    from longsum.batch import inspection
    from longsum.batch.run import BatchRun

    progress = inspection.status(BatchRun.open(output))
    write_as(form, asdict(progress), lambda: _shown(progress))


@batch.command(short_help="Check that every document has exactly one row.")
def verify(output: Folder, form: Form = "text") -> None:
    """Compare the documents that went in with the rows that came out, and files with their hashes.

    The exit status is 1 if something is missing, duplicated or damaged.
    """
    from longsum.batch import inspection
    from longsum.batch.run import BatchRun

    verification = inspection.verify(BatchRun.open(output))
    values = {"sound": verification.sound, **asdict(verification)}
    write_as(form, values, lambda: "".join(f"{line}\n" for line in verification.lines))
    if not verification.sound:
        raise typer.Exit(_INCOMPLETE)


def _go_on(begun: "BatchRun", engines: "Engines") -> None:
    from longsum.batch import inspection

    before = inspection.status(begun)
    done = before.done
    with bar(f"Summarizing {counted(before.documents, 'document')}", "document") as show:
        show(done, before.documents, "Summarizing")

        def report(committed: Any) -> None:
            nonlocal done
            done += committed.rows
            show(done, before.documents, "Summarizing")

        begun.resume(engines, report)
    for line in _shown(inspection.status(begun)).splitlines():
        tell(line)


def _shown(found: "Status") -> str:
    from longsum.batch.inspection import listed

    lines = [
        f"{found.done:,} of {counted(found.documents, 'document')} done, in "
        f"{found.blocks_done:,} of {counted(found.blocks, 'block')}"
        f"{'; a process is working on it' if found.running else ''}"
    ]
    failed = sum(found.failures.values())
    if failed:
        why = ", ".join(f"{count:,} {name}" for name, count in sorted(found.failures.items()))
        lines.append(f"without a summary: {failed:,} ({why}); the rows say why")
    lines.append(
        f"{counted(found.words, 'word')} of summaries from {counted(found.characters, 'character')}"
    )
    if found.damaged:
        lines.append(
            f"damaged, or no part of the run: {listed(found.damaged)}; resume it, which sets them "
            "aside and does what is missing"
        )
    return "".join(f"{line}\n" for line in lines)


COMMAND = Command(
    batch,
    "Summarize every document of a folder or file.",
    EXAMPLES,
    ABOUT,
)
