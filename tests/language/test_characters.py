import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.language.characters import clean, letters_of, without_hidden, written_out

# Signs of category Cf that Unicode draws: "prepended concatenation marks".
_DRAWN = {0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, *range(0x600, 0x606)}
_JOINERS = "\u200c\u200d"
_BIDIRECTIONAL = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_ZERO_WIDTH = "\u00ad\u034f\u115f\u180e\u200b\u2060\u2064\u3164\ufeff\uffa0"
_TEXTS = st.text(
    st.characters()
    | st.sampled_from([*_JOINERS, *_BIDIRECTIONAL, *_ZERO_WIDTH, "\ufe0f", "\U000e0041"])
    | st.sampled_from("aم्क👩🏽❤中 \n")
)


def test_format_characters_are_removed_except_those_that_are_drawn() -> None:
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if unicodedata.category(character) == "Cf":
            kept = without_hidden(f"a{character}b")
            assert kept == (f"a{character}b" if code in _DRAWN else "ab"), hex(code)


@pytest.mark.parametrize(
    "hidden",
    [*_BIDIRECTIONAL, *_ZERO_WIDTH, "\U000e0001", "\U000e0041", "\U000e007f", "\ufe0f", "\u206f"],
    ids=ascii,
)
def test_hidden_characters_are_removed_and_written_out_in_messages(hidden: str) -> None:
    assert without_hidden(f"photo{hidden}gnp.exe") == "photognp.exe"
    code = f"\\u{ord(hidden):04x}" if ord(hidden) < 0x10000 else f"\\U{ord(hidden):08x}"
    code = code.replace("\\u00ad", "\\xad")
    assert written_out(f"photo{hidden}gnp.exe") == f"photo{code}gnp.exe"


@pytest.mark.parametrize(
    "text",
    [
        "plain, größer, 中文, שלום, هذه",
        "می\u200cخواهم",  # Persian: a letter that does not join the next
        "क्\u200dष and क्\u200cष",  # Devanagari: a half letter, and a virama that is seen
        "ශ්\u200dරී ලංකා",  # Sinhala
        "അവന്\u200d",  # Malayalam: a letter that ends a word
        "👩\u200d👩\u200d👧\u200d👦 👍🏽 🏳\ufe0f\u200d🌈",
        "👩🏽\u200d⚕\ufe0f 🙂\u200d↔\ufe0f 1\ufe0f\u20e3",
        "\u06dd \u0600\u0661",
        "葛\U000e0100城",  # an ideograph's variant
    ],
)
def test_characters_that_shape_letters_and_emoji_are_kept(text: str) -> None:
    assert without_hidden(text) == text == written_out(text)


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_text_is_cleaned_as_any_other(text: str) -> None:
    assert clean(f"é {text}") == f"é {clean(text)}".strip()


@pytest.mark.parametrize("letter", "eé")
def test_a_clean_text_is_one_line_without_control_sequences(letter: str) -> None:
    text = f" \x1b[31mh{letter}\x00y \x1b]0;title\x07\t dam\n \x1b[1mold\r\nwall\n"
    assert clean(text) == f"h{letter} y dam old wall"
    assert clean(f"大\n坝\nx{letter}\ud800") == f"大坝 x{letter}\ufffd"
    assert letters_of(f"{letter}-X ß 1.5²!") == f"{letter}xss15²"


_SHAPED = (
    "ADLAM ARABIC BALINESE BENGALI BRAHMI CHAKMA DEVANAGARI GRANTHA GUJARATI GURMUKHI JAVANESE "
    "KAITHI KANNADA KHMER LEPCHA MALAYALAM MANDAIC MEETEI MODI MONGOLIAN MYANMAR NEWA NKO ORIYA "
    "PHAGS-PA SHARADA SINHALA SUNDANESE SYRIAC TAMIL TELUGU TIBETAN TIRHUTA"
)


def test_joiners_stay_behind_the_letters_of_scripts_that_they_shape() -> None:
    """Scripts of the Unicode Standard with conjuncts, half letters or positional forms."""
    letters = (each for each in map(chr, range(0x300, 0x20000)) if each.isprintable())
    kept = {
        unicodedata.name(each, "").partition(" ")[0]
        for each in letters
        if without_hidden(f"{each}\u200db") == f"{each}\u200db"
    }
    assert kept == set(_SHAPED.split())


@pytest.mark.parametrize("joiner", _JOINERS)
@pytest.mark.parametrize(
    "frame", ["a{}b", "{}", "{} a", "a {}b", "1{}2", "中{}文", "я{}х", "م {}b"]
)
def test_a_joiner_that_joins_nothing_is_removed(joiner: str, frame: str) -> None:
    assert without_hidden(frame.format(joiner)) == frame.format("")


@pytest.mark.parametrize("text", ["م\u200c\u200cb", "👩\u200d\u200d👩", "👩\u200c👩", "👩\u200d"])
def test_of_joiners_one_after_another_or_in_vain_none_stays(text: str) -> None:
    assert not set(without_hidden(text)) & set(_JOINERS)


@given(text=_TEXTS)
@settings(max_examples=examples(240), derandomize=True)
def test_nothing_is_left_to_take_out(text: str) -> None:
    seen = without_hidden(text)
    assert without_hidden(seen) == seen
    assert not set(seen) & {*_BIDIRECTIONAL, *_ZERO_WIDTH}
    told = written_out(text)
    assert without_hidden(told) == told
    assert "\n" not in told
    told.encode()


def test_printable_characters_are_not_written_out() -> None:
    assert written_out("größer 中文 💡 \u00a0x") == "größer 中文 💡 \u00a0x"
    assert written_out("a\x1b[31m\nb\x85\ud800\u2028") == r"a\x1b[31m\nb\x85\ud800\u2028"
