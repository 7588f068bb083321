"""Acronyms are spelled out where a summary uses them first, and cost what is shown."""

from longsum.core.extractive.copies import Lengths, insertions
from longsum.core.summaries import Budget
from longsum.documents import Document, DocumentBuilder
from longsum.documents.fitness.fitness import fitness_of


def document(*sentences: str) -> Document:
    builder = DocumentBuilder()
    builder.sentences(sentences)
    return builder.build()


GAO = document(
    "The Government Accountability Office (GAO) audits programs.",
    "GAO reports to Congress.",
    "The view of GAO's staff differs.",
    "Trains ran.",
)


def test_costs_are_what_is_shown():
    acronyms, budget = fitness_of(GAO).acronyms, Budget(100)
    costs = budget.costs(GAO.sentences)
    for order in ([1, 2, 3, 0], [0, 1, 2], [2, 0, 1], [3, 2], [1]):
        lengths = Lengths(costs, acronyms, budget.added)
        assert lengths.copy().together(order) == sum(map(lengths.add, order))
        shown = insertions(GAO, acronyms, sorted(order))
        words = sum(costs[place] for place in order)
        words += sum(len(each.text.split()) for many in shown.values() for each in many)
        lengths = Lengths(costs, acronyms, budget.added)
        assert sum(map(lengths.add, order)) == words


def test_two_in_one_sentence_are_each_spelled_out_behind_their_own():
    text = document(
        "The World Health Organization (WHO) pays.",
        "The International Monetary Fund (IMF) lends.",
        "Loans of the IMF reached the WHO in May.",
    )
    acronyms = fitness_of(text).acronyms
    shown = text.sentences[2].text
    for each in insertions(text, acronyms, [2])[2]:
        shown = shown[: each.offset] + each.text + shown[each.offset :]
    assert shown == (
        "Loans of the IMF (International Monetary Fund) reached the WHO (World Health "
        "Organization) in May."
    )


def test_first_use_alone_and_only_without_the_definition():
    acronyms = fitness_of(GAO).acronyms
    assert [*insertions(GAO, acronyms, [1, 2])] == [1]
    assert [*insertions(GAO, acronyms, [2, 3])] == [2]
    assert insertions(GAO, acronyms, [0, 1, 2]) == {}
