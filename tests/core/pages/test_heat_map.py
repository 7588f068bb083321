"""The heat map on the page: what is shaded, and that no text of it can act."""

import re
from dataclasses import replace
from typing import Any

import lxml.html
import pytest

from longsum.core.pages import render_html
from longsum.core.summaries import NestedSummaries
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


def test_without_importance_there_is_no_scale(ladder: NestedSummaries) -> None:
    page = render_html(ladder, shaded=True)
    assert not parse(page).xpath("//input[@id='heat']")
    assert not heat(page)


@pytest.mark.parametrize("kind", ["by_sentence", "by_word"])
def test_shades_and_their_scale_are_what_they_were(ladder, kind, request, as_before) -> None:
    page = render_html(told(ladder, request.getfixturevalue(kind)), shaded=kind == "by_word")
    as_before(f"heat-{kind}", page)
