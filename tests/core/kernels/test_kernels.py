import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from longsum.common.errors import LongsumError
from longsum.core.kernels.fitted import FittedKernels, KernelSettings, Multiplex
from longsum.core.kernels.kernel import (
    FLOOR,
    KeywordKernel,
    RedundancyKernel,
    TopicKernel,
    closeness,
    smoothed,
    symmetric_kl,
)
from longsum.language.embeddings import LatentSemanticAnalysis
from longsum.language.topics import TopicModel

TEXT = [
    "The river carries water to the sea.",
    "Water of the river feeds the fields.",
    "Trains run on the railway to the coast.",
    "The railway carries coal and passengers.",
    "Rivers, water and railways meet at the coast.",
]
SENTENCES = st.lists(st.one_of(st.sampled_from(TEXT), st.text(max_size=40)), min_size=1, max_size=8)


KERNELS = [
    *(TopicKernel.fit(TEXT), KeywordKernel.fit(TEXT)),
    RedundancyKernel(LatentSemanticAnalysis.fit(TEXT), TEXT),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
@given(sentences=SENTENCES)
def test_local_attention_is_a_distribution_over_any_sentences(kernel, sentences):
    attention = kernel.attention(sentences)
    assert attention.shape == (len(sentences),)
    assert (attention >= 0).all()
    assert attention.sum() == pytest.approx(1)


def test_definitions_by_hand():
    p, q = np.array([[0.5, 0.5]]), np.array([[0.25, 0.75]])
    # KL(p|q) = .5 ln 2 + .5 ln(2/3); KL(q|p) = .25 ln .5 + .75 ln 1.5; their sum = .25 ln 3.
    assert symmetric_kl(p, q)[0, 0] == pytest.approx(0.25 * np.log(3))
    assert symmetric_kl(p, p)[0, 0] == pytest.approx(0, abs=1e-12)
    # A fixed part is spread over all; closeness is measured from the farthest.
    spread = smoothed(np.array([[3.0, 1.0], [0.0, 0.0]]), 0.2)
    np.testing.assert_allclose(spread, [[0.7, 0.3], [0.5, 0.5]])
    np.testing.assert_allclose(closeness(np.array([1.0, 4.0, 2.5])), [3.0, 0.0, 1.5])


def test_kernels_have_the_papers_shape():
    text = ["".join(parts) for parts in product("bdfgkmprt", "aeiou", ("lk", "nt"))]
    assert TopicKernel.fit(text).model.word_given_topic.shape[0] == 3
    assert len(KeywordKernel.fit(text).keywords) == 50
    sizes = KernelSettings()
    assert (sizes.topics, sizes.vocabulary, sizes.keywords, sizes.dimensions) == (3, 300, 50, 100)


def test_a_sentence_on_the_topics_is_nearer_than_one_off_them():
    kernel = TopicKernel.fit(TEXT)
    on, off, empty = kernel.distance([TEXT[4], "Bananas ripen, but river not.", "…"])
    assert on < off == empty


def test_keyword_kernel_follows_frequency():
    kernel = KeywordKernel.fit(["Solar power.", "It is solar power.", "Wind power."])
    assert str(kernel.keywords[0]) == "solar power"
    assert kernel.frequencies.sum() == pytest.approx(1)
    near, far = kernel.distance(["Solar power and wind power", "Wind power"])
    assert near < far


def test_redundancy_is_mean_cosine_with_what_is_present():
    vectors = {"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [0.6, 0.8]}
    kernel = RedundancyKernel(lambda texts: np.array([vectors[t] for t in texts]), ["a", "b"])
    # cosines of c with a and b: .6 and .8; their mean: .7.
    np.testing.assert_allclose(kernel.distance(["c", "a"]), [0.7, 0.5])
    nothing = RedundancyKernel(lambda texts: np.zeros((len(texts), 2)), [])
    np.testing.assert_allclose(nothing.distance(["x", "y"]), [0, 0])


@pytest.mark.parametrize("changes", [{"topics": 0}, {"vocabulary": 0}, {"keywords": -1}])
def test_sizes_must_be_positive(changes):
    with pytest.raises(LongsumError, match="at least 1"):
        KernelSettings(**changes)


@pytest.mark.parametrize("weights", [(0.5, 0.4, 0.0), (1.2, -0.1, -0.1), (float("nan"), 0.2, 0.1)])
def test_weights_must_keep_the_papers_constraint(weights):
    with pytest.raises(LongsumError, match="they must sum to 1"):
        Multiplex(KERNELS, weights)


def test_a_document_without_words_has_an_even_attention():
    assert TopicKernel.fit(["…"]).attention(["…", "!!"]) == pytest.approx([0.5, 0.5])
    assert KeywordKernel.fit(["…"]).attention(["…", "!!"]) == pytest.approx([0.5, 0.5])


def test_blocks_change_nothing(monkeypatch):
    kernel = TopicKernel.fit(TEXT)
    whole = kernel.distance(TEXT)
    monkeypatch.setattr("longsum.core.kernels.kernel._BLOCK", 2)
    np.testing.assert_allclose(kernel.distance(TEXT), whole)


@given(st.lists(st.sampled_from(["river", "train", "bank", "loan"]), min_size=1, max_size=9))
def test_nearest_topic_is_that_of_the_least_divergence(words):
    vocabulary = ("river", "bank", "train", "loan")
    rows = np.array([[0.7, 0.2, 0.05, 0.05], [0.1, 0.1, 0.7, 0.1], [0.05, 0.4, 0.05, 0.5]])
    kernel = TopicKernel(TopicModel(vocabulary, rows, np.array([0.5, 0.3, 0.2])))
    shares = [words.count(word) / len(words) for word in vocabulary]
    sentence = [(1 - FLOOR) * share + FLOOR / 4 for share in shares]
    # Symmetric Kullback–Leibler divergence, written out.
    divergences = [
        sum((p - q) * math.log(p / q) for p, q in zip(sentence, row, strict=True)) for row in rows
    ]
    assume(np.diff(np.sort(divergences))[0] > 1e-3)
    found = kernel.nearest([" ".join(words), "Bananas!"]).tolist()
    assert found == [int(np.argmin(divergences)), -1]


def test_kernels_of_a_document(small):
    settings = KernelSettings(topics=2, vocabulary=20, keywords=5)
    fitted = FittedKernels.of(small, settings)
    assert fitted.topics.model.word_given_topic.shape == (2, 20)
    assert len(fitted.keywords.keywords) == 5
    sentences = [sentence.text for sentence in small.sentences]
    assert fitted.redundancy.attention(sentences).sum() == pytest.approx(1)
    weights = {"topics": 0.9, "keywords": 0.2, "redundancy": -0.1}
    assert fitted.multiplex(settings).weights == weights


@pytest.mark.parametrize("name", ["topics", "keywords", "redundancy"])
def test_a_shuffled_kernel_holds_the_same_numbers_elsewhere(small, name):
    def numbers(fitted):
        return {
            "topics": fitted.topics.model.word_given_topic,
            "keywords": fitted.keywords.frequencies,
            "redundancy": fitted.redundancy.present,
        }

    right = numbers(FittedKernels.of(small, KernelSettings()))
    found = numbers(FittedKernels.of(small, KernelSettings(shuffled=name)))
    again = numbers(FittedKernels.of(small, KernelSettings(shuffled=name)))
    for kernel, values in found.items():
        assert np.array_equal(values, again[kernel])
        assert np.array_equal(np.sort(values, axis=None), np.sort(right[kernel], axis=None))
        assert np.array_equal(values, right[kernel]) is (kernel != name)
