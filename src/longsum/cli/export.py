"""`longsum export`."""

from pathlib import Path
from typing import Annotated

import typer

from longsum.cli.command import Command
from longsum.cli.streams import hide_bars_of_transformers, table, write_result
from longsum.common.errors import LongsumError

EXAMPLES = (
    "longsum export runs/extractor",
    "longsum export runs/extractor --skim",
    "longsum export runs/extractor --compact",
    "longsum export --bert runs/start",
)


def export(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FOLDER]",
            help="The extractor that 'longsum train' wrote; with --bert by default the one that "
            "ships with longsum.",
            show_default=False,
        ),
    ] = None,
    bert: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write the extractor's sentence encoder here instead, as a BERT checkpoint that "
            "other trainings start from (checkpoint=FOLDER).",
            show_default=False,
        ),
    ] = None,
    compact: Annotated[
        bool,
        typer.Option(
            "--compact",
            help="Also store each weight in one byte, replacing the original weights; none changes "
            "by more than 1/254 of the largest in its row.",
        ),
    ] = False,
    skim: Annotated[
        bool,
        typer.Option(
            "--skim",
            help="Also fit rough vectors, by which long documents are skimmed, to sentences of the "
            "documents that the extractor was trained on; needs the data sets, and takes minutes.",
        ),
    ] = False,
) -> None:
    """Let an extractor run without PyTorch, or write its sentence encoder as a BERT.

    Writes graphs for ONNX Runtime, some kilobytes each, next to the weights of a HiBERT. Without a
    GPU it then runs on them, like the extractor that ships with longsum.
    """
    if bert is not None and (skim or compact):
        raise LongsumError(
            "--skim and --compact do not apply to a BERT; leave them out, or leave out --bert."
        )
    if bert is not None:
        target, rows = bert, _write_bert(folder, bert)
    elif folder is None:
        raise LongsumError("Name the folder of an extractor, or a new one with --bert.")
    else:
        target, rows = folder, _write_graphs(folder, compact, skim)
    write_result(table(("written to", str(target)), rows), None)


def _write_bert(folder: Path | None, bert: Path) -> list[tuple[str, str]]:
    from longsum.core.extractive.extractor_options import shipped_folder
    from longsum.core.model_files.folders import check_model

    source = check_model(shipped_folder() if folder is None else folder)
    from longsum.models.networks.extractive.convert_extractors import write_bert

    hide_bars_of_transformers()
    return [("parameters", f"{write_bert(source, bert):,}")]


def _write_graphs(folder: Path, compact: bool, skim: bool) -> list[tuple[str, str]]:
    from longsum.core.encoder.onnx_runtime.export import export_extractor
    from longsum.core.model_files.folders import check_model

    source = check_model(folder)
    # First, since it refuses other models before anything is replaced.
    written = export_extractor(source)
    if compact:
        from longsum.models.networks.extractive.extractor_files import (
            load_extractor,
            save_extractor,
        )

        save_extractor(load_extractor(source), folder, compact=True)
        source = check_model(folder)
        written = export_extractor(source)
    if skim:
        from longsum.core.extractive.extractor_options import load_tokenizer
        from longsum.models.training.extraction.fit_skimming import fit_skimming

        written.append(fit_skimming(source, load_tokenizer(source.path)))
    return [(path.name, f"{path.stat().st_size:,} bytes") for path in written]


COMMAND = Command(export, "Let an extractor run without PyTorch.", EXAMPLES)
