"""Long documents are skimmed: only a share of their sentences is encoded."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from document_views import document_of
from longsum.common.arrays import Ints
from longsum.core.encoder.encode_units import RoughVectors
from longsum.core.encoder.network import decision
from longsum.core.extractive.extractor_options import ExtractorConfig
from longsum.core.extractive.network_ranking import EncodedDocument
from longsum.core.extractive.neural import NeuralExtractor
from longsum.core.extractive.skimming import SkimmedDocument, worth_reading
from longsum.core.recursive.parts import RecursiveConfig
from longsum.core.recursive.summarizer import RecursiveSummarizer
from longsum.core.summaries import Budget
from longsum.core.systems.system import Request
from longsum.documents import Document, DocumentBuilder
from longsum.models.networks.extractive.torch_network import TorchNetwork
from summary_views import in_order

CONFIG = ExtractorConfig(precision="fp32", prose_first=False, skim_words=20, skim_share=0.4)
HEADINGS = 3
Make = Callable[..., NeuralExtractor]


class Counting(TorchNetwork):
    """Counts the texts that it encodes."""

    encoded = 0

    def encode(self, texts: Sequence[Ints]) -> np.ndarray:
        """Encode texts."""
        self.encoded += len(texts)
        return super().encode(texts)


@pytest.fixture
def make(words, tiny_network) -> Make:
    def make(config: ExtractorConfig = CONFIG, skims: bool = True) -> NeuralExtractor:
        model = tiny_network(words.get_vocab_size())
        table = model.sentence_encoder.embedding.tokens.weight.detach().numpy()
        random = np.random.default_rng(0)
        matrix = random.normal(size=(table.shape[1] + 1, table.shape[1])).astype(np.float32)
        rough = RoughVectors(lambda: table, matrix) if skims else None
        return NeuralExtractor("extractor", config, Counting(model, "cpu", "fp32", rough), words)

    return make


def read(system: NeuralExtractor, document: Document) -> EncodedDocument:
    return system.encode(Request(document, Budget(9, "sentences")))


def test_only_sentences_worth_reading_are_encoded(make: Make, small: Document) -> None:
    system = make()
    found = read(system, small)
    assert isinstance(found, SkimmedDocument)
    # 40 % of nine sentences, rounded up.
    assert found.close.sum() == 4
    assert system.network.encoded == 4 + HEADINGS
    # They are chosen first, and the rest after them.
    close = set(np.flatnonzero(found.close).tolist())
    order = in_order(system.summarize(small, Budget(9, "sentences")))
    assert set(order[:4]) == close
    assert sorted(order) == list(range(9))


def test_long_documents_are_skimmed_unless_told_otherwise(make: Make, small: Document) -> None:
    skimming = make(replace(CONFIG, skim_words=1000))
    as_ever = make(skims=False)
    assert not skimming.skims(small)
    assert not as_ever.skims(small)
    found, expected = (
        in_order(each.summarize(small, Budget(9, "sentences"))) for each in (skimming, as_ever)
    )
    assert found == expected
    # A search for plans reads the whole document; a copy may skim everything or nothing.
    assert not make(replace(CONFIG, beams=2)).skims(small)
    assert skimming.skimming(on=True).skims(small)
    assert not make().skimming(on=False).skims(small)
    assert not skimming.skims(small)


def test_closely_read_sentences_are_scored_as_in_a_full_encoding(make, small) -> None:
    found = read(make(), small)
    plain = EncodedDocument(
        found.texts, found.network, found.reading, found.adjustments, found.preferred
    )
    plan = tuple(np.flatnonzero(found.close)[:2].tolist())
    logits, expected = found.logits(plan), plain.logits(plan)
    np.testing.assert_allclose(logits[:-1][found.close], expected[:-1][found.close], rtol=1e-4)
    np.testing.assert_array_equal(logits[:-1][~found.close], plain.unchosen[:-1][~found.close])


def test_less_preferred_sentences_are_read_after_the_rest(make, small) -> None:
    found = read(make(), small)
    levels = np.array([0, 1, 0, 1, 0, 0, 1, 0, 0])
    all_whole = np.ones(9, dtype=bool)
    worth = worth_reading(replace(found, preferred=levels), 0.4, all_whole)
    assert set(np.flatnonzero(worth)) > {1, 3, 6}
    # Nor are sentences that the encoder cuts.
    whole = np.arange(9) % 3 != 0
    assert not (worth_reading(found, 1.0, whole) & ~whole).any()
    assert worth_reading(found, 0.4, whole).sum() == 4
    assert worth_reading(found, 1.0, ~np.ones(9, dtype=bool)).sum() == 1


def test_of_a_text_of_very_long_sentences_hardly_any_are_encoded(make: Make) -> None:
    system = make(replace(CONFIG, sentence_tokens=50))
    document = document_of(
        *(f"Row {number} of the list " + "goes on " * 200 + "and ends." for number in range(30))
    )
    assert system.skims(document)
    read(system, document)
    assert system.network.encoded == 1


def test_a_document_encoded_with_others_is_read_as_alone(make: Make, small: Document) -> None:
    budget = Budget(3, "sentences")
    system = make()
    alone = in_order(system.summarize(small, budget))
    together = system.with_encodings([small, small])
    assert in_order(together.summarize(small, budget)) == alone
    assert together._tokenize(small) is together._tokenize(small)
    # Nothing is encoded in advance if there is nothing to encode or compare.
    assert system.with_encodings([DocumentBuilder().build()]) is system
    system.network.compares = False
    assert system.with_encodings([small]) is system


def test_parts_of_a_long_document_are_skimmed_but_not_the_sentences_chosen_from_them(
    make, small
) -> None:
    system = make()
    config = RecursiveConfig(chapters="extractor", undivided=30, part_words=60, least_words=0)
    divided = RecursiveSummarizer("books", config, system, system)
    assert divided.summarize(small, Budget(3, "sentences")).levels
    # Every sentence or heading is encoded once at most.
    assert 0 < system.network.encoded < 9 + HEADINGS


def test_with_a_focus_everything_is_read_closely(make: Make, small: Document) -> None:
    system = make()
    asked = Request(small, Budget(9, "sentences"), "dams")
    assert not isinstance(system.encode(asked), SkimmedDocument)
    close, skimmed = make(skims=False).encode(asked), system.with_encodings([small]).encode(asked)
    np.testing.assert_allclose(skimmed.reading.vectors, close.reading.vectors, rtol=1e-5)


def test_skimmed_sentences_do_not_influence_the_end() -> None:
    narrowed = np.array([1.0, 0.5, 2.0])
    found = SkimmedDocument(
        texts=["a", "b", "c", "d"],
        network=SimpleNamespace(decides_end=True),
        reading=SimpleNamespace(logits=lambda _: np.array([[9.0, 0.0, 8.0, 0.0, -5.0]])),
        adjustments={},
        preferred=np.zeros(4, dtype=np.int64),
        close=np.array([False, True, False, True]),
        narrowed=SimpleNamespace(logits=lambda _: narrowed[None]),
    )
    logits = found.logits((1,))
    assert logits[:-1].tolist() == [9.0, 1.0, 8.0, 0.5]
    assert decision(logits) == pytest.approx(decision(narrowed))
