import sys

import pytest

from longsum.language.identify import identify_language, is_language, language_tag

_TEXTS = {
    "en": "The river rises in the hills to the north of the city and flows for a hundred miles. "
    "It has been dammed in three places, and the lakes that were made by the dams are used for "
    "water, for power and for boats of all kinds.",
    "de": "Der Fluss entspringt in den Hügeln im Norden der Stadt und fließt hundert Meilen weit. "
    "Er ist an drei Stellen gestaut worden, und die Seen dienen der Wasserversorgung, der "
    "Stromerzeugung und der Schifffahrt in allen ihren Formen.",
    "fr": "Le fleuve prend sa source dans les collines au nord de la ville et coule sur cent "
    "milles. Il a été barré en trois endroits, et les lacs ainsi formés servent à l'eau potable, "
    "à l'électricité et aux bateaux de toutes sortes.",
    "es": "El río nace en las colinas al norte de la ciudad y corre por cien millas. Ha sido "
    "represado en tres lugares, y los lagos que se formaron se usan para el agua, para la energía "
    "y para barcos de todas clases.",
    "nl": "De rivier ontspringt in de heuvels ten noorden van de stad en stroomt honderd mijl ver. "
    "Ze is op drie plaatsen afgedamd, en de meren die zo ontstonden worden gebruikt voor water, "
    "stroom en allerlei boten.",
    "ru": "Река берёт начало в холмах к северу от города и течёт на сто миль. Её перегородили "
    "плотинами в трёх местах, и озёра, которые при этом возникли, дают воду и электричество, а "
    "также служат для судов всякого рода.",
    "zh": "这条河发源于城市以北的山丘，流淌了一百英里。"
    "它在三个地方筑有水坝，由此形成的湖泊用于供水、发电和各种船只航行。",
    "ja": "この川は町の北の丘に源を発し、百マイルを流れる。"
    "三か所でせき止められ、できた湖は水道、発電、さまざまな船に使われている。",
}


@pytest.mark.parametrize("language", _TEXTS)
def test_a_language_is_identified_and_a_stated_variant_of_it_is_kept(language: str) -> None:
    text = _TEXTS[language]
    assert identify_language(text) == language
    assert identify_language(text, f"{language}-XX") == f"{language}-XX"
    assert identify_language(text, "en-US") == ("en-US" if language == "en" else language)


def test_english_is_identified_whatever_language_is_stated() -> None:
    assert identify_language(_TEXTS["en"], "de") == "en"
    # Among other languages the source knows best.
    assert identify_language(_TEXTS["nl"], "af") == "af"
    half = f"{_TEXTS['en']} {_TEXTS['de']} {_TEXTS['de']}"
    assert identify_language(half, "de") == "de"


@pytest.mark.parametrize("text", ["", "Der Fluss ist lang.", "1 2 3 4 " * 5, "…", "the " * 29])
def test_a_short_text_has_only_its_stated_language(text: str) -> None:
    assert identify_language(text) is None
    assert identify_language(text, "de") == "de"
    assert identify_language("the " * 30) == "en"


def test_code_has_only_its_stated_language() -> None:
    code = "x1 = y2 + z3; q[7] = 0xff; " * 30
    assert [identify_language(code, stated) for stated in (None, "en")] == [None, "en"]


def test_english_with_few_function_words_keeps_its_stated_variant() -> None:
    nouns = "Rivers flood valleys, damaging bridges, railways, farms. Rainfall swells streams. " * 4
    assert [identify_language(nouns, stated) for stated in (None, "en-GB")] == ["en", "en-GB"]


def test_a_long_text_is_looked_at_all_over() -> None:
    # More of it at the front than is looked at in one place.
    front = _TEXTS["en"] * 25
    assert identify_language(front + _TEXTS["de"] * 400) == "de"
    assert identify_language(_TEXTS["de"] * 400 + front) == "de"
    # Its first words and its last are always among what is looked at.
    blank = "- " * 60_000
    for text in (_TEXTS["en"] + blank, blank + _TEXTS["en"]):
        assert identify_language(text) == "en"


def test_english_loads_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py3langid.langid", None)
    assert identify_language(_TEXTS["en"]) == "en"
    assert identify_language(_TEXTS["de"], "de") == "de"


@pytest.mark.parametrize(
    ("stated", "tag"),
    [
        *(("de", "de"), (" EN_us ", "en-US"), ("zh-hant-tw", "zh-Hant-TW"), ("ast", "ast")),
        *(("ca-valencia", "ca-valencia"), ("und", None), ("UND", None), ("zxx", None)),
        *(("x-none", None), ("German", None), ("d", None), ("", None), (None, None)),
        ('de" onload="x', None),
    ],
)
def test_tags(stated: str | None, tag: str | None) -> None:
    assert language_tag(stated) == tag


def test_a_tag_is_of_its_language_in_any_country() -> None:
    assert is_language("en-GB", "en")
    assert is_language("en", "en")
    assert not is_language("enm", "en")
    assert not is_language(None, "en")
