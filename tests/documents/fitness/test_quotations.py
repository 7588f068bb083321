"""Which quotation marks sentences lack, and where."""

import pytest

from document_views import document_of
from longsum.documents.fitness.quotations import Quotations


@pytest.mark.parametrize(
    ("paragraphs", "opening", "closing"),
    [
        (['It rained. "We lost. We shall win," he said. "No."'],
         {2: ('"', 1, 0)}, {1: ('"', 2, 13)}),
        (["“We lost. We shall win,” he said."], {1: ("“", 0, 0)}, {0: ("”", 1, 13)}),
        (["Ja: „Wir ruhten. Es war spät.“ Er ging."], {1: ("„", 0, 4)}, {0: ("“", 1, 12)}),
        (["Il dit : «Nous dormons. Il est tard,» et part."], {1: ("«", 0, 9)}, {0: ("»", 1, 12)}),
        (["“We lost. We shall win.", "“We never tire. We never sleep,” he said."],
         {1: ("“", 0, 0), 3: ("“", 2, 0)}, {0: ("”", 0, 0), 1: ("”", 0, 0), 2: ("”", 3, 15)}),
        (["„Wir ruhten. Es war spät.", "„Wir gehen.“"],
         {1: ("„", 0, 0)}, {0: ("“", 0, 0), 1: ("“", 0, 0)}),
        (['Of 5" wide. ("We lost. We shall win," he said.)'], {2: ('"', 1, 1)}, {1: ('"', 2, 13)}),
        (["“We lost. We shall win.", "We never tire.”"],
         {1: ("“", 0, 0), 2: ("“", 0, 0)}, {0: ("”", 2, 14), 1: ("”", 2, 14)}),
        (["“We lost. We shall win.", "We never tire."], {}, {}),
        (['Wide" it was. "We lost. We shall win," he said.'], {}, {}),
        (["“We lost. “We shall win,” he said."], {}, {}),
        (["“We lost.” We shall win,” he said. “It rained. He left.”"], {}, {}),
        (['A "word" and "one. And two" more.', "It rained."], {1: ('"', 0, 13)}, {0: ('"', 1, 7)}),
        (['It rained. " We lost. We shall win,"'], {}, {}),
    ],
)  # fmt: skip
def test_the_marks_that_sentences_lack(paragraphs, opening, closing):
    document = document_of(*(("# Part", paragraph) for paragraph in paragraphs))
    starts = [sentence.start for sentence in document.sentences]
    quotations = Quotations.of(document)
    for found, expected in ((quotations.opening, opening), (quotations.closing, closing)):
        assert {
            position: (mark.text, mark.sentence, mark.place - starts[mark.sentence])
            for position, mark in found.items()
        } == expected


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("“We lost.” “We shall win”.", {0, 1}),
        ("“We lost. We shall win,” he said.", {0}),
        ("He said: “We lost. We shall win.” It rained.", {1}),
        ("We “lost”.", set()),
    ],
)
def test_sentences_without_a_word_outside_of_a_quotation(text, whole):
    assert Quotations.of(document_of(text)).whole == whole
