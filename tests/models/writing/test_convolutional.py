"""What a summary of the convolutions promises, with ones that write at random."""

import pytest
import torch

from longsum.core.summaries import Budget
from longsum.documents import Document
from longsum.models.networks.convolutional import LongsumConvolutional, LongsumConvolutionalConfig
from longsum.models.networks.words.vocabulary import Vocabulary, WordTokenizer
from longsum.models.writing.summarizer import AbstractiveSummarizer
from longsum.models.writing.words import ConvolutionalWriter


@pytest.fixture(scope="module")
def system(brief: Document) -> AbstractiveSummarizer:
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


def test_the_budget_is_never_exceeded_and_all_words_are_known(system, brief: Document):
    known = set(system.writer.vocabulary.words[4:]) | {"…"}
    for budget in (Budget(1), Budget(5), Budget(30), Budget(400), Budget(20, "tokens")):
        summary = system.summarize(brief, budget)
        counted = system.counting(budget)
        assert sum(counted.cost(sentence.text) for sentence in summary.sentences) <= budget.amount
        assert set(system.writer.words.tokens(summary.text)) <= known


@pytest.mark.parametrize(("tokens", "told"), [(1, 1), (20, 20), (21, 20), (500, 60)])
def test_it_is_told_the_tokens_asked_for(system, brief: Document, monkeypatch, tokens, told):
    """To one token, and as far as it writes."""
    lengths = []
    start = system.writer.model.decoder.start

    def noted(asked: torch.Tensor):
        lengths.append(int(asked))
        return start(asked)

    monkeypatch.setattr(system.writer.model.decoder, "start", noted)
    system.summarize(brief, Budget(tokens, "tokens"))
    assert lengths[0] == told


def test_the_mass_of_a_word_is_one_and_of_what_was_read(system, brief: Document):
    reading = system.writer.read(brief)
    mass = system.writer.mass(reading, torch.tensor([2, 5, 9, 7]))
    assert mass.sum(axis=1) == pytest.approx([1, 1, 1], abs=1e-6)
    assert (mass[:, :-1] > 0).all()
    assert not mass[:, -1].any()
