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


def test_a_summary_states_the_fact_of_each_section():
    for example in load("planted", "validation"):
        facts = example.references[0].splitlines()
        sections = list(example.document.walk())
        assert len(facts) == len(sections)
        for fact, section in zip(facts, sections, strict=True):
            texts = " ".join(sentence.text for sentence in section.sentences)
            assert f"Notably, {fact}" in texts


def test_trees_ask_of_each_section_and_name_its_paragraphs():
    for example in load("planted", "test", limit=5):
        (tree,) = question_trees(example)
        pairs = [pair for _, pair in tree.walk()]
        assert [pair.answer for pair in pairs] != []
        assert {pair.answer for pair in pairs} == set(example.references[0].splitlines())


def test_far_facts_lie_thousands_of_words_apart():
    example = next(load("planted_far", "train"))
    assert count_words(example.document.text) > 3_000
