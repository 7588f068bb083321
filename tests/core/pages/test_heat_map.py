"""The heat map on the page: what is shaded, and that its text cannot act."""

import re
from dataclasses import replace

import lxml.html
import pytest

from longsum.core.pages import render_html
from longsum.core.summaries.summary import Importance, Word

HOSTILE = '<img src=x onerror="alert(1)"></script><script>alert(2)</script>'


@pytest.fixture
def by_sentence(document) -> Importance:
    return Importance(HOSTILE, tuple(float(n % 17) for n in range(len(document.sentences))))


@pytest.fixture
def by_word(document) -> Importance:
    words = tuple(
        Word(sentence.start + found.start(), sentence.start + found.end(), len(found[0]) / 10)
        for sentence in document.sentences
        for found in re.finditer(r"\w+", sentence.text)
    )
    return Importance("words", (0.5,) * len(document.sentences), words)


def test_without_importance_no_scale_is_shown(ladder) -> None:
    page = lxml.html.document_fromstring(render_html(ladder, shaded=True))
    assert not page.xpath("//input[@id='heat'] | //article//*[starts-with(@class, 'heat-')]")


@pytest.mark.parametrize("kind", ["by_sentence", "by_word"])
def test_shades_and_their_scale_are_what_they_were(ladder, kind, request, as_before) -> None:
    importance = request.getfixturevalue(kind)
    rungs = tuple(replace(rung, importance=importance) for rung in ladder.summaries)
    page = render_html(replace(ladder, summaries=rungs), shaded=kind == "by_word")
    as_before(f"heat-{kind}", page)
