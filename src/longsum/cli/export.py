"""`longsum export`."""

from pathlib import Path
from typing import Annotated

import typer

from longsum.cli.streams import table, write_result

EXAMPLES = ("longsum export runs/extractor",)


def export(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="The extractor that 'longsum train' wrote."),
    ],
) -> None:
    """Let an extractor run without PyTorch.

    Writes graphs for ONNX Runtime, some kilobytes each, beside the weights of a HiBERT. From then
    on it runs on them where there is no GPU, as the extractor does that ships with longsum.
    """
    from longsum.models.extractive.light.export import export_extractor
    from longsum.models.folders import check_model

    written = export_extractor(check_model(folder))
    rows = [(path.name, f"{path.stat().st_size:,} bytes") for path in written]
    write_result(table(("written to", str(folder)), rows), None)
