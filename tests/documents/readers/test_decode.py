import codecs
from contextlib import nullcontext

import pytest

from longsum.common.errors import LongsumError
from longsum.documents.readers.decode import _is_western, _sample_around, decode, wide_encoding

_ENGLISH = "The café’s owner said “no” to the plan. " + "Most of it was plain English text. " * 5
_JAPANESE = "これは日本語の文章です。文字コードを推定します。\n"
_GREEK = "Ο ποταμός πηγάζει από τους λόφους βόρεια της πόλης και ρέει για εκατό μίλια. " * 3
_TURKISH = "Irmak şehrin kuzeyindeki tepelerden doğar ve yüz mil boyunca akıp gider. " * 3
_FRENCH = "La rivière prend sa source dans les collines au nord, où l'été est très sec. " * 3
_CYRILLIC = "Река берёт начало в холмах к северу от города и течёт на сто миль. " * 3
_RUSSIAN = "Река берёт начало в холмах к северу от города и течёт на сто миль. "


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_decides_and_is_no_text(mark: bytes, encoding: str) -> None:
    assert decode(mark + "Größe 日本 😀".encode(encoding)) == ("Größe 日本 😀", [])
    assert decode(mark) == ("", [])


def test_utf8_needs_no_mark() -> None:
    assert decode("Größe 日本 😀".encode()) == ("Größe 日本 😀", [])


@pytest.mark.parametrize("raw", ["a\r\nb", "a\rb", "a\nb", "a\r\r\nb"])
def test_line_ends(raw: str) -> None:
    assert decode(raw.encode())[0] == "a\nb"


@pytest.mark.parametrize(
    ("text", "encoding", "read_as"),
    [
        (_ENGLISH, "cp1252", "cp1252"),
        ("x" * 200_000 + "\n" + _ENGLISH, "cp1252", "cp1252"),
        (_ENGLISH + "Plain after it. " * 20_000, "cp1252", "cp1252"),
        ("Die Straße führt über die Brücke zu größeren Häusern als früher. " * 9, "cp1252", ""),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy. " * 9, "cp1250", "cp1250"),
        ("Все люди рождаются свободными и равными в правах. " * 9, "cp1251", "cp1251"),
        (_JAPANESE, "shift_jis", "cp932"),
        (_JAPANESE * 4000, "shift_jis", "cp932"),
        ("a" + _JAPANESE * 4000, "shift_jis", "cp932"),
        ("這是一個中文句子。我們來測試編碼檢測。" * 3, "big5", "big5"),
        *((_GREEK, encoding, "cp1253") for encoding in ("cp1253", "iso8859_7")),
        *((_TURKISH, encoding, "cp1254") for encoding in ("cp1254", "iso8859_9")),
        *((_FRENCH, encoding, encoding) for encoding in ("cp850", "mac_roman")),
        *((_CYRILLIC, encoding, encoding) for encoding in ("mac_cyrillic", "iso8859_5")),
        ("הנהר נובע בגבעות שמצפון לעיר וזורם לאורך מאה מיילים אל הים. " * 3, "cp1255", "cp1255"),
        ("ينبع النهر من التلال شمال المدينة ويجري مئة ميل حتى البحر. " * 3, "cp1256", "cp1256"),
        ("แม่น้ำไหลจากเนินเขาทางเหนือของเมืองไปยังทะเลเป็นระยะทางร้อยไมล์ " * 3, "cp874", "cp874"),
        ("Річка бере початок у пагорбах на північ від міста і тече. " * 3, "koi8_u", "koi8_u"),
        ("Rzeka wypływa ze wzgórz na północ od miasta; źródło o tym. " * 3, "cp852", "cp852"),
        ("이 강은 도시 북쪽의 언덕에서 발원하여 백 마일을 흐른다. " * 3, "cp949", "cp949"),
    ],
)
def test_other_encodings_are_guessed_with_a_warning(text: str, encoding: str, read_as: str) -> None:
    decoded, warnings = decode(text.encode(encoding))
    assert decoded == text
    assert len(warnings) == 1
    assert f"not UTF-8; it was read as {read_as}" in warnings[0]


@pytest.mark.parametrize(
    ("declared", "encoding", "text"),
    [
        ("shift_jis", "shift_jis", _JAPANESE),
        ("utf-8", "cp1252", _ENGLISH),
        *((declared, "koi8_r", _RUSSIAN) for declared in ("iso-8859-1", "utf-8", "shift_jis")),
    ],
)
def test_html_whose_declared_charset_is_right_or_wrong(declared, encoding, text) -> None:
    page = f'<html><head><meta charset="{declared}"></head><body><p>{text}</p></body></html>'
    decoded, warnings = decode(page.encode(encoding))
    assert decoded == page
    assert warnings


