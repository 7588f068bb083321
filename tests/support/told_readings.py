"""What a reader found in a file, as lines."""

from longsum.documents import Document


def told(document: Document) -> list[str]:
    """Return what a reader found, with headings by level before their text."""
    lines = [
        f"format: {document.source.format}",
        f"title: {document.title}",
        f"language: {document.language}",
        *(f"warning: {each}" for each in document.warnings),
        *(
            f"omitted: {part.place} {part.page} {part.kind}: {part.text}"
            for part in document.omitted
        ),
    ]
    for section in document.walk():
        evidence = section.evidence
        why = f" ({evidence.confidence:.4f} {', '.join(evidence.signs)})" if evidence else ""
        lines += [f"{'#' * section.level} {section.title}{why}"]
        for paragraph in section.paragraphs:
            lines += [
                "",
                *(f"{each.kind} {each.page} {each.speaker}: {each.text}" for each in paragraph),
            ]
    return lines
