import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from document_views import document_of
from longsum.models.tasks.gap_sentences import GapSentences, _f1_with_rest
from longsum.models.tasks.prepared import PreparedSplit, prepare
from longsum.models.tasks.source import SourceFormat
from longsum.models.tasks.task import Pair

MASK = 4


@pytest.fixture(scope="module")
def split(example, tokenizer) -> PreparedSplit:
    return prepare([Pair(example, "A summary.")], tokenizer, SourceFormat(100_000), 20)


@given(draw=st.integers(0, 50), tokens=st.integers(60, 600), target=st.integers(10, 90))
def test_source_and_target_are_one_stretch_taken_apart(split, draw, tokens, target) -> None:
    gaps = GapSentences(tokens, target, MASK, share=0.3)
    source, written = gaps.pair(split, 0, draw)
    assert len(source) <= tokens
    assert len(written) <= target
    # The tokenizer's own marks stand around both.
    edges = split.ids[[0, -1]].tolist()
    assert edges[0] != edges[1]
    assert source[[0, -1]].tolist() == written[[0, -1]].tolist() == edges
    masks = int((source == MASK).sum())
    stretch = len(source) - masks + len(written) - 4
    assert stretch == min(tokens, len(split.ids)) - 2
    # Every token of the stretch is in the source or in the target.
    body, sentences = split.ids[1:-1], split.sentence_of[1:-1]
    found = np.bincount([*source[1:-1][source[1:-1] != MASK], *written[1:-1]], minlength=600)
    starts = np.flatnonzero(np.diff(sentences, prepend=-2))
    assert any(
        np.array_equal(np.bincount(body[start : start + stretch], minlength=600), found)
        for start in starts
    )


def test_the_sentences_with_the_most_of_the_rest_are_removed(small, tokenizer) -> None:
    split = prepare([Pair(small, "A summary.")], tokenizer, SourceFormat(10_000, "none"), 20)
    source, target = GapSentences(10_000, 1000, MASK, share=0.15).pair(split, 0, 0)
    body, sentences = split.ids[1:-1], split.sentence_of[1:-1]

    def likeness(number: int) -> float:
        own, rest = set(body[sentences == number]), set(body[sentences != number])
        return 2 * len(own & rest) / (len(own) + len(rest))

    last = int(sentences[-1])
    expected = [likeness(number) for number in range(last + 1)]
    np.testing.assert_allclose(_f1_with_rest(body, sentences, last + 1), expected)
    best = int(np.argmax(expected[:last]))
    assert (source == MASK).sum() == 1
    assert list(target[1:-1]) == list(body[sentences == best])


def test_the_last_sentence_of_a_passage_is_never_removed(tokenizer) -> None:
    """It may be cut short, and a model must not learn to write half a sentence."""
    told = ["Rivers feed fields.", "Trains carry coal.", "Dams hold floods."]
    told += ["Rivers feed fields, trains carry coal, dams hold floods."]
    document = document_of(told, title="")
    split = prepare([Pair(document, "A.")], tokenizer, SourceFormat(10_000, "none"), 20)
    body, sentences = split.ids[1:-1], split.sentence_of[1:-1]
    last = body[sentences == 3]
    source, target = GapSentences(10_000, 1000, MASK, share=0.9).pair(split, 0, 0)
    assert source[1:-1].tolist() == [MASK] * 3 + last.tolist()
    assert target[1:-1].tolist() == body[sentences < 3].tolist()
