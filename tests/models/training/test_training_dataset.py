import numpy as np
import pytest

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.section_tree import NO_SECTION, ROOT, SectionTree
from longsum.models.tasks.gap_sentences import GapSentences
from longsum.models.training.training_dataset import TrainingDataset, collate


def test_a_pass_holds_every_document_and_its_gaps(split) -> None:
    gaps = GapSentences(source_tokens=200, target_tokens=90, mask=4, share=0.5)
    dataset = TrainingDataset(split, 200, gaps, gap_ratio=1.5, draws=4)
    assert len(dataset) == 8 + 12
    assert len(dataset.lengths()) == 20
    for index in range(8):
        assert np.array_equal(dataset[index]["input_ids"], split.truncated(index % 2, 200))
        assert np.array_equal(dataset[index]["labels"], split.target(index % 2))
    sources = {dataset[index]["input_ids"].tobytes() for index in range(8, 20)}
    assert len(sources) > 6
    assert all((dataset[index]["input_ids"] == 4).any() for index in range(9, 20, 2))


def test_the_length_bounds_the_input(split) -> None:
    gaps = GapSentences(source_tokens=100, target_tokens=50, mask=4)
    dataset = TrainingDataset(split, 100, gaps, gap_ratio=1.0, draws=3)
    for index, length in enumerate(dataset.lengths()):
        assert len(dataset[index]["input_ids"]) <= length <= 100


def test_the_start_that_the_decoder_is_given_is_no_label(split) -> None:
    kept, dropped = TrainingDataset(split, 50), TrainingDataset(split, 50, start=0)
    assert list(dropped[0]["labels"]) == list(kept[0]["labels"])[1:]
    assert list(TrainingDataset(split, 50, start=2)[0]["labels"]) == list(kept[0]["labels"])


def test_sections_come_with_the_source(split) -> None:
    plain, told = TrainingDataset(split, 150), TrainingDataset(split, 150, structure=True)
    assert set(plain[0]) == {"input_ids", "labels"}
    for index in range(2):
        section_of, parents = split.sections(index, 150)
        assert np.array_equal(told[index]["section_of"], section_of)
        assert np.array_equal(told[index]["section_parents"], parents)
        assert len(told[index]["section_of"]) == len(told[index]["input_ids"])


def test_sections_of_a_batch_make_its_trees(split) -> None:
    dataset = TrainingDataset(split, 250, structure=True)
    batch = collate([dataset[0], dataset[1]], pad=1)
    assert batch["section_of"].shape == batch["input_ids"].shape
    parents = batch["section_parents"]
    # The start, the title, rivers, floods, railways and the end.
    assert parents[0].tolist() == [ROOT, ROOT, ROOT, 2, ROOT, ROOT]
    assert parents[1].tolist() == [ROOT] * 4 + [NO_SECTION] * 2
    levels = SectionTree(batch["section_of"], parents).levels()
    assert levels[0].tolist() == [1, 1, 1, 2, 1, 1]
    last = batch["attention_mask"].sum(dim=1) - 1
    assert batch["section_of"].gather(1, last[:, None]).flatten().tolist() == [5, 3]
    assert (batch["section_of"] >= 0).all()


def test_a_source_may_end_with_a_sentence(split) -> None:
    at_sentences = TrainingDataset(split, 100, overflow="split")
    assert np.array_equal(at_sentences[1]["input_ids"], split.truncated(1, 100, "split"))
    assert len(at_sentences[1]["input_ids"]) < 100


def test_missing_columns_are_not_returned(split) -> None:
    gaps = GapSentences(source_tokens=100, target_tokens=50, mask=4)
    with pytest.raises(LongsumError, match=r"set training.gap_sentences=0"):
        TrainingDataset(split, 100, gaps, 1.0, structure=True)
    # And beyond the end there is nothing.
    with pytest.raises(IndexError):
        TrainingDataset(split, 50)[2]


def test_a_batch_is_padded_apart(split, tokenizer) -> None:
    dataset = TrainingDataset(split, 50)
    batch = collate([{**dataset[0], "input_ids": dataset[0]["input_ids"][:7]}, dataset[1]], pad=1)
    assert batch["input_ids"].shape == batch["attention_mask"].shape == (2, 50)
    assert batch["attention_mask"].sum(dim=1).tolist() == [7, 50]
    assert (batch["input_ids"][0, 7:] == 1).all()
    shorter = int((batch["labels"][0] != -100).sum())
    assert tokenizer.decode(batch["labels"][0, :shorter], skip_special_tokens=True) == (
        "Rivers and railways."
    )
    assert (batch["labels"][0, shorter:] == -100).all()
