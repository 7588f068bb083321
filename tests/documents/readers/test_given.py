"""Documents in the forms that callers give."""

import io

import pytest

from longsum.common.errors import LongsumError
from longsum.documents.readers.reading import as_document
from tables import rows

TEXT = "The river is wide. It ends in the sea."


def test_a_text_its_bytes_its_file_and_the_document_are_the_same(tmp_path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(TEXT, encoding="utf-8")
    data = TEXT.encode()
    document = as_document(TEXT)
    assert document.text == TEXT
    for given in (data, bytearray(data), memoryview(data), path, document):
        assert as_document(given).text == document.text
    assert as_document("A \ud800 b.").text == "A \ufffd b."


@pytest.mark.parametrize(("text", "told"), rows(__file__, "what_looks_like_a_name_is_refused"))
def test_a_text_that_looks_like_a_file_name_is_refused(text: str, told: str | None) -> None:
    if told is None:
        assert as_document(text).text
        return
    with pytest.raises(LongsumError, match=told):
        as_document(text)


def test_the_name_of_a_file_has_at_most_255_characters() -> None:
    with pytest.raises(LongsumError, match="is the name of a file"):
        as_document(f"{251 * 'a'}.txt")
    assert as_document(f"{252 * 'a'}.txt").text


@pytest.mark.parametrize(
    ("given", "says"),
    [
        *((3, "not int$"), (None, "not NoneType$"), ({"text": TEXT}, "not dict$")),
        *(([TEXT, TEXT], "not list; summarize_together"), (object(), "not object$")),
        *(
            ((), "not tuple; summarize_together"),
            (io.StringIO(TEXT), "StringIO; give what its read"),
        ),
    ],
)
def test_an_object_that_is_not_a_document_is_refused(given: object, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        as_document(given)  # type: ignore[arg-type]
