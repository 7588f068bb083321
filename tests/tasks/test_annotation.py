import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.datasets import Example
from longsum.documents import DocumentBuilder
from longsum.tasks.annotation import (
    normalized_density,
    paragraphs_to_annotate,
    worth_annotating,
)


def _paragraph(sentences: int, words: int) -> str:
    """Return so many sentences of so many words in all, none of which any other text has."""
    ends = [words * (n + 1) // sentences for n in range(sentences)]
    return " ".join(f"Q{n}{'.' if n + 1 in ends else ''}" for n in range(words))


@pytest.mark.parametrize(
    ("sentences", "words", "worth"),
    [(3, 70, True), (2, 70, False), (3, 69, False), (5, 200, True)],
)
def test_at_least_three_sentences_and_seventy_words(sentences, words, worth) -> None:
    assert worth_annotating(_paragraph(sentences, words), "Another text.") is worth


@pytest.mark.parametrize(
    ("copied", "worth"),
    # In 100 tokens a fragment of 38 has a normalized density of .1444, one of 39 of .1521.
    [(38, True), (39, False)],
)
def test_most_of_it_is_not_copied(copied, worth) -> None:
    paragraph = _paragraph(4, 100)
    document = "Before. " + " ".join(paragraph.split()[10 : 10 + copied]) + " After."
    assert normalized_density(paragraph, document) == pytest.approx((copied / 100) ** 2)
    assert worth_annotating(paragraph, document) is worth


@given(st.lists(st.sampled_from("abcd"), max_size=12), st.lists(st.sampled_from("abcd")))
def test_density_is_a_share(summary, document) -> None:
    density = normalized_density(" ".join(summary), " ".join(document))
    assert 0 <= density <= 1
    assert (density == 0) == (not set(summary) & set(document))
    if summary:
        assert normalized_density(" ".join(summary), " ".join(summary)) == 1


def test_paragraphs_are_the_lines_of_the_first_reference() -> None:
    builder = DocumentBuilder()
    builder.paragraph("Another text. And more of it.")
    good, other = _paragraph(3, 70), _paragraph(4, 90)
    short = "Too short. By far. Yes."
    example = Example("1", builder.build(""), (f"{good}\n{short}\n{other}", good), "train", "", {})
    assert list(paragraphs_to_annotate(example)) == [good, other]
