import re
from itertools import pairwise

import numpy as np
import pytest
import simplemma
from hypothesis import given
from hypothesis import strategies as st

from longsum.common.errors import LongsumError
from longsum.language.words import stop_words, terms
from longsum.models.tasks.prepared import PreparedSplit, prepare
from longsum.models.tasks.source import NOWHERE, SourceFormat, encode_source
from longsum.models.tasks.task import Pair
from longsum.models.tasks.text_runs import content_lemmas, lemma, token_labels

# "own" and "few" are stop words, "owned" and "fewest" are none, but theirs are their lemmas.
WORDS = ["rivers", "River", "was", "flooded", "the", "valley", "studies", "study", "children", "42"]
WORDS += ["owned", "fewest"]
WHOLE = SourceFormat(100_000)
texts = st.lists(st.sampled_from([*WORDS, ",", "—"]), min_size=1, max_size=20).map(" ".join)


def naive(word: str, reference: str) -> int:
    """The definition (§2.3, Step 1), word by word."""

    def of(text: str) -> str:
        return simplemma.lemmatize(text.lower(), lang="en").lower()

    stop = stop_words()
    kept = [each for each in terms(reference) if each not in stop and of(each) not in stop]
    lowered = word.lower()
    content = bool(terms(word)) and lowered not in stop and of(lowered) not in stop
    return int(content and of(lowered) in {of(each) for each in kept})


@given(text=texts, reference=texts)
def test_labels_are_those_of_the_definition(text: str, reference: str) -> None:
    words = text.split(" ")
    starts = np.cumsum([0, *(len(word) + 1 for word in words[:-1])]).tolist()
    offsets = [(start, start + len(word)) for start, word in zip(starts, words, strict=True)]
    found = token_labels(text, offsets, content_lemmas(reference))
    assert found.tolist() == [naive(word, reference) for word in words]


@given(cuts=st.sets(st.integers(1, 40)))
def test_tokens_of_a_word_have_its_label(cuts: set[int]) -> None:
    text = "Two rivers, flooded; the x-ray patients' days"
    places = sorted({0, *cuts, len(text)})
    offsets = list(pairwise(places))
    found = token_labels(text, offsets, content_lemmas("A river's flood. An x-ray of patients."))
    important = [(4, 10), (12, 19), (25, 30), (31, 39)]
    for (_, end), label in zip(offsets, found, strict=True):
        assert label == any(start <= end - 1 < after for start, after in important)


def test_lemmas() -> None:
    assert lemma("patient's") == lemma("patients") == "patient"
    assert lemma("was") == lemma("the") == ""
    assert not {"owned", "owning", "fewest"} & stop_words()
    assert lemma("owned") == lemma("owning") == lemma("fewest") == ""
    assert content_lemmas("The river’s floods — and the DNA") == {"river", "flood", "dna"}


def test_titles_and_sentences_are_labelled_and_marks_are_not(small, tokenizer) -> None:
    source = encode_source(small, tokenizer, WHOLE, reference="Railways cross valleys.")
    assert source.important.shape == source.ids.shape
    labelled = tokenizer.decode(source.ids[source.important == 1])
    assert set(re.findall("[A-Z]?[a-z]+", labelled)) == {"Railways", "railway", "valley", "cross"}
    assert (source.important[source.sentence_of == NOWHERE] == 1).any()
    plain = encode_source(small, tokenizer, WHOLE)
    assert not plain.important.any()
    assert plain.ids.tolist() == source.ids.tolist()


def test_tokens_have_their_positions_in_the_document(example, tokenizer) -> None:
    source = encode_source(example, tokenizer, SourceFormat(900, marks="titles"))
    for token, sentence, (start, end) in zip(
        source.ids, source.sentence_of, source.spans.tolist(), strict=True
    ):
        if sentence == NOWHERE:
            assert (start, end) == (NOWHERE, NOWHERE)
            continue
        whole = example.sentences[sentence]
        assert whole.start <= start <= end <= whole.end
        if (text := tokenizer.decode([token]).strip()) and text.isascii():
            assert example.text[start:end].strip() == text


@pytest.fixture
def labelled(small, tokenizer) -> PreparedSplit:
    pairs = [Pair(small, "Rivers and railways."), Pair(small, "Floods damaged bridges.")]
    return prepare(pairs, tokenizer, SourceFormat(90), target_tokens=20, importance=True)


def test_labels_are_kept_with_the_split(labelled: PreparedSplit, tmp_path) -> None:
    labelled.save(tmp_path / "split.npz")
    loaded = PreparedSplit.load(tmp_path / "split.npz")
    assert loaded.labelled
    assert [file.name for file in tmp_path.iterdir()] == ["split.npz"]
    assert np.array_equal(loaded.ids, labelled.ids)
    for place in (0, 1):
        weights = loaded.weights(place, 60)
        assert len(weights) == len(loaded.truncated(place, 60)) == 60
        assert weights[-1] == 0
    assert loaded.weights(0, 90).tolist() != loaded.weights(1, 90).tolist()
    assert len(loaded.first(1).importance) == int(loaded.source_ends[0])


def test_an_older_file_without_importance_can_be_read(labelled, tmp_path) -> None:
    labelled.save(tmp_path / "new.npz")
    with np.load(tmp_path / "new.npz") as columns:
        kept = {name: columns[name] for name in columns.files if name != "importance"}
    np.savez_compressed(tmp_path / "old.npz", **kept)
    loaded = PreparedSplit.load(tmp_path / "old.npz")
    assert len(loaded.importance) == 0
    assert not loaded.labelled
    np.savez_compressed(tmp_path / "less.npz", ids=kept["ids"])
    with pytest.raises(LongsumError, match="cannot be read"):
        PreparedSplit.load(tmp_path / "less.npz")