def test_utf8_with_a_few_wrong_bytes_stays_utf8() -> None:
    decoded, warnings = decode(("naïve déjà vu. " * 3).encode() + b"it\x92s mixed.")
    assert decoded == "naïve déjà vu. " * 3 + "it\ufffds mixed."
    assert warnings == ["Some bytes could not be decoded and appear as U+FFFD in the text."]
    decoded, warnings = decode("It\ufffds mixed.".encode())
    assert (decoded, warnings) == (
        "It\ufffds mixed.",
        ["The file itself has U+FFFD where characters were lost."],
    )


def test_utf8_that_is_cut_within_a_character() -> None:
    assert decode("déjà vu é".encode()[:-1])[0] == "déjà vu \ufffd"


def test_bytes_that_a_guess_leaves_over_are_warned_of() -> None:
    _, warnings = decode((_JAPANESE * 4000).encode("shift_jis") + b"\x81")
    assert len(warnings) == 2


_CHINESE = "这条河发源于城市以北的山丘，流淌了一百英里。它在三个地方筑有水坝。\n"
_KOREAN = "이 강은 도시 북쪽의 언덕에서 발원하여 백 마일을 흐른다. 세 곳에 댐이 있다. "
_POLISH = "Rzeka wypływa ze wzgórz na północ od miasta; źródło świadczy o tym. "


@pytest.mark.parametrize("times", [1, 300])
@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((_ENGLISH, "utf-16-le"), (_ENGLISH, "utf-32-be"), (_JAPANESE, "utf-16-be")),
        *((_CHINESE, "utf-16-le"), (_CHINESE, "gb18030"), (_JAPANESE, "euc_jp")),
        *((_JAPANESE, "iso2022_jp"), (_KOREAN, "euc_kr"), (_RUSSIAN, "koi8_r")),
        *((_RUSSIAN, "cp1251"), (_RUSSIAN, "cp866"), (_POLISH, "iso8859_2")),
    ],
)
def test_encodings_that_nothing_declares(text: str, encoding: str, times: int) -> None:
    decoded, warnings = decode((text * times).encode(encoding))
    assert decoded == text * times
    assert len(warnings) == (encoding != "iso2022_jp")


def test_of_twelve_bytes_of_a_western_text_one_is_foreign() -> None:
    for data, western in (
        *((23 * b"x" + 2 * b"\xe9", True), (22 * b"x" + 2 * b"\xe9", False)),
        *((11 * b"x" + b"\x7f\xe9", True), (99 * b"x" + b"\xb9", False)),
    ):
        assert _is_western(data) is western


@pytest.mark.parametrize(
    ("data", "is_text"),
    [
        *((b"\x01" + 49 * b"a", True), (b"\x01" + 48 * b"a", False)),
        *((65_536 * b"a" + 9_999 * b"\x01", True), (60_000 * b"a" + 5_536 * b"\x01", False)),
    ],
)
def test_one_of_fifty_characters_at_the_head_of_a_text_is_a_control(data, is_text) -> None:
    with nullcontext() if is_text else pytest.raises(LongsumError, match="is not a text"):
        assert len(decode(data)[0]) == len(data)


def test_the_sample_begins_and_ends_at_white_space() -> None:
    data = 200_000 * b"a"
    assert _sample_around(data, 32_768) == data[:65_536]
    assert _sample_around(data, 32_769) == data[32_769:98_305]
    for before, start in ((256, 49_745), (257, 50_000)):
        spaced = bytearray(data)
        spaced[50_000 - before] = spaced[start + 131_071] = ord(" ")
        assert _sample_around(bytes(spaced), 50_000) == spaced[start : start + 131_071]
    spaced[start + 131_071 : start + 131_073] = b"a "
    assert _sample_around(bytes(spaced), 50_000) == spaced[start : start + 65_536]


@pytest.mark.parametrize(
    ("text", "wide"),
    [
        *(("a b c d e ", True), ("a b c d e", False), ("abcdefghij", False)),
        *(("a b c d e " + "\ud83d", True), ("a b c d e \ud83d and on", False)),
        (f"{16 * 'α'} {16 * 'ж'} {17 * '한'} ね", True),
        (f"{16 * 'α'} {16 * 'ж'} {16 * '한'} ね", False),
        *(("a b c d e \x01", False), ("a b c d e \ue000", False), ("a b c d e \x0b", True)),
    ],
)
def test_ten_characters_of_three_scripts_are_wide_text(text: str, wide: bool) -> None:
    assert wide_encoding(text.encode("utf-16-le", "surrogatepass")) == (
        "utf-16-le" if wide else None
    )


def test_a_stray_nul_is_text() -> None:
    assert decode(b"a" * 100 + b"\x00" + b"b" * 100)[0] == "a" * 100 + "\x00" + "b" * 100


@pytest.mark.parametrize(
    "data",
    [
        *(bytes(range(256)), b"\x00" * 50, b"ab\x00\x01\x02\x03", b"\x80\x81\x00\xff" * 20),
        b"\x7fELF\x02\x01\x01\x00\x00\x00",
    ],
)
def test_binary_is_refused(data: bytes) -> None:
    with pytest.raises(
        LongsumError, match=r"a\.bin is not a text, Markdown, HTML, EPUB, JSON or PDF file"
    ):
        decode(data, "a.bin")
