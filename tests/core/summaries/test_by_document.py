from longsum import read_bytes
from longsum.core.summaries.by_document import CoverageByDocument
from longsum.core.summaries.summary import Coverage
from longsum.documents.dossier import joined


def test_reading_is_reported_for_each_document_and_for_all() -> None:
    texts = (f"# {name}\n\nIt is so. It was.\n\n## Of {name}\n\nIt rose.".encode() for name in "AB")
    dossier = joined([read_bytes(text, "a.md") for text in texts])
    unread = Coverage(2, 3, (1,))
    found = CoverageByDocument.of_members(dossier, [None, unread])
    assert (found.sentences_read, found.sentences_total) == (5, 6)
    assert [dossier.walk()[number].title for number in found.unread_sections] == ["Of B"]
    assert found.members == (Coverage(3, 3), unread)
