"""The guarantees of summaries by word-level models, with ones that write at random."""

import pytest
import torch

from longsum import LongsumError
from longsum.core.loading import load_system
from longsum.core.magnifier.length_control import LengthControlled
from longsum.core.summaries import Budget
from longsum.models.networks.convolutional import LongsumConvolutional, LongsumConvolutionalConfig
from longsum.models.networks.words.vocabulary import SourceWords, Vocabulary, WordTokenizer
from longsum.models.tasks.source import START
from longsum.models.writing.summarizer import AbstractiveSummarizer
from longsum.models.writing.words import ConvolutionalWriter, PointerWriter


@pytest.fixture(scope="module")
def system(pointer) -> AbstractiveSummarizer:
    return AbstractiveSummarizer(PointerWriter.load(pointer))


def test_it_reads_from_the_beginning_and_reports_that(system, brief):
    summary = system.summarize(brief, system.own_length)
    coverage = summary.coverage
    assert 0 < coverage.sentences_read < coverage.sentences_total
    words = WordTokenizer()
    read = [words.tokens(sentence.text) for sentence in brief.sentences]
    assert sum(map(len, read[: coverage.sentences_read])) <= 120
    assert sum(map(len, read[: coverage.sentences_read + 1])) > 120
    assert any("can read at most 120 tokens" in warning for warning in summary.warnings)
    for sentence in summary.sentences:
        assert all(source.sentence <= coverage.sentences_read for source in sentence.sources)
        assert sentence.score == pytest.approx(sum(sentence.reasons.values()))


def test_a_document_is_encoded_as_the_ids_that_are_read(system, brief):
    writer = system.writer
    reading, source = writer.read(brief), writer.encode(brief)
    assert source.ids.tolist() == reading.ids[0].tolist()
    assert source.sentence_of.tolist() == reading.sentence_of.tolist()
    assert source.sentences_read == system.summarize(brief, Budget(5)).coverage.sentences_read
    assert source.section_of.tolist() == [START] * len(source.ids)
    assert source.section_parents.tolist() == []
    assert writer.count(brief.sentences[0].text) == source.sentence_of.tolist().count(0)
    searched = {"lower_case": True, "min_target_tokens": 10, "coverage": True}
    assert writer.generation == {"beams": writer.model.config.beams, **searched}


def test_a_sentence_without_anything_to_show_is_none(system):
    count = len(system.writer.vocabulary)
    source = SourceWords((1, 1), (count, count + 1), ("\x92", "dam"))
    assert system.writer.writing((count,), source, ended=True).sentences == ()
    assert system.writer.writing((count + 1,), source, ended=True).sentences == ("Dam",)


def test_the_mass_is_that_of_copied_words(system, brief):
    writer = system.writer
    reading = writer.read(brief)
    sequence = torch.tensor([2, 5, 9, 7])
    mass = writer.mass(reading, sequence)
    labels = sequence[None, 1:]
    found = writer.model(reading.ids, reading.encoded.extended, labels)
    copied = (found.attention[0] * (1 - found.generate[0])[:, None]).double().detach().numpy()
    for sentence in set(reading.sentence_of.tolist()):
        expected = copied[:, reading.sentence_of == sentence].sum(axis=1)
        assert mass[:, sentence] == pytest.approx(expected, abs=1e-6)
    assert mass.sum() == pytest.approx(copied.sum())
    assert not mass[:, -1].any()


@pytest.mark.parametrize("generates", [False, True])
def test_words_come_from_the_source_or_the_vocabulary(system, brief, generates):
    """From the source if it only copies, from the vocabulary if it only generates."""
    writer = system.writer
    bias = writer.model.decoder.generate.bias
    before = bias.detach().clone()
    with torch.no_grad():
        bias.fill_(1e4 if generates else -1e4)
    try:
        summary = system.summarize(brief, system.own_length)
    finally:
        with torch.no_grad():
            bias.copy_(before)
    assert not any(mark in summary.text for mark in ("[UNK]", "[PAD]", "[START]", "[STOP]"))
    written = set(writer.words.tokens(summary.text))
    read, known = set(writer._beginning(brief).tokens), set(writer.vocabulary.words)
    assert written <= (known if generates else read)
    assert not generates or written - read


def test_it_makes_prototypes(system, brief):
    controlled = LengthControlled(system)
    assert controlled.natural == Budget(40)
    ladder = controlled.at_lengths(brief, [Budget(10), Budget(60), Budget(300)])
    for rung in ladder.summaries:
        assert rung.words <= rung.budget.amount
    assert ladder.summaries[-1].words > 290
    assert not any(" 40w " in warning for warning in ladder.summaries[-1].warnings)


def test_its_folder_is_a_system(system, pointer, brief):
    found = load_system(pointer)
    assert isinstance(found.writer, PointerWriter)
    assert found.summarize(brief, Budget(30)) == system.summarize(brief, Budget(30))
    assert load_system(pointer, beams=1).settings["generation"]["beams"] == 1
    with pytest.raises(LongsumError, match="cannot have 0 beams"):
        load_system(pointer, beams=0)


@pytest.fixture(scope="module")
def convolutions(brief) -> AbstractiveSummarizer:
    words = WordTokenizer()
    vocabulary = Vocabulary.of([words.tokens(s.text) for s in brief.sentences], 150)
    torch.manual_seed(1)
    config = LongsumConvolutionalConfig(
        vocab_size=len(vocabulary),
        embedding_size=8,
        hidden_size=8,
        layers=2,
        max_source_tokens=120,
        max_target_tokens=60,
        beams=2,
    )
    writer = ConvolutionalWriter(LongsumConvolutional(config).eval(), vocabulary)
    return AbstractiveSummarizer(writer, name="tiny")


def test_convolutions_never_exceed_the_budget_and_write_known_words(convolutions, brief):
    known = set(convolutions.writer.vocabulary.words[4:]) | {"…"}
    amounts = Budget(1), Budget(5), Budget(30), Budget(400), Budget(20, "tokens")
    for budget in (*amounts, Budget(1, "sentences")):
        summary = convolutions.summarize(brief, budget)
        counted = convolutions.counting(budget)
        assert sum(counted.cost(sentence.text) for sentence in summary.sentences) <= budget.amount
        assert set(convolutions.writer.words.tokens(summary.text)) <= known


@pytest.mark.parametrize(("tokens", "told"), [(1, 1), (20, 20), (21, 20), (500, 60)])
def test_convolutions_get_the_requested_number_of_tokens(
    convolutions, brief, monkeypatch, tokens, told
):
    """From one token up to its maximum."""
    lengths = []
    start = convolutions.writer.model.decoder.start

    def noted(asked: torch.Tensor):
        lengths.append(int(asked))
        return start(asked)

    monkeypatch.setattr(convolutions.writer.model.decoder, "start", noted)
    convolutions.summarize(brief, Budget(tokens, "tokens"))
    assert lengths[0] == told


def test_the_mass_of_a_word_of_convolutions_adds_up_to_one_over_the_source(convolutions, brief):
    reading = convolutions.writer.read(brief)
    mass = convolutions.writer.mass(reading, torch.tensor([2, 5, 9, 7]))
    assert mass.sum(axis=1) == pytest.approx([1, 1, 1], abs=1e-6)
    assert (mass[:, :-1] > 0).all()
    assert not mass[:, -1].any()
