import re

import pytest

from longsum.evaluation.datasets import load
from longsum.evaluation.datasets.question_sets import question_trees
from longsum.language.words import count_words


def test_documents_are_the_same_each_time_and_differ_between_splits():
    first, again, test = (
        [(each.id, each.document.text) for each in load("planted", split, limit=5)]
        for split in ("train", "train", "test")
    )
    assert first == again
    assert not {text for _, text in first} & {text for _, text in test}


FACT = re.compile(r"(\w+) (opened|closed|repaired|inspected|sold|insured) (\d+) (\w+)\.")


@pytest.mark.parametrize(
    ("name", "split", "number", "dull"),
    [("planted", "validation", 40, 5), ("planted", "test", 40, 5), ("planted_far", "train", 2, 90)],
)
def test_a_summary_states_the_fact_of_each_section_and_a_tree_asks_for_it(
    name, split, number, dull
):
    examples = list(load(name, split, limit=None if number == 40 else number))
    assert [example.id for example in examples] == [f"{split}-{each}" for each in range(number)]
    fillers, drawn = set[str](), set[str]()
    for order, example in enumerate(examples):
        facts = example.references[0].splitlines()
        sections = list(example.document.walk())
        assert [section.level for section in sections] in ([1, 2, 1], [1, 2, 1, 1])
        place = example.document.title.removeprefix(f"Report {order} on ")
        asked = []
        for at, (fact, section) in enumerate(zip(facts, sections, strict=True)):
            there, act, count, thing = FACT.fullmatch(fact).groups()
            drawn |= {there, act, thing}
            assert (there, section.title) == (place, f"The {thing} of {place}")
            assert 2 <= int(count) <= 99
            texts = [sentence.text for sentence in section.sentences]
            assert texts.count(f"Notably, {fact}") == 1
            fillers |= {*texts} - {f"Notably, {fact}"}
            assert [*map(len, section.paragraphs)] == [(dull + 1) // 2, dull // 2 + 1]
            node = {"question": f"What of the {thing}?", "answer": fact, "children": []}
            asked.append({**node, "paragraphs": [[2 * at, 2 * at + 1]]})
        told = [
            {"section": each.title, "text": fact}
            for each, fact in zip(sections, facts, strict=True)
        ]
        root = {**asked[0], "children": asked[1:]}
        assert example.extra == {"questions": [root], "section_summaries": told}
        (tree,) = question_trees(example)
        assert [pair.answer for _, pair in tree.walk()] == facts
    assert len(fillers) == 6
    # Of two reports not all places, acts and things are told.
    assert len(drawn) == 8 + 6 + 8 or number == 2


def test_far_facts_lie_thousands_of_words_apart():
    example = next(load("planted_far", "train"))
    assert count_words(example.document.text) > 3_000
