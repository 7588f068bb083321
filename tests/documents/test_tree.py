from document_views import build_tree
from longsum.documents import DocumentTree


def test_labels_parents_and_ancestors() -> None:
    # §1, §1.1, §1.1.1, §1.2, §2, §2.1
    paper = DocumentTree(build_tree([1, 2, 3, 2, 1, 2]))
    assert [paper.label(number) for number in range(6)] == ["1", "1.1", "1.1.1", "1.2", "2", "2.1"]
    assert [paper.parent(number) for number in range(6)] == [None, 0, 1, 0, None, 4]
    assert paper.ancestors(2) == [1, 0]
    assert paper.title_path(2) == ("Heading 0", "Heading 1", "Heading 2")


def test_a_document_without_headings_has_no_section() -> None:
    assert DocumentTree(build_tree([])).sections == ()
