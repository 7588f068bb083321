import pytest

from longsum import LongsumError, load_system
from longsum.core.summaries import Budget
from longsum.documents import Document
from longsum.models.tasks.divide_and_conquer import DivideAndConquer
from longsum.models.writing.divide_and_conquer import DivideAndConquerSummarizer

SECTIONS = DivideAndConquer("all", least_words=0)


@pytest.fixture
def system() -> DivideAndConquerSummarizer:
    return DivideAndConquerSummarizer(load_system("lead"), SECTIONS, name="parts")


def test_every_section_gets_its_share(system, small: Document):
    """101 words, of which the first section with its child has two thirds."""
    summary = system.summarize(small, Budget(50))
    homes = [small.section_of(s.sources[0].sentence).number for s in summary.sentences]
    assert set(homes) == {0, 2}
    assert homes == sorted(homes)
    assert 30 < summary.words <= 50
    assert summary.finish_reason == "budget"
    assert system.summarize(small, Budget(100, "percent")).finish_reason == "document"


@pytest.mark.parametrize("unit", ["words", "sentences", "percent"])
def test_the_budget_is_never_exceeded(system, small: Document, unit):
    for amount in range(1, 60, 3):
        assert system.summarize(small, Budget(amount, unit)).reached <= amount


def test_sources_stand_where_they_say(system, small: Document):
    for sentence in system.summarize(small, Budget(70)).sentences:
        (source,) = sentence.sources
        assert small.text[source.start : source.end] == sentence.text
        assert small.section_of(source.sentence).number == source.section


def test_what_one_section_leaves_goes_to_the_next(system, small: Document):
    """No sentence fits in the first share of 8 words; the second section gets all 12."""
    summary = system.summarize(small, Budget(12))
    assert [s.sources[0].section for s in summary.sentences] == [2]


def test_only_sections_of_an_article_are_read(brief: Document):
    task = DivideAndConquer("typed", least_words=20)
    system = DivideAndConquerSummarizer(load_system("lead"), task, name="parts")
    summary = system.summarize(brief, Budget(200))
    assert 0 < summary.coverage.sentences_read < len(brief.sentences)
    assert summary.coverage.unread_sections
    assert "the other sections were not read" in summary.warnings[-1]


def test_a_focus_is_refused_and_settings_are_complete(system, small: Document):
    with pytest.raises(LongsumError, match="takes no focus"):
        system.summarize(small, Budget(9), focus="trains")
    assert system.settings == {"sections": "all", "least_words": 0, "writer": "lead"}
