import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_views import check_or_refused
from effort import examples
from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.documents.readers import ReadLimits, read_bytes
from longsum.documents.readers.reading import read_bytes as detect

_HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Times;}{\f1\fcharset204 Times Cyr;}}"
    r"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 \'dcberschrift 1;}{\s2 heading 2;}"
    r"{\s3 Title;}{\s4 toc 1;}{\s5 caption;}{\*\cs9 Default;}}"
    r"{\info{\title From the properties}{\author A. Author}}"
)
_TEXT = r"\pard The river rises in the hills and flows for a hundred miles.\par "


def _read(body: str) -> Document:
    return read_bytes((_HEAD + body + "}").encode("cp1252"), "a.rtf")


def test_a_double_byte_character_is_put_together_of_its_halves() -> None:
    japanese = "".join(f"\\'{byte:02x}" for byte in "日本語の文章です。".encode("cp932"))
    data = rf"{{\rtf1\ansi\ansicpg932 \pard {japanese}\par}}".encode()
    assert detect(data, "a.rtf").text == "日本語の文章です。"


def test_without_a_title_in_the_text_that_of_the_properties_is_taken() -> None:
    assert _read(_TEXT).title == "From the properties"


def test_files_that_are_too_large_or_too_deep_are_refused() -> None:
    with pytest.raises(LongsumError, match="--read-limit characters="):
        read_bytes((_HEAD + _TEXT * 9 + "}").encode(), "a.rtf", limits=ReadLimits(characters=100))
    with pytest.raises(LongsumError, match="nested too deeply"):
        read_bytes(b"{\\rtf1" + b"{" * 20_000 + b"a.", "a.rtf")


_PARTS = (
    r"{|}|\pard |\par |\cell |\row |\intbl |\s1 |\s2 |\v |\'e9|\u8217 ?|\bin9 |{\*\x |{\footnote |"
    r"{\field{\*\fldinst TOC}|{\info |\plain |\deleted |Words are here. |\outlinelevel3 |\~|"
    "\\"
)


@given(parts=st.lists(st.sampled_from(_PARTS.split("|")), max_size=30))
@settings(max_examples=examples(80), derandomize=True, deadline=None)
def test_anything_is_a_valid_document_or_refused(check_document, parts) -> None:
    check_or_refused(check_document, lambda: _read("".join(parts)))


CHARSETS = {
    **{77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "big5"},
    **{161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257"},
    **{204: "cp1251", 222: "cp874", 238: "cp1250"},
}
LETTERS = {
    **{77: "é", 128: "川", 129: "강", 130: "강", 134: "河", 136: "河", 161: "λ", 162: "ğ"},
    **{163: "ơ", 177: "ש", 178: "ن", 186: "ė", 204: "ж", 222: "ก", 238: "ř"},
}


@pytest.mark.parametrize(("charset", "encoding"), CHARSETS.items())
def test_letters_are_those_of_the_character_set_of_their_font(charset: int, encoding: str) -> None:
    escaped = "".join(rf"\'{byte:02x}" for byte in LETTERS[charset].encode(encoding))
    fonts = rf"{{\fonttbl{{\f0 Times;}}{{\f1\fcharset{charset} Other;}}}}"
    text = rf"{{\rtf1\ansi\ansicpg1252\deff0{fonts}\f0 The river {{\f1 {escaped}}} is wide.\par}}"
    document = read_bytes(text.encode(), "a.rtf")
    assert document.text == f"The river {LETTERS[charset]} is wide."


@pytest.mark.parametrize("most", [False, True])
def test_paragraphs_in_the_font_of_a_typewriter_are_code_unless_most_are(most: bool) -> None:
    fonts = r"{\fonttbl{\f0\fswiss Arial;}{\f1\fmodern Courier;}}"
    line = r"{\pard \f1 rise(river)\line fall(river)\par}"
    # Blanks that align a program make it no longer.
    line = line.replace("fall", " " * 900 + "fall") if not most else line
    text = rf"{{\rtf1\ansi\deff0{fonts}{_TEXT * (not most)}{line}}}"
    if most:
        text = text.replace("rise(river)", "The river rises here.")
    document = read_bytes(text.encode(), "a.rtf")
    omitted = [(each.kind, each.text) for each in document.omitted]
    assert [(kind, text.split()) for kind, text in omitted] == (
        [] if most else [("code block", ["rise(river)", "fall(river)"])]
    )
    assert ("rises here" in document.text) == most
