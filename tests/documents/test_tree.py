from collections.abc import Callable

from longsum import read_bytes
from longsum.documents import Document, DocumentTree
from longsum.documents.dossier import joined


def test_labels_parents_and_ancestors(build_tree: Callable[[list[int]], Document]) -> None:
    # §1, §1.1, §1.1.1, §1.2, §2, §2.1
    paper = DocumentTree(build_tree([1, 2, 3, 2, 1, 2]))
    assert [paper.label(number) for number in range(6)] == ["1", "1.1", "1.1.1", "1.2", "2", "2.1"]
    assert [paper.parent(number) for number in range(6)] == [None, 0, 1, 0, None, 4]
    assert paper.ancestors(2) == [1, 0]
    assert paper.title_path(2) == ("Heading 0", "Heading 1", "Heading 2")


def test_a_document_without_headings_has_no_section(build_tree) -> None:
    assert DocumentTree(build_tree([])).sections == ()


def test_members_of_a_dossier_keep_their_sentences_where_they_are_said() -> None:
    texts = (b"It stands. So it does.\n\n# One\n\nIt is.\n\n## Two\n\nSo is it.", b"Alone it is.")
    whole = joined([read_bytes(each, name="a.md") for each in texts])
    said = [["It stands.", "So it does."], ["It is."], ["So is it."], ["Alone it is."]]
    assert [[each.text for each in part.sentences] for part in whole.walk()] == said
    assert all(whole.text[each.start : each.end] == each.text for each in whole.sentences)
