import numpy as np
import pytest
from transformers import PreTrainedTokenizerFast

from longsum.tasks.gap_sentences import GapSentences
from longsum.tasks.prepared import PreparedSplit
from longsum.training.lessons import Lessons, collate


def test_a_pass_holds_every_document_and_its_gaps(split: PreparedSplit) -> None:
    gaps = GapSentences(source_tokens=200, target_tokens=90, mask=4, share=0.5)
    lessons = Lessons(split, 200, gaps, gap_ratio=1.5, draws=4)
    assert len(lessons) == 8 + 12
    assert len(lessons.lengths()) == 20
    for index in range(8):
        assert np.array_equal(lessons[index]["input_ids"], split.truncated(index % 2, 200))
        assert np.array_equal(lessons[index]["labels"], split.target(index % 2))
    sources = {lessons[index]["input_ids"].tobytes() for index in range(8, 20)}
    assert len(sources) > 6
    assert all((lessons[index]["input_ids"] == 4).any() for index in range(9, 20, 2))


def test_length_bounds_what_is_read(split: PreparedSplit) -> None:
    gaps = GapSentences(source_tokens=100, target_tokens=50, mask=4)
    lessons = Lessons(split, 100, gaps, gap_ratio=1.0, draws=3)
    for index, length in enumerate(lessons.lengths()):
        assert len(lessons[index]["input_ids"]) <= length <= 100


def test_the_start_that_the_decoder_is_given_is_no_label(split: PreparedSplit) -> None:
    kept, dropped = Lessons(split, 50), Lessons(split, 50, start=0)
    assert list(dropped[0]["labels"]) == list(kept[0]["labels"])[1:]
    assert list(Lessons(split, 50, start=2)[0]["labels"]) == list(kept[0]["labels"])


def test_beyond_the_end(split: PreparedSplit) -> None:
    with pytest.raises(IndexError):
        Lessons(split, 50)[2]


def test_a_batch_is_padded_apart(split: PreparedSplit, tokenizer: PreTrainedTokenizerFast) -> None:
    lessons = Lessons(split, 50)
    batch = collate([{**lessons[0], "input_ids": lessons[0]["input_ids"][:7]}, lessons[1]], pad=1)
    assert batch["input_ids"].shape == batch["attention_mask"].shape == (2, 50)
    assert batch["attention_mask"].sum(dim=1).tolist() == [7, 50]
    assert (batch["input_ids"][0, 7:] == 1).all()
    shorter = int((batch["labels"][0] != -100).sum())
    assert tokenizer.decode(batch["labels"][0, :shorter], skip_special_tokens=True) == (
        "Rivers and railways."
    )
    assert (batch["labels"][0, shorter:] == -100).all()
