"""Acronyms are spelled out at first use and quotations are marked; both count as words."""

from collections.abc import Sequence

import pytest

from document_views import document_of
from longsum.core.extractive.copies import Additions, Copies, Lengths, insertions
from longsum.core.summaries import Budget
from longsum.core.summaries.sentence import Insertion, with_insertions
from longsum.documents import Document
from longsum.documents.fitness.fitness import fitness_of
from longsum.documents.fitness.quotations import Quotations


def document(*sentences: str) -> Document:
    return document_of([*sentences])


GAO = document(
    "The Government Accountability Office (GAO) audits programs.",
    "GAO reports to Congress.",
    "The view of GAO's staff differs.",
    "Trains ran.",
)


def spelled_out(document: Document, chosen: Sequence[int]) -> dict[int, tuple[Insertion, ...]]:
    additions = Additions(fitness_of(document).acronyms)
    return insertions(document, additions, chosen, Copies.whole(document).texts)


def test_costs_equal_the_words_shown():
    acronyms, budget = fitness_of(GAO).acronyms, Budget(100)
    costs = budget.costs(GAO.sentences)
    for order in ([1, 2, 3, 0], [0, 1, 2], [2, 0, 1], [3, 2], [1]):
        shown = spelled_out(GAO, sorted(order))
        words = sum(costs[place] for place in order)
        words += sum(len(each.text.split()) for many in shown.values() for each in many)
        for begun in range(len(order)):
            lengths = Lengths(costs, acronyms, budget.added)
            before = sum(map(lengths.add, order[:begun]))
            # A copy is independent.
            assert before + sum(map(lengths.copy().add, order[begun:])) == words
            assert before + lengths.copy().together(order[begun:]) == words


def test_two_acronyms_in_one_sentence_are_each_spelled_out():
    text = document(
        "The World Health Organization (WHO) pays.",
        "The International Monetary Fund (IMF) lends.",
        "Loans of the IMF reached the WHO in May.",
    )
    assert with_insertions(text.sentences[2].text, spelled_out(text, [2])[2]) == (
        "Loans of the IMF (International Monetary Fund) reached the WHO (World Health "
        "Organization) in May."
    )


def test_an_acronym_is_spelled_out_at_its_first_use_unless_it_is_defined():
    assert [*spelled_out(GAO, [1, 2])] == [1]
    assert [*spelled_out(GAO, [2, 3])] == [2]
    assert spelled_out(GAO, [0, 1, 2]) == {}


SAID = """Ann came late. “We lost the sea,” she said. “The GAO knew. It was silent. Nobody
asked.” So it went. A 5" pipe burst. "It rained. It will," he said. 'No.'

“This goes on. And on.

“It ends here. Now.” A mark” is too much. “The rest is left.

Nothing follows. »Das Haus ist leer. Es war schön«, sagte er.

„Nein. Ja.“"""


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ((2, 5), ("“The GAO knew.”", "So it went.")),
        ((3,), ("“It was silent.”",)),
        ((3, 4), ("“It was silent.", "Nobody asked.”")),
        ((2, 4), ("“The GAO knew.”", "“Nobody asked.”")),
        ((6, 7, 8), ('A 5" pipe burst.', '"It rained.', 'It will," he said.')),
        ((8,), ('"It will," he said.',)),
        ((10, 11), ("“This goes on.", "And on.”")),
        # If marks do not pair, or one is never closed, none are added.
        ((13, 14, 15), ("Now.”", "A mark” is too much.", "“The rest is left.")),
        ((17, 19), ("»Das Haus ist leer.", "„Nein.“")),
    ],
)
def test_sentences_of_a_quotation_have_quotation_marks(chosen, told) -> None:
    text = document_of(*SAID.split("\n\n"))
    additions, copies = Additions(quotations=Quotations.of(text)), Copies.whole(text)
    added = insertions(text, additions, chosen, copies.texts)
    shown = [with_insertions(text.sentences[each].text, added.get(each, ())) for each in chosen]
    assert tuple(shown) == told
    for each in (each for found in added.values() for each in found):
        marks = text.text[each.source.start : each.source.end], each.text
        assert marks in {(each.text, each.text), ("“", "”")}, "its own, or the one that opens"
        whole = text.sentences[each.source.sentence]
        assert whole.start <= each.source.start < each.source.end <= whole.end
    # In tokens too, a summary is never longer than it costs; marks add no words.
    for budget in (Budget.parse("9w"), Budget.parse("9t")):
        costs = copies.costs(budget, additions)
        assert all(budget.cost(one) <= costs[each] for one, each in zip(shown, chosen, strict=True))
        assert budget.unit == "tokens" or costs == copies.costs(budget)
