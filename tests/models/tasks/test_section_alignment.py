from collections.abc import Sequence

import numpy as np
import pytest

from document_views import document_of
from longsum.documents import DocumentBuilder
from longsum.documents.subset import subset
from longsum.models.tasks.section_alignment import aligned_sections, aligned_sentences, similarities

# Four sections, two of them below others, with six paragraphs.
REPORT = document_of(
    ("# Background", "The agency was founded long ago by law."),
    "## Funding",
    "Congress gave the agency 40 million dollars in March 2019.",
    "Half of the money went to schools in Ohio.",
    "# Findings",
    "## Schools",
    "Many schools had no working heating during the winter.",
    "Teachers bought blankets from their own money.",
    ("## Hospitals", "Hospitals were not part of this review."),
    title="A report",
)


def nothing(texts: Sequence[str]) -> np.ndarray:
    return np.zeros((len(texts), 2))


def constant(texts: Sequence[str]) -> np.ndarray:
    return np.tile([3.0, 4.0], (len(texts), 1))


def test_share_of_distinct_bigrams() -> None:
    # Bigrams: "the winter", "winter was", "was cold", "cold the"; the paragraph has the first.
    found = similarities("The winter was cold the winter", REPORT, nothing)
    assert found.shape == (1, 6)
    assert found[0].tolist() == [0, 0, 0, pytest.approx(1 / 4), 0, 0]


def test_share_of_distinct_entities() -> None:
    # Of Ohio, Texas and a date, Ohio alone stands in the third paragraph, the date in the second.
    found = similarities("Then Ohio, again Ohio and Texas had it since March 2019", REPORT, nothing)
    assert found[0, 2] == pytest.approx(0.2 / 3)
    # "march 2019" is also one of the ten bigrams.
    assert found[0, 1] == pytest.approx(0.2 / 3 + 1 / 10)


def test_the_cosine_is_that_of_the_encoder() -> None:
    assert np.allclose(similarities("Zebras!", REPORT, constant), 0.4)
    signs = {"Zebras!": 1.0}
    opposite = lambda texts: np.array([[signs.get(text, -2.0)] for text in texts])  # noqa: E731
    assert np.allclose(similarities("Zebras!", REPORT, opposite), -0.4)


def test_sections_of_the_best_paragraphs() -> None:
    summary = "Hospitals were not part of it. Half of the money went to Ohio."
    assert aligned_sections(summary, REPORT) == (1, 4)


def test_of_nothing_alike_there_is_none() -> None:
    assert aligned_sections("Zebras graze quietly.", REPORT) == ()
    assert aligned_sentences("Zebras graze quietly.", REPORT) == ()
    assert aligned_sections("", REPORT) == ()
    assert aligned_sections("One sentence.", DocumentBuilder().build("")) == ()


def test_the_input_is_whole_sections_under_the_titles_above() -> None:
    found = subset(REPORT, aligned_sentences("Teachers bought blankets for the classes.", REPORT))
    assert [(section.level, section.title) for section in found.walk()] == [
        (1, "Findings"),
        (2, "Schools"),
    ]
    # The whole section, and nothing of the section that only lends its title.
    assert [sentence.text for sentence in found.sentences] == [
        "Many schools had no working heating during the winter.",
        "Teachers bought blankets from their own money.",
    ]
    assert found.title == "A report"
    # A section's own paragraphs are read without those below it.
    found = subset(REPORT, aligned_sentences("The agency was founded by law.", REPORT))
    assert [section.title for section in found.walk()] == ["Background"]
    assert len(found.sentences) == 1
