from longsum.documents.readers.omitted import Omitted


def test_nothing_left_out_gives_no_warning() -> None:
    assert Omitted().warnings() == []


def test_one_sentence_names_all_kinds() -> None:
    omitted = Omitted()
    omitted.count("table")
    omitted.count("code block", 2)
    omitted.count("table")
    assert omitted.warnings() == ["Left out, as they have no sentences: 2 tables, 2 code blocks."]
