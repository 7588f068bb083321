import numpy as np
import pytest

from longsum.common.errors import LongsumError
from longsum.core.questions.linearisation import Mark
from longsum.models.tasks.prepared import PreparedSplit, prepare
from longsum.models.tasks.source import SourceFormat, encode_source
from longsum.models.tasks.task import Pair
from longsum.models.tasks.tokens import decode_pieces

FORM = SourceFormat(120)


@pytest.fixture
def split(small, example, tokenizer) -> PreparedSplit:
    pairs = [Pair(small, "Rivers and railways."), Pair(example, "Coins are mined.")]
    return prepare(pairs, tokenizer, FORM, target_tokens=20)


def test_each_lesson_comes_back(split, small, example, tokenizer) -> None:
    assert len(split) == 2
    for index, document in enumerate((small, example)):
        source = encode_source(document, tokenizer, FORM)
        assert np.array_equal(split.ids[split.source(index)], source.ids)
        assert np.array_equal(split.sentence_of[split.source(index)], source.sentence_of)
        for kept, read in zip(
            split.sections(index, 999), (source.section_of, source.section_parents), strict=True
        ):
            assert np.array_equal(kept, read)
    assert tokenizer.decode(split.target(1), skip_special_tokens=True) == "Coins are mined."


@pytest.mark.parametrize("overflow", ["cut", "split", "whole"])
@pytest.mark.parametrize("tokens", [40, 90])
def test_a_truncated_source_equals_a_shorter_encoding(
    split, example, tokenizer, overflow, tokens
) -> None:
    source = encode_source(example, tokenizer, SourceFormat(tokens, overflow=overflow))
    assert np.array_equal(split.truncated(1, tokens, overflow), source.ids)
    section_of, parents = split.sections(1, tokens, overflow)
    assert np.array_equal(section_of, source.section_of)
    assert np.array_equal(parents, source.section_parents)


def test_a_lesson_with_a_question(small, tokenizer) -> None:
    pieces = ("Twice.", Mark.LEVEL_DOWN, "When?")
    lesson = Pair(small, "Twice. <down> When?", "How often?", pieces)
    split = prepare([lesson], tokenizer, FORM, target_tokens=20)
    assert np.array_equal(split.ids, encode_source(small, tokenizer, FORM, "How often?").ids)
    assert decode_pieces(split.target(0), tokenizer) == list(pieces)


def test_the_first_lessons(split: PreparedSplit) -> None:
    first = split.first(1)
    assert len(first) == 1
    assert np.array_equal(first.truncated(0, 99), split.truncated(0, 99))
    assert np.array_equal(first.target(0), split.target(0))
    assert len(first.section_parents) == len(split.sections(0, 120)[1])
    assert len(split.first(None)) == 2


def test_a_damaged_file_and_nothing_to_learn(tmp_path, tokenizer) -> None:
    path = tmp_path / "train.npz"
    path.write_bytes(b"PK\x03\x04 no archive")
    with pytest.raises(LongsumError, match="delete the file"):
        PreparedSplit.load(path)
    with pytest.raises(LongsumError, match="nothing to learn from"):
        prepare([], tokenizer, FORM, 10)
