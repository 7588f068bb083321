import json
import shutil
import socket
from pathlib import Path

import pytest
from transformers import GPT2Config

from longsum import LongsumError, load_system
from longsum.core.loading import load_model
from longsum.core.summaries import Budget
from longsum.models.writing.divide_and_conquer import DivideAndConquerSummarizer
from longsum.models.writing.extract_then_abstract import ExtractThenAbstractSummarizer
from longsum.models.writing.hub import load_writer, task_of
from system_fixtures import trained


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    """A copy of the tiny model that a test may change."""
    return Path(shutil.copytree(folder, tmp_path / "copy"))


@pytest.fixture(autouse=True)
def _no_network(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_a_folder_summarizes_and_tells_what_it_is(folder: Path, brief):
    system = load_system(folder)
    summary = system.summarize(brief, Budget(12))
    settings = summary.settings
    assert (summary.system, settings["model"]) == ("tiny", "tiny")
    assert len(settings["weights_sha256"]) == 64
    assert (settings["dtype"], settings["source_tokens"]) == ("float32", 192)
    assert summary == load_system(folder).summarize(brief, Budget(12))
    json.dumps(settings)


def test_settings_can_be_replaced(folder: Path, brief):
    system = load_model(
        folder, generation={"num_beams": 2}, source_tokens=64, marks="none", dtype="bfloat16"
    )
    settings = system.settings
    assert settings["generation"]["num_beams"] == 2
    assert (settings["source_tokens"], settings["marks"]) == (64, "none")
    assert settings["dtype"] == "bfloat16"
    assert system.summarize(brief, Budget(9)).words <= 9


@pytest.mark.parametrize(
    ("kind", "made"),
    [("sections", DivideAndConquerSummarizer), ("selected", ExtractThenAbstractSummarizer)],
)
def test_the_recipe_says_what_is_wrapped_around_it(copied: Path, small, kind, made):
    system = load_system(trained(copied, kind=kind, source_tokens=96, least_words=0))
    assert isinstance(system, made)
    summary = system.summarize(small, Budget(12))
    assert (summary.system, summary.coverage.sentences_total) == ("mine", 9)
    assert summary.words <= 12
    cited = [source.sentence for sentence in summary.sentences for source in sentence.sources]
    assert set(cited) <= set(range(9))


@pytest.mark.parametrize("kind", ["question_hierarchy", "child_questions"])
def test_a_model_that_writes_questions_is_no_summarizer(copied: Path, kind: str):
    trained(copied, kind=kind, source_tokens=96)
    with pytest.raises(LongsumError, match="'longsum questions --model") as refused:
        load_system(copied)
    assert str(copied) in str(refused.value)
    assert task_of(copied).kind == kind
    assert load_writer(copied).settings["source_tokens"] == 96


def test_a_t5_runs_as_transformers_has_it(t5_folder: Path, brief):
    system = load_model(t5_folder, source_tokens=128)
    summary = system.summarize(brief, Budget(15))
    assert summary.settings["prefix"] == "summarize: "
    assert summary.settings["generation"]["num_beams"] == 2
    assert "max_length" not in summary.settings["generation"]
    assert summary.words <= 15
    other = load_model(t5_folder, prefix="")
    assert "prefix" not in other.settings
    assert other.settings["source_tokens"] == 1024


def test_a_model_that_is_no_encoder_decoder(tmp_path: Path):
    GPT2Config().save_pretrained(tmp_path)
    with pytest.raises(LongsumError, match="'gpt2', which is no"):
        load_writer(tmp_path)
