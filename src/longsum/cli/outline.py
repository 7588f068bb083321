"""`longsum outline`."""

from typing import TYPE_CHECKING, Any

from longsum.cli.options import Form, ListFormat, Source
from longsum.cli.streams import progress, table, warn, write_result

if TYPE_CHECKING:
    from longsum.documents import Document


def outline(
    source: Source,
    form: Form = ListFormat.text,
) -> None:
    """Print the section tree with the sentences and words of each section."""
    from longsum.documents.readers import read

    with progress("Reading"):
        document = read(source)
    warn(document.warnings)
    sections = _sections(document)
    if form is ListFormat.json:
        from longsum.summaries.result_file import dump_json

        write_result(dump_json({"title": document.title, "sections": sections}), None)
        return
    rows = [
        (
            f"{'  ' * (row['level'] - 1)}{row['label']} {row['title'] or '(no heading)'}",
            f"{row['sentences']:>9}",
            f"{row['words']:>7}",
        )
        for row in sections
    ]
    total = (
        "(all)",
        f"{len(document.sentences):>9}",
        f"{sum(row['words'] for row in sections if row['level'] == 1):>7}",
    )
    heading = f"{document.title}\n\n" if document.title else ""
    write_result(heading + table(("section", "sentences", "  words"), [*rows, total]), None)


def _sections(document: "Document") -> list[dict[str, Any]]:
    """Return each section with what it and all below it hold."""
    from longsum.documents import DocumentTree
    from longsum.language.words import count_words

    tree = DocumentTree(document)
    sentences = [0] * len(tree.sections)
    words = [0] * len(tree.sections)
    for section in reversed(tree.sections):
        own = section.sentences
        sentences[section.number] += len(own)
        words[section.number] += sum(count_words(sentence.text) for sentence in own)
        if (above := tree.parent(section.number)) is not None:
            sentences[above] += sentences[section.number]
            words[above] += words[section.number]
    return [
        {
            "number": section.number,
            "label": tree.label(section.number),
            "level": section.level,
            "title": section.title,
            "sentences": sentences[section.number],
            "words": words[section.number],
        }
        for section in tree.sections
    ]
