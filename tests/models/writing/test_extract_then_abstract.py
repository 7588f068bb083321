import pytest

from longsum import load_system
from longsum.core.summaries import Budget
from longsum.documents import Document
from longsum.models.tasks.extract_then_abstract import ExtractThenAbstract
from longsum.models.writing.extract_then_abstract import ExtractThenAbstractSummarizer


@pytest.fixture
def system() -> ExtractThenAbstractSummarizer:
    task = ExtractThenAbstract(words=40)
    return ExtractThenAbstractSummarizer(
        load_system("kernels"), load_system("lead"), task, name="two"
    )


def test_the_writer_reads_what_the_selector_chose(system, small: Document):
    chosen = load_system("kernels").summarize(small, Budget(40))
    wanted = [sentence.sources[0].sentence for sentence in chosen.sentences]
    summary = system.summarize(small, Budget(100))
    assert [sentence.sources[0].sentence for sentence in summary.sentences] == wanted
    assert summary.coverage.sentences_read == len(wanted)
    assert f"reads {len(wanted)} of 9 sentences, chosen by 'kernels'" in summary.warnings[0]
    assert summary.settings["selector"]["system"] == "kernels"


def test_sources_stand_in_the_whole_document(system, small: Document):
    for sentence in system.summarize(small, Budget(100)).sentences:
        (source,) = sentence.sources
        assert small.text[source.start : source.end] == sentence.text


@pytest.mark.parametrize("unit", ["words", "sentences", "percent"])
def test_the_budget_is_never_exceeded(system, small: Document, unit):
    for amount in (0.2, 1, 5, 20, 60):
        if unit == "percent" or amount >= 1:
            assert system.summarize(small, Budget(amount, unit)).reached <= amount


def test_a_share_is_one_of_the_whole_document(system, small: Document):
    ladder = system.at_lengths(small, [Budget(30, "percent"), Budget(10, "percent")], start=1)
    assert ladder.start == 0
    assert [str(rung.budget) for rung in ladder.summaries] == ["10%", "30%"]
    assert 20 < ladder.summaries[1].words <= 30


def test_a_short_document_is_read_whole(small: Document):
    task = ExtractThenAbstract(words=1000)
    writer = load_system("lead")
    system = ExtractThenAbstractSummarizer(load_system("kernels"), writer, task, name="two")
    summary = system.summarize(small, Budget(40))
    assert summary.sentences == writer.summarize(small, Budget(40)).sentences
    assert not any("chosen by" in warning for warning in summary.warnings)
