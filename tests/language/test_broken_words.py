import pytest

from longsum.language.broken_words import keeps_hyphen, mend_lines


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        # The word is known without a hyphen, or with one.
        ("admis-\nsions of all\nadmissions", "admissions\nof all\nadmissions"),
        ("a well-\n   known man\nwell-known", "a well-known\n   man\nwell-known"),
        # Nothing is known: the hyphen is the word's own, unless others here were broken.
        ("an information-\ndiscovery tool", "an information-discovery\ntool"),
        ("the inter-\nests, admis-\nsions\nadmissions interests", None),
        ("the defer-\nence, admis-\nsions\nadmissions", "the deference,\nadmissions\nadmissions"),
        ("a re-\nform.\nreform", "a reform.\nreform"),
        ("Franco-\nPrussian", "Franco-\nPrussian"),
        ("option --long-\noption", "option --long-\noption"),
        ("- one\n- two", "- one\n- two"),
    ],
)
def test_lines_are_mended(text, mended):
    if mended is None:
        assert mend_lines(text).split() == [
            "the",
            "interests,",
            "admissions",
            "admissions",
            "interests",
        ]
    else:
        assert mend_lines(text) == mended


def test_what_the_document_writes_decides():
    assert keeps_hyphen("co", "operate", {"co-operate": 2, "cooperate": 1}, otherwise=False)
    assert not keeps_hyphen("co", "operate", {"cooperate": 1}, otherwise=True)
    assert keeps_hyphen("Anglo", "Saxon", {}, otherwise=False)
    assert not keeps_hyphen("Mc", "Manus,", {"mcmanus": 1}, otherwise=True)
    assert keeps_hyphen("page", "12", {"page12": 1}, otherwise=False)
    assert keeps_hyphen("half", "open", {}, otherwise=False)
    assert not keeps_hyphen("hal", "lelujah", {}, otherwise=False)
