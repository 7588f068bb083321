"""Submissions to the SEC: their documents are read like separate files."""

import pytest

from longsum.documents.readers.detect import parse

HEADER = "<SEC-DOCUMENT>0001.txt : 20250415\nACCESSION NUMBER:\t\t0001\n</SEC-HEADER>\n"
PAGE = "<html><body><h1>Item {0}</h1><p>The mill sold {0} tons of flour in its first year.</p>"
PLAIN = "                    ITEM {0}\n\nThe mill sold {0} tons of flour in its first\nyear.\n"
FILES = {
    "GRAPHIC": "begin 644 a.jpg\nM_]C_X``02D9)1@`!`0```0`!``#_VP!#``$!\nend\n",
    "EX-101.SCH": '<XBRL>\n<?xml version="1.0"?>\n<schema><p>One two three.</p></schema>\n</XBRL>',
    "JSON": '{"a": "The mill sold no flour."}',
}


def submission(*documents: tuple[str, str]) -> bytes:
    parts = (
        f"<DOCUMENT>\n<TYPE>{name}\n<SEQUENCE>1\n<TEXT>\n{body}\n</TEXT>\n</DOCUMENT>\n"
        for name, body in documents
    )
    return f"{HEADER}{''.join(parts)}</SEC-DOCUMENT>\n".encode()


def said(count: int) -> list[str]:
    return [f"The mill sold {number} tons of flour in its first year." for number in range(count)]


@pytest.mark.parametrize(
    ("body", "wrapped"),
    [
        (PAGE, "{}"),
        (PAGE, "<XBRL>\n<?xml version='1.0'?>\n<!-- made -->\n{}</body></html>\n</XBRL>"),
        (PLAIN, "{}\n<PAGE>    7\n"),
    ],
    ids=["page", "inline XBRL", "plain"],
)
def test_documents_of_a_submission_are_read_and_its_files_listed(body: str, wrapped: str) -> None:
    texts = [("10-K", wrapped.format(body.format(0))), ("EX-99", body.format(1))]
    found = parse(submission(texts[0], *FILES.items(), texts[1]), "0001.txt")
    assert [s.text for s in found.sentences if s.kind == "prose"] == said(2)
    assert [section.title.title() for section in found.walk() if section.title] == [
        "Item 0",
        "Item 1",
    ]
    left = ", ".join(sorted(FILES))
    assert found.warnings[0] == f"Left out of the submission: 3 files ({left})."
    assert not any(word in found.text for word in ("ACCESSION", "02D9", "<PAGE>"))


def test_documents_of_the_other_kind_are_left_out() -> None:
    found = parse(submission(("8-K", PAGE.format(0)), ("EX-1", PLAIN.format(1))), "0001.txt")
    assert [sentence.text for sentence in found.sentences] == said(1)
    assert found.warnings[0] == "Left out of the submission: 1 file (EX-1)."


def test_a_text_that_mentions_such_documents_is_no_submission() -> None:
    found = parse(b"Each begins with <DOCUMENT> and ends with </DOCUMENT>, as a rule.", "a.txt")
    assert found.sentences[0].text.startswith("Each begins with <DOCUMENT>")
