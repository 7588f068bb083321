"""Wrapped writers, which read by sections, or what a selector chose."""

import pytest

from longsum import LongsumError, load_system
from longsum.core.summaries import Budget
from longsum.models.tasks.divide_and_conquer import DivideAndConquer
from longsum.models.tasks.extract_then_abstract import ExtractThenAbstract
from longsum.models.writing.divide_and_conquer import DivideAndConquerSummarizer
from longsum.models.writing.extract_then_abstract import ExtractThenAbstractSummarizer

SECTIONS = DivideAndConquer("all", least_words=0)


@pytest.fixture
def parts() -> DivideAndConquerSummarizer:
    return DivideAndConquerSummarizer(load_system("lead"), SECTIONS, name="parts")


@pytest.fixture
def two() -> ExtractThenAbstractSummarizer:
    task = ExtractThenAbstract(words=40)
    return ExtractThenAbstractSummarizer(
        load_system("kernels"), load_system("lead"), task, name="two"
    )


@pytest.fixture(params=["parts", "two"])
def system(request: pytest.FixtureRequest) -> object:
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize(
    ("unit", "amounts"),
    [
        ("words", range(1, 62, 4)),
        ("sentences", range(1, 10)),
        ("percent", (0.2, *range(1, 62, 6))),
    ],
)
def test_the_budget_is_never_exceeded(system, small, unit, amounts):
    for amount in amounts:
        assert system.summarize(small, Budget(amount, unit)).reached <= amount


def test_sources_stand_in_the_whole_document(system, small):
    for sentence in system.summarize(small, Budget(70)).sentences:
        (source,) = sentence.sources
        assert small.text[source.start : source.end] == sentence.text
        assert small.section_of(source.sentence).number == source.section


def test_every_section_gets_its_share(parts, small):
    """101 words, of which the first section with its child has two thirds."""
    summary = parts.summarize(small, Budget(50))
    homes = [small.section_of(s.sources[0].sentence).number for s in summary.sentences]
    assert set(homes) == {0, 2}
    assert homes == sorted(homes)
    assert 30 < summary.words <= 50
    assert summary.finish_reason == "budget"
    assert parts.summarize(small, Budget(100, "percent")).finish_reason == "document"


def test_length_that_a_section_leaves_goes_to_the_next(parts, small):
    """No sentence fits in the first share of 8 words; the second section gets all 12."""
    summary = parts.summarize(small, Budget(12))
    assert [s.sources[0].section for s in summary.sentences] == [2]


def test_only_sections_of_an_article_are_read(brief):
    task = DivideAndConquer("typed", least_words=20)
    system = DivideAndConquerSummarizer(load_system("lead"), task, name="parts")
    summary = system.summarize(brief, Budget(200))
    assert 0 < summary.coverage.sentences_read < len(brief.sentences)
    assert summary.coverage.unread_sections
    assert "the other sections were not read" in summary.warnings[-1]


def test_a_focus_is_refused_and_settings_are_complete(parts, small):
    with pytest.raises(LongsumError, match="takes no focus"):
        parts.summarize(small, Budget(9), focus="trains")
    assert parts.settings == {"sections": "all", "least_words": 0, "writer": "lead"}


def test_the_writer_reads_what_the_selector_chose(two, small):
    chosen = load_system("kernels").summarize(small, Budget(40))
    wanted = [sentence.sources[0].sentence for sentence in chosen.sentences]
    summary = two.summarize(small, Budget(100))
    assert [sentence.sources[0].sentence for sentence in summary.sentences] == wanted
    assert summary.coverage.sentences_read == len(wanted)
    assert f"read {len(wanted)} of 9 sentences, chosen by 'kernels'" in summary.warnings[0]
    assert summary.settings["selector"]["system"] == "kernels"


def test_a_share_is_one_of_the_whole_document(two, small):
    ladder = two.at_lengths(small, [Budget(30, "percent"), Budget(10, "percent")], start=1)
    assert ladder.start == 0
    assert [str(rung.budget) for rung in ladder.summaries] == ["10%", "30%"]
    assert 20 < ladder.summaries[1].words <= 30


def test_a_short_document_is_read_whole(small):
    task = ExtractThenAbstract(words=1000)
    writer = load_system("lead")
    system = ExtractThenAbstractSummarizer(load_system("kernels"), writer, task, name="two")
    summary = system.summarize(small, Budget(40))
    assert summary.sentences == writer.summarize(small, Budget(40)).sentences
    assert not any("chosen by" in warning for warning in summary.warnings)
