"""`longsum read`."""

from longsum.cli.options import Force, Output, ReadLimit, Source
from longsum.cli.streams import check_output, progress, warn, write_result

EXAMPLES = (
    "longsum read report.pdf -o report.json",
    "curl -s https://www.rfc-editor.org/rfc/rfc2119.txt | longsum read - | jq .sections[].title",
)


def read(
    source: Source,
    read_limit: ReadLimit = None,
    output: Output = None,
    force: Force = False,
) -> None:
    """Write a document as JSON: its plain text, sections, sentences and pages.

    Every offset that longsum gives counts characters of this text, and every command reads this
    file.
    """
    check_output(output, force)
    from longsum.documents.document_json import document_to_json
    from longsum.documents.readers import ReadLimits
    from longsum.documents.readers import read as read_document
    from longsum.summaries.result_file import dump_json

    limits = ReadLimits.parse(read_limit or ())
    with progress("Reading"):
        document = read_document(source, limits=limits)
    warn(document.warnings)
    write_result(dump_json(document_to_json(document)), output)
