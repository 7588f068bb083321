"""The documents of `benchmarks/structure.py`: only the tree determines the answer."""

from itertools import islice

import pytest

import structure


@pytest.mark.parametrize("relation", structure.RELATIONS)
def test_the_answer_is_the_word_of_the_related_section(relation: str) -> None:
    documents = structure.puzzles(relation, levels=False, marked=True, seed=3)
    for puzzle in islice(documents, 50):
        asking = puzzle.section_of[puzzle.asked]
        target = structure.related(relation, asking, puzzle.parents)
        assert target is not None
        words = [
            token - structure.WORDS.start
            for token, section in zip(puzzle.tokens, puzzle.section_of, strict=True)
            if section == target and token in structure.WORDS
        ]
        assert words == [puzzle.answer]
        assert asking - target in structure.BACK


def test_marks_show_levels_only_if_set() -> None:
    alike, levelled = (
        next(structure.puzzles("parent", levels=levels, marked=True, seed=5))
        for levels in (False, True)
    )
    marks = {token for token in alike.tokens if token < structure.FILLERS.start}
    assert marks == {structure.MARK, structure.QUESTION}
    assert alike.parents == levelled.parents
    assert alike.tokens != levelled.tokens
