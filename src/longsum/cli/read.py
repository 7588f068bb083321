"""`longsum read`."""

from longsum.cli.document_input import read_input
from longsum.cli.options import Cache, Force, Keep, Output, ReadLimit, Source
from longsum.cli.streams import check_output, warn, write_json

EXAMPLES = (
    "longsum read report.pdf -o report.json",
    "curl -s https://www.rfc-editor.org/rfc/rfc2119.txt | longsum read - | jq .sections[].title",
)


def read(
    source: Source,
    read_limit: ReadLimit = None,
    cache: Cache = None,
    keep: Keep = "",
    output: Output = None,
    force: Force = False,
) -> None:
    """Write a document as JSON: its plain text, sections, sentences and pages.

    Every offset that longsum gives counts characters of this text, and every command reads this
    file.
    """
    check_output(output, force)
    from longsum.documents.document_json import document_to_json

    document = read_input(source, read_limit, cache, keep)
    warn(document.warnings)
    write_json(document_to_json(document), output)
