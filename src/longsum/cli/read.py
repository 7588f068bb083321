"""`longsum read`."""

from enum import StrEnum
from typing import Annotated

import typer

from longsum.cli.command import Command
from longsum.cli.options import Cache, Force, Keep, Output, ReadLimit, Source, read_input
from longsum.cli.streams import check_output, warn, write_json

EXAMPLES = (
    "longsum read report.pdf -o report.json",
    "curl -s https://www.rfc-editor.org/rfc/rfc2119.txt | longsum read - | jq .sections[].title",
)


class Isolation(StrEnum):
    """How the process is isolated that reads."""

    auto = "auto"
    require = "require"


IsolationOption = Annotated[
    Isolation,
    typer.Option(
        "--isolation",
        help="With require, the document is read in a process that the kernel keeps from all other "
        "files, programs and the network, or refused where the system cannot; with auto, as far as "
        "it can.",
    ),
]


def read(
    source: Source,
    read_limit: ReadLimit = None,
    cache: Cache = None,
    keep: Keep = "",
    isolation: IsolationOption = Isolation.auto,
    output: Output = None,
    force: Force = False,
) -> None:
    """Write a document as JSON: its plain text, sections, sentences and pages.

    Every offset that longsum gives counts characters of this text, and every command reads this
    file.
    """
    check_output(output, force)
    from longsum.documents.document_json import document_to_json

    required = isolation is Isolation.require
    document = read_input(source, read_limit, cache, keep, isolated=required)
    warn(document.warnings)
    write_json(document_to_json(document), output)


COMMAND = Command(read, "Write a document as JSON: text, sections, sentences and pages.", EXAMPLES)
