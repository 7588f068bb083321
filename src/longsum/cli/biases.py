"""`longsum biases`."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from longsum.cli.command import Command
from longsum.cli.options import Force, InputOptions, ReadLimit
from longsum.cli.streams import check_folder, check_output, progress, warn, write_result
from longsum.common.errors import LongsumError
from longsum.common.files import make_folder, write_bytes

EXAMPLES = (
    "longsum biases runs/hibrids -o biases",
    "longsum biases runs/hibrids report.pdf --layer 1 -o biases",
    "longsum biases runs/hibrids --format json",
)

if TYPE_CHECKING:
    from longsum.documents import Document
    from longsum.lab.pages.bias_charts import BiasView, SectionPairs
    from longsum.models.networks.seq2seq.bias_tables import BiasTables

_LONGEST = 6
"""Path length up to which charts always show biases; sections are seldom farther apart."""


Format = Literal["html", "png", "json"]


def biases(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="A model with learned biases (encoder_bias or decoder_bias): a folder, or "
            "owner/name on the Hub.",
        ),
    ],
    document: Annotated[
        str | None,
        typer.Argument(
            metavar="DOCUMENT", help="Show the biases between the sections of this file."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="Write into this folder."),
    ] = None,
    form: Annotated[
        Format,
        typer.Option("--format", "-f", help="A page, pictures (drawn by matplotlib), or numbers."),
    ] = "html",
    layer: Annotated[
        int | None, typer.Option("--layer", metavar="N", min=1, help="Only this layer, from 1.")
    ] = None,
    head: Annotated[
        int | None, typer.Option("--head", metavar="N", min=1, help="Only this head, from 1.")
    ] = None,
    read_limit: ReadLimit = None,
    force: Force = False,
) -> None:
    """Show the biases that a model has learned for pairs of sections, or for distances.

    One chart shows the sections of a document, or of an example; the others show what the biases
    depend on, on average and for each layer and head (HIBRIDS, Figures 5 and 6). Charts show the
    biases times one hundred, JSON the biases themselves.
    """
    _check_folder(output, form)
    if read_limit and document is None:
        raise LongsumError("--read-limit needs a DOCUMENT; give one, or leave the option out.")
    from longsum.core.model_files.folders import check_model

    # Before the slow imports.
    check_model(model)
    sections = _EXAMPLE
    if document is not None:
        sections = _sections_of(InputOptions(read_limit).read(document))
    tables = _tables(model, layer, head)
    views = tuple(_view(each, sections, whole=form == "json") for each in tables)
    name = Path(model).resolve().name if Path(model).is_dir() else model
    if output is not None:
        make_folder(output)
    if form == "png" and output is not None:
        _write_pictures(views, output, force)
        return
    target = None if output is None else output / f"biases.{form}"
    check_output(target, force)
    with progress("Drawing"):
        text = _written(name, views, sections.document, form)
    write_result(text, target)


def _tables(model: str, layer: int | None, head: int | None) -> "list[BiasTables]":
    """Load the biases of the requested layers and heads."""
    from longsum.models.networks.seq2seq.bias_tables import load_bias_tables

    with progress("Reading"):
        tables = load_bias_tables(model)
    chosen = [part for each in tables if (part := each.only(layer, head)) is not None]
    if not chosen:
        there = "; ".join(
            f"{each.side}, {_range('layer', each.layers)}, {_range('head', each.heads)}"
            for each in tables
        )
        raise LongsumError(f"There are no biases for this layer and head; choose from: {there}.")
    return chosen


@dataclass(frozen=True, slots=True)
class _Sections:
    """The sections whose pairs are shown.

    Attributes:
        labels: Their places, `1.2`.
        titles: Their headings.
        parents: The number of the section above each, −1 for none.
        document: The name of their document; empty for the example.
    """

    labels: tuple[str, ...]
    titles: tuple[str, ...]
    parents: tuple[int, ...]
    document: str = ""


_EXAMPLE = _Sections(("1", "1.1", "1.1.1", "1.2", "2", "2.1"), ("",) * 6, (-1, 0, 1, 0, -1, 4))
"""A small tree that has every relation between sections."""


def _sections_of(document: "Document") -> _Sections:
    from longsum.documents import DocumentTree

    warn(document.warnings)
    tree = DocumentTree(document)
    above = (tree.parent(section.number) for section in tree.sections)
    return _Sections(
        labels=tuple(tree.label(section.number) for section in tree.sections),
        titles=tuple(section.title for section in tree.sections),
        parents=tuple(-1 if parent is None else parent for parent in above),
        document=document.title or document.source.name,
    )


def _view(tables: "BiasTables", sections: _Sections, *, whole: bool) -> "BiasView":
    """Return the biases with names, of all path lengths or of those that charts show."""
    from longsum.lab.pages.bias_charts import BiasView, chart_values, label_chart, longest_path

    longest = None if whole else max(_LONGEST, longest_path(sections.parents))
    axes, labels = label_chart(tables.settings, longest)
    return BiasView(
        side=tables.side,
        settings=asdict(tables.settings),
        axes=axes,
        layers=tables.layers,
        heads=("all heads",) if tables.shared else tuple(f"head {head}" for head in tables.heads),
        values=chart_values(tables.tables, labels).numpy(),
        pairs=_pairs(tables, sections),
    )


def _pairs(tables: "BiasTables", sections: _Sections) -> "SectionPairs | None":
    from longsum.lab.pages.bias_charts import SectionPairs, chart_values, section_labels

    labels = section_labels(tables.settings, sections.parents)
    if labels is None:
        return None
    # Averaged first: a document may have many sections, and a model many heads.
    table = tables.tables.double().mean(dim=(0, 2))[:, None]
    values = chart_values(table, labels)[0].numpy()
    return SectionPairs(sections.labels, sections.titles, values)


def _written(name: str, views: "tuple[BiasView, ...]", document: str, form: Format) -> str:
    if form == "json":
        from longsum.core.summaries.result_file import dump_json
        from longsum.lab.pages.bias_charts import biases_to_json

        return dump_json(biases_to_json(name, views))
    from longsum.lab.pages.bias_page import render_biases

    return render_biases(name, views, document)


def _write_pictures(views: "tuple[BiasView, ...]", folder: Path, force: bool) -> None:
    from longsum.lab.pages.bias_sheets import sheets
    from longsum.lab.pages.figures import render_png

    drawn = [(folder / f"{sheet.name}.png", sheet) for view in views for sheet in sheets(view)]
    for path, _ in drawn:
        check_output(path, force)
    for path, sheet in drawn:
        with progress(f"Drawing {path.name}"):
            picture = render_png(sheet)
        write_bytes(path, picture)


def _check_folder(folder: Path | None, form: Format) -> None:
    """Refuse a folder that cannot be written into, before any work is done."""
    if folder is None:
        if form == "png":
            raise LongsumError("There are several pictures; give a folder for them with -o.")
    else:
        check_folder(folder, force=True)


def _range(noun: str, numbers: tuple[int, ...]) -> str:
    if len(numbers) == 1:
        return f"{noun} {numbers[0]}"
    return f"{noun}s {numbers[0]}–{numbers[-1]}"


COMMAND = Command(biases, "Show what a model has learned of the section tree.", EXAMPLES)
