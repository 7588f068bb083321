import pytest

from document_views import document_of
from longsum.evaluation.datasets.info import Example
from longsum.models.tasks.extraction.own_sections import with_own_sections

LONG = " ".join(f"Sentence {number} of the body tells what was done." for number in range(60))
SHORT = " ".join(f"Result {number} was that it works well enough." for number in range(6))


def example(*sections: tuple[str, str]) -> Example:
    document = document_of(*((f"# {title}", text) for title, text in sections), title="A title")
    return Example("1", document, ("A reference.",), "train", "cc0", {})


@pytest.mark.parametrize(
    "title", ["Conclusion", "5 Conclusions", "VI. CONCLUSION", "Abstract", "2. Introduction:"]
)
def test_a_section_that_sums_up_is_taken_out_and_becomes_the_reference(title: str) -> None:
    given = example(("Methods", LONG), (title, SHORT))
    first, second = with_own_sections([given], 1.0)
    assert first is given
    assert second.references[0].split() == SHORT.split()
    assert "Result" not in second.document.text
    assert len(second.document.sentences) == 60


def test_conclusions_come_before_introductions() -> None:
    intro = SHORT.replace("Result", "Question")
    given = example(("Introduction", intro), ("Methods", LONG * 2), ("Conclusions", SHORT))
    assert "Result 5" in list(with_own_sections([given], 1.0))[1].references[0]


@pytest.mark.parametrize(
    "sections",
    [
        [("Methods", LONG), ("Results", SHORT)],
        [("Methods", SHORT), ("Conclusion", SHORT)],
        [("Methods", LONG), ("Conclusion", "It works.")],
    ],
)
def test_without_a_fit_section_there_is_no_second_example(sections: list[tuple[str, str]]) -> None:
    assert len(list(with_own_sections([example(*sections)], 1.0))) == 1


def said(words: int) -> str:
    """Return sentences of five words, and a last one with the rest."""
    last = [f"And{' more' * (words % 5 - 1)}."] if words % 5 else []
    return " ".join(["One two three four five."] * (words // 5) + last)


@pytest.mark.parametrize(
    ("words", "rest", "fits"),
    [(40, 160, 2), (39, 900, 1), (40, 159, 1), (700, 2800, 2), (701, 9000, 1)],
)
def test_a_section_of_fit_length_has_four_times_as_much_beside_it(words, rest, fits) -> None:
    given = example(("Methods", said(rest)), ("Conclusion", said(words)))
    assert len(list(with_own_sections([given], 1.0))) == fits


def test_a_share_of_the_examples_is_drawn_by_the_seed() -> None:
    given = [example(("Methods", LONG), ("Conclusion", SHORT))] * 40
    counts = [len(list(with_own_sections(given, 0.5, seed))) for seed in (0, 0, 1)]
    assert counts[0] == counts[1]
    assert 45 < counts[0] < 75
    assert len(list(with_own_sections(given, 0.0))) == 40
