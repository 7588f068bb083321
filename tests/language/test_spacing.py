import pytest

from longsum.language.broken_words import join_pieces, space_between


@pytest.mark.parametrize(
    ("before", "after", "space"),
    [
        *(("one", "two", " "), ("中文", "中文", ""), ("これは。", "次の", ""), ("カナ", "ｶﾅ", "")),
        *(
            ("（注）", "「引", ""),
            ("中文", "word", " "),
            ("word", "中文", " "),
            ("한국어", "문장", " "),
        ),
        *(("中", "한", " "), ("한", "中", " "), ("👍", "👍", " "), ("中", "👍", " ")),
        *(("中", "\U00020000", ""), ("", "中", " "), ("中", "", " ")),
    ],
)
def test_space_between(before: str, after: str, space: str) -> None:
    assert space_between(before, after) == space


def test_pieces_join_as_they_are_written() -> None:
    assert join_pieces(["中文。", "次の", "word", "one", "字"]) == "中文。次の word one 字"
    assert join_pieces(["中a", "b中"]) == "中a b中"
    assert join_pieces(["only"]) == "only"
    assert join_pieces([]) == ""
