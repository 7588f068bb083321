import pytest

from longsum.language.broken_words import join_pieces, keeps_hyphen, mend_lines, space_between


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        # The word is known without a hyphen, or with one.
        ("admis-\nsions of all\nadmissions", "admissions\nof all\nadmissions"),
        ("a well-\n   known man\nwell-known", "a well-known\n   man\nwell-known"),
        # Nothing is known: the hyphen is the word's own, unless others here were broken.
        ("an information-\ndiscovery tool", "an information-discovery\ntool"),
        (
            "the inter-\nests, admis-\nsions\nadmissions interests",
            "the interests,\nadmissions\nadmissions interests",
        ),
        ("the defer-\nence, admis-\nsions\nadmissions", "the deference,\nadmissions\nadmissions"),
        ("a re-\nform.\nreform", "a reform.\nreform"),
        ("Franco-\nPrussian", "Franco-\nPrussian"),
        ("option --long-\noption", "option --long-\noption"),
        ("- one\n- two", "- one\n- two"),
    ],
)
def test_lines_are_mended(text, mended):
    assert mend_lines(text) == mended


def test_spellings_in_the_document_decide():
    assert keeps_hyphen("co", "operate", {"co-operate": 2, "cooperate": 1}, otherwise=False)
    assert not keeps_hyphen("co", "operate", {"cooperate": 1}, otherwise=True)
    assert keeps_hyphen("Anglo", "Saxon", {}, otherwise=False)
    assert not keeps_hyphen("Mc", "Manus,", {"mcmanus": 1}, otherwise=True)
    assert not keeps_hyphen("inter", "p.", {"interp": 1}, otherwise=True)
    assert keeps_hyphen("page", "12", {"page12": 1}, otherwise=False)
    assert keeps_hyphen("half", "open", {}, otherwise=False)
    assert not keeps_hyphen("hal", "lelujah", {}, otherwise=False)


@pytest.mark.parametrize(
    ("before", "after", "space"),
    [
        *(("one", "two", " "), ("中文", "中文", ""), ("これは。", "次の", ""), ("カナ", "ｶﾅ", "")),
        *(("（注）", "「引", ""), ("中文", "word", " "), ("word", "中文", " ")),
        *(("한국어", "문장", " "), ("中", "👍", " "), ("中", "\U00020000", ""), ("", "中", " ")),
        *(("中", "한", " "), ("한", "中", " "), ("👍", "👍", " "), ("中", "", " ")),
    ],
)
def test_space_between(before: str, after: str, space: str) -> None:
    assert space_between(before, after) == space


def test_pieces_join_as_they_are_written() -> None:
    assert join_pieces(["中文。", "次の", "word", "one", "字"]) == "中文。次の word one 字"
    assert join_pieces(["中a", "b中"]) == "中a b中"
    assert join_pieces(["only"]) == "only"
    assert join_pieces([]) == ""
