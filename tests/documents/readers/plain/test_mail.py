import pytest

from longsum.documents.readers.plain.mail import mail_title

HEADER = ["From: Ann <ann@example.org>", "To: Ben", "Subject: The bridge", "Date: 2 May 2020"]


def test_the_subject_of_an_e_mail() -> None:
    assert mail_title(HEADER) == "The bridge"
    assert mail_title([HEADER[0], "X-Way: one", "  two", *HEADER[1:]]) == "The bridge"
    assert mail_title(["From: Ann", "To: Ben", "Date: May"]) == ""


@pytest.mark.parametrize(
    "lines",
    [["Ann: Hello.", "Ben: Hello to you.", "Ann: Well?"], HEADER[:2], ["The river rose."], []],
    ids=["a talk", "too short", "text", "nothing"],
)
def test_other_lines_are_no_header(lines: list[str]) -> None:
    assert mail_title(lines) is None
