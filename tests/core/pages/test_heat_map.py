"""The heat map on the page: what is shaded, and that no text of it can act."""

import re
from dataclasses import replace
from typing import Any

import lxml.html
import pytest

from longsum.core.pages import render_html
from longsum.core.pages.document_pane import shaded_stretches, shaded_text
from longsum.core.summaries import NestedSummaries
from longsum.core.summaries.formats import shades
from longsum.core.summaries.summary import Importance, Word
from longsum.documents import Document

HOSTILE = '<img src=x onerror="alert(1)"></script><script>alert(2)</script>'


def parse(page: str) -> Any:
    return lxml.html.document_fromstring(page)


def told(ladder: NestedSummaries, importance: Importance) -> NestedSummaries:
    return replace(
        ladder, summaries=tuple(replace(rung, importance=importance) for rung in ladder.summaries)
    )


@pytest.fixture
def by_sentence(document: Document) -> Importance:
    return Importance(HOSTILE, tuple(float(n % 17) for n in range(len(document.sentences))))


@pytest.fixture
def by_word(document: Document) -> Importance:
    words = tuple(
        Word(sentence.start + found.start(), sentence.start + found.end(), len(found[0]) / 10)
        for sentence in document.sentences
        for found in re.finditer(r"\w+", sentence.text)
    )
    return Importance("words", (0.5,) * len(document.sentences), words)


def heat(page: str) -> list[tuple[str, str]]:
    found = parse(page).xpath("//article//*[starts-with(@class, 'heat-')]")
    return [(element.get("class"), element.text_content()) for element in found]


def test_sentences_are_shaded(
    ladder: NestedSummaries, document: Document, by_sentence: Importance
) -> None:
    page = render_html(told(ladder, by_sentence))
    expected = [
        (f"heat-{shade}", sentence.text)
        for sentence, shade in zip(document.sentences, shades(by_sentence.sentences), strict=True)
        if shade
    ]
    # White space at the ends of lines is HTML's.
    assert [(name, text.split()) for name, text in heat(page)] == [
        (name, text.split()) for name, text in expected
    ]


def test_words_are_shaded(ladder: NestedSummaries, document: Document, by_word: Importance) -> None:
    levels = shades([word.weight for word in by_word.words])
    expected = [
        (f"heat-{shade}", document.text[word.start : word.end])
        for word, shade in zip(by_word.words, levels, strict=True)
        if shade
    ]
    assert heat(render_html(told(ladder, by_word))) == expected


@pytest.mark.parametrize("kind", ["by_sentence", "by_word"])
def test_the_text_stays_the_same_and_acts_no_more(
    ladder: NestedSummaries, kind: str, request: pytest.FixtureRequest
) -> None:
    plain = render_html(ladder)
    page = render_html(told(ladder, request.getfixturevalue(kind)))
    articles = [parse(each).xpath("//article")[0].text_content() for each in (plain, page)]
    assert articles[0] == articles[1]
    for element in ("script", "img", "iframe"):
        counts = [len(parse(each).xpath(f"//{element}")) for each in (plain, page)]
        assert counts[0] == counts[1]
    policy = "//meta[@http-equiv='Content-Security-Policy']/@content"
    assert parse(plain).xpath(policy) == parse(page).xpath(policy)


def test_the_scale_shows_and_hides_without_a_script(
    ladder: NestedSummaries, by_sentence: Importance
) -> None:
    closed, opened = (render_html(told(ladder, by_sentence), shaded=shown) for shown in (0, 1))
    (box,), (checked,) = (parse(page).xpath("//input[@id='heat']") for page in (closed, opened))
    assert box.get("checked") is None
    assert checked.get("checked") is not None
    label = box.getparent()
    assert label.tag == "label"
    assert HOSTILE in label.text_content()
    scale = parse(closed).xpath("//*[@class='scale']/span")
    assert [part.text for part in scale] == ["50%", "35%", "20%", "10%", "5%"]


def test_without_importance_there_is_no_scale(ladder: NestedSummaries) -> None:
    page = render_html(ladder, shaded=True)
    assert not parse(page).xpath("//input[@id='heat']")
    assert not heat(page)


def test_stretches_of_a_sentence_spell_it(document: Document, by_word: Importance) -> None:
    found = shaded_stretches(document, by_word)
    for sentence, stretches in zip(document.sentences, found, strict=True):
        markup = shaded_text(document.text, sentence, stretches)
        assert lxml.html.fragment_fromstring(f"<p>{markup}</p>").text_content().split() == (
            sentence.text.split()
        )
