from dataclasses import replace

import pytest

from longsum import read_bytes
from longsum.documents.dossier import joined, unique_names
from longsum.documents.model import Source


def test_members_of_a_dossier_keep_the_places_of_their_sentences() -> None:
    texts = (b"It stands. So it does.\n\n# One\n\nIt is.\n\n## Two\n\nSo is it.", b"Alone it is.")
    whole = joined([read_bytes(each, name="a.md") for each in texts])
    said = [["It stands.", "So it does."], ["It is."], ["So is it."], ["Alone it is."]]
    assert [[each.text for each in part.sentences] for part in whole.walk()] == said
    assert all(whole.text[each.start : each.end] == each.text for each in whole.sentences)


@pytest.mark.parametrize(
    ("titles", "files", "names"),
    [
        (["Dam", "Town"], ["a.md", "b.md"], ["Dam", "Town"]),
        (["Dam", "dam"], ["a.md", "b.md"], ["Dam (a.md)", "dam (b.md)"]),
        (["Dam", "Dam"], ["a.md", "a.md"], ["Dam (a.md)", "Dam (a.md) (2)"]),
        (["", ""], ["a.md", "a.md"], ["a.md", "a.md (2)"]),
        (["", "Document 1"], ["", ""], ["Document 1", "Document 1 (2)"]),
    ],
)
def test_names_of_members_are_distinguished(
    titles: list[str], files: list[str], names: list[str]
) -> None:
    base = read_bytes(b"It is so.")
    made = [
        replace(base, title=title, source=Source(file))
        for title, file in zip(titles, files, strict=True)
    ]
    assert unique_names(made) == names
