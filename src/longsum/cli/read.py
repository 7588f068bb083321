"""`longsum read`."""

from typing import Annotated, Literal

import typer

from longsum.cli.command import Command
from longsum.cli.options import InputOptions, OutputOptions, Source
from longsum.cli.streams import warn

EXAMPLES = (
    "longsum read report.pdf -o report.json",
    "curl -s https://www.rfc-editor.org/rfc/rfc2119.txt | longsum read - | jq .sections[].title",
)


def read(
    source: Source,
    isolation: Annotated[
        Literal["auto", "require"],
        typer.Option(
            "--isolation",
            help=(
                "With require, the document is read in a process that the kernel shuts off from "
                "all other files, programs and the network, and refused if the system cannot do "
                "that; with auto, the process is shut off as far as the system can."
            ),
        ),
    ] = "auto",
    *,
    read_as: InputOptions,
    output: OutputOptions,
) -> None:
    """Write a document as JSON: its plain text, sections, sentences and pages.

    Every offset that longsum gives counts characters of this text, and every command reads this
    file.
    """
    output.check()
    from longsum.documents.document_json import document_to_json

    document = read_as.read(source, isolated=isolation == "require")
    warn(document.warnings)
    output.write_json(document_to_json(document))


COMMAND = Command(read, "Write a document as JSON: sections, sentences, pages.", EXAMPLES)
