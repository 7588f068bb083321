"""Who wrote what in a message that quotes others."""

from email.message import EmailMessage

import pytest

from longsum.documents.readers.detect import parse

_ASKED = "Has anybody read the report on the roof of the library?"
_ANSWERED = "The beams on the north side are rotten and must be replaced."


@pytest.mark.parametrize(
    ("above", "quote", "speakers"),
    [
        ("On Mon, 2 Mar 2020 at 09:00, Pavel Rokos wrote:", "> ", ["Ines", "Ines", "Pavel Rokos"]),
        ("Pavel Rokos <pavel@example.org>\nwrites:", "> ", ["Ines", "Ines", "Pavel Rokos"]),
        # Who is quoted within a quotation is not told by the line above both.
        ("On Monday, Pavel Rokos wrote:", "> > ", ["Ines", "Ines", ""]),
        ("This was asked before:", "> ", ["", "", ""]),
    ],
)
def test_quotations_have_their_authors_as_speakers(
    above: str, quote: str, speakers: list[str]
) -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "Ines <ines@example.org>", "The roof"
    message.set_content(f"{_ANSWERED}\n\n{above}\n{quote}{_ASKED}\n")
    said = [(s.speaker, s.text) for s in parse(bytes(message), "a.eml").sentences]
    assert [who for who, _ in said] == speakers
    assert (said[0][1], said[-1][1]) == (_ANSWERED, _ASKED)


def test_a_message_without_mime_has_any_encoding() -> None:
    head = "From: Ines\nTo: Pavel\nSubject: Re: Das Dach\nDate: 2 May 2020\n\n"
    head += "\nDer Zimmermann kam\n>From Graz her.\n\n"
    text = "Die Balken auf der Nordseite sind morsch und müssen bald ersetzt werden.\n-- \nInes\n"
    for encoding in ("utf-8", "cp1252"):
        document = parse((head + text).encode(encoding), "a.txt")
        assert document.title == "Das Dach"
        said = ["Der Zimmermann kam From Graz her.", text.split("\n")[0]]
        assert [s.text for s in document.sentences] == said
        assert [part.kind for part in document.omitted] == ["e-mail header", "signature"]


def test_a_character_that_is_lost_in_a_message_of_html_leaves_its_mark() -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "Ines <ines@example.org>", "The roof"
    message.set_content("<p>The roof\0leaks.</p>", subtype="html")
    assert [s.text for s in parse(bytes(message), "a.eml").sentences] == ["The roof\ufffdleaks."]


def test_a_message_before_the_first_separator_of_a_mailbox_is_one() -> None:
    one = f"From: Ines\nTo: Pavel\nSubject: The roof\n\n{_ASKED}\n\n"
    cut = f"{one}From 17513@xxx Mon Dec 05 17:09:55 +0000 2022\nX-GM-THRID: 17513\n"
    assert [s.text for s in parse(cut.encode(), "a.eml").sentences] == [_ASKED]
