"""Training runs of word-level models, on sentences about rivers whose names no vocabulary holds."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import TrainerState

from document_views import document_of
from interrupted import check_resumed
from longsum.common.errors import LongsumError
from longsum.core.loading import load_model
from longsum.core.recipes import Recipe
from longsum.core.summaries import Budget
from longsum.documents import Document, DocumentBuilder
from longsum.evaluation.datasets import Example, dataset_info
from longsum.models.networks.pointer import LongsumPointerConfig, LongsumPointerGenerator
from longsum.models.networks.words.vocabulary import STOP, UNK, Vocabulary
from longsum.models.networks.words.word_model_files import load_word_model
from longsum.models.tasks.prepared import PreparedSplit
from longsum.models.training import documents
from longsum.models.training.words.run_words import (
    WORDS,
    CoveragePhase,
    WordTrainer,
    collate,
    encode,
    start_model,
)

POINTER = {"embedding_size": 12, "hidden_size": 12, "lstm_init": 0.1, "init_std": 0.1}
LENGTHS = {"max_source_tokens": 12, "max_target_tokens": 8}
CONVOLUTIONAL = {
    "architecture": "convolutional",
    "model": {**LENGTHS, "embedding_size": 8, "hidden_size": 8, "layers": 1},
    "training": {"steps": 6, "batch": 4},
}


def river(name: str) -> Document:
    return document_of(f"Here {name} flows to the sea.", title=name)


def rivers(count: int, first: int = 0) -> list[Example]:
    names = [f"river{number}" for number in range(first, first + count)]
    return [Example(name, river(name), (f"{name} flows.",), "train", "", {}) for name in names]


@pytest.fixture(autouse=True)
def _data(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def load_part(part: documents.DataPart) -> list[Example]:
        return (rivers(64) if part.split == "train" else rivers(8, first=64))[: part.limit]

    monkeypatch.setattr(documents, "load_part", load_part)
    monkeypatch.setattr(documents, "dataset_info", lambda _: dataset_info("pmc_jats"))


def recipe(tmp_path: Path, **changes) -> Recipe:
    settings = {
        "model": {**LENGTHS, **POINTER, "min_target_tokens": 1},
        # Four special tokens and the words but for the names, which are rarer.
        "vocabulary": 11,
        "data": {"names": "rivers", "prepared": str(tmp_path / "prepared")},
        "training": {"steps": 6, "batch": 4, "coverage_steps": 2},
        "save_every": 3,
        "evaluate_every": 3,
        **changes,
    }
    return Recipe("rivers", "For tests", "none", WORDS.kind, settings, state="train first")


def test_resumes_with_the_same_losses(tmp_path, monkeypatch) -> None:
    given = recipe(tmp_path)
    settings = WORDS.settings_of(given, {})
    check_resumed(WORDS, given, settings, tmp_path, monkeypatch)


def test_coverage_is_on_only_in_the_last_updates(tmp_path, monkeypatch) -> None:
    covered = []
    of = LongsumPointerGenerator.forward

    def forward(self, *given: torch.Tensor, **named: torch.Tensor):
        if self.training:
            covered.append(self.config.coverage)
        return of(self, *given, **named)

    monkeypatch.setattr(LongsumPointerGenerator, "forward", forward)
    given = recipe(tmp_path)
    WORDS.train(given, WORDS.settings_of(given, {}), tmp_path / "run")
    assert covered == [False] * 4 + [True] * 2


def test_adagrad_is_reset_when_coverage_begins(tmp_path: Path) -> None:
    settings = WORDS.settings_of(recipe(tmp_path), {})
    model, _ = start_model(settings, lambda _: Vocabulary(["river", "flows"]))
    optimizer = torch.optim.Adagrad(model.parameters(), initial_accumulator_value=0.1)
    phase = CoveragePhase(settings.training)
    given = {"model": model, "optimizer": optimizer}
    for step, expected in ((3, 0.7), (4, 0.1), (5, 0.7)):
        for state in optimizer.state.values():
            state["sum"].fill_(0.7)
        phase.on_step_begin(None, TrainerState(global_step=step), None, **given)
        for state in optimizer.state.values():
            torch.testing.assert_close(state["sum"], torch.full_like(state["sum"], expected))
        assert model.config.coverage == (step >= 4)


def test_a_model_starts_from_another_with_other_lengths(tmp_path: Path) -> None:
    given = recipe(tmp_path)
    WORDS.train(given, WORDS.settings_of(given, {}), tmp_path / "first")
    longer = {"max_source_tokens": 20, "max_target_tokens": 10}
    settings = WORDS.settings_of(
        recipe(tmp_path, model={}), {"start": str(tmp_path / "first"), "model": longer}
    )
    model, vocabulary = start_model(settings, lambda _: pytest.fail("It has words."))
    begun, words = load_word_model(tmp_path / "first", LongsumPointerGenerator)
    assert (model.config.max_source_tokens, model.config.coverage) == (20, True)
    assert vocabulary.words == words.words
    assert all(map(torch.equal, model.state_dict().values(), begun.state_dict().values()))


def test_the_convolutions_get_the_requested_length(tmp_path: Path) -> None:
    given = recipe(tmp_path, **CONVOLUTIONAL)
    WORDS.train(given, WORDS.settings_of(given, {}), tmp_path / "run")
    system = load_model(tmp_path / "run")
    summary = system.summarize(river("river99"), Budget(4))
    assert summary == system.summarize(river("river99"), Budget(4))
    assert 0 < summary.words <= 4
    assert "river99" not in summary.text


def test_validation_does_not_depend_on_batches(tmp_path: Path) -> None:
    given = recipe(tmp_path)
    model, vocabulary = start_model(
        WORDS.settings_of(given, {}), lambda _: Vocabulary(["river", "flows", "sea"])
    )
    examples = rivers(3)
    examples[0] = replace(examples[0], references=("Flows to the sea and flows.",))
    split = PreparedSplit.of(encode(examples, vocabulary, model.config))
    items = [{"input_ids": split.truncated(i, 12), "labels": split.target(i)} for i in range(3)]
    words = len(vocabulary)
    model.eval()
    with torch.no_grad():
        apart = sum(WordTrainer.sums(model, collate([item], words)) for item in items)
        together = WordTrainer.sums(model, collate(items, words))
    torch.testing.assert_close(apart, together, rtol=1e-5, atol=1e-6)


def test_examples_are_as_long_as_the_model_reads_and_writes() -> None:
    vocabulary = Vocabulary(["here", "flows"])
    sizes = {"max_source_tokens": 3, "max_target_tokens": 3, "min_target_tokens": 1}
    config = LongsumPointerConfig(vocab_size=6, **sizes)
    empty = replace(rivers(1)[0], document=DocumentBuilder().build("nothing"))
    long = replace(rivers(1)[0], references=("Here flows river0 to the sea.",))
    split = PreparedSplit.of(encode([*rivers(1), empty, long], vocabulary, config))
    assert len(split) == 2
    assert split.truncated(0, 3).tolist() == [4, 6, 5]
    # The last mark does not fit, nor does the end.
    assert split.target(0).tolist() == [6, 5, UNK]
    assert split.target(1).tolist() == [4, 5, 6]
    wide = LongsumPointerConfig(vocab_size=6, max_target_tokens=99)
    assert PreparedSplit.of(encode([long], vocabulary, wide)).target(0)[-1] == STOP


def test_impossible_settings(tmp_path: Path) -> None:
    given = recipe(tmp_path)
    settings = WORDS.settings_of(given, {"architecture": "convolutional"})
    with pytest.raises(LongsumError, match="has no coverage"):
        WORDS.train(given, settings, tmp_path / "run")
    assert not (tmp_path / "run").exists()
    with pytest.raises(LongsumError, match=r"training\.optimizer"):
        WORDS.settings_of(given, {"training": {"optimizer": "adamw"}})
    settings = WORDS.settings_of(given, {"model": {"hiden_size": 3}})
    with pytest.raises(LongsumError, match="no setting 'hiden_size'"):
        start_model(settings, lambda _: Vocabulary(["river"]))
