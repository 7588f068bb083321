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


def test_a_folder_summarizes_and_records_what_it_is(folder: Path, brief):
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
def test_the_recipe_determines_the_wrapper(copied: Path, small, kind, made):
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


def test_settings_for_summaries_are_those_of_the_checkpoint_but_lengths(copied: Path):
    settings = json.loads((copied / "config.json").read_text())

    def with_hints(**hints):
        (copied / "config.json").write_text(json.dumps(settings | hints))
        return load_system(copied).settings

    for_summaries = {"prefix": "sum: ", "num_beams": 3, "max_length": 7, "colour": 1}
    for hints, prefix, beams in (
        ({"task_specific_params": {"summarization": for_summaries}}, "sum: ", 3),
        ({"task_specific_params": {"other": for_summaries}, "prefix": "p: "}, "p: ", None),
    ):
        found = with_hints(**hints)
        assert found["prefix"] == prefix
        assert found["generation"].get("num_beams") == beams
        assert not {"max_length", "colour"} & found["generation"].keys()
    for damaged in (3, {"summarization": 3}, [1]):
        with pytest.raises(
            LongsumError, match=r"cannot be read, since its config\.json is damaged"
        ):
            with_hints(task_specific_params=damaged)
    with pytest.raises(LongsumError, match=r"no setting 'dtyp'; it may have .*dtype"):
        load_writer(copied, dtyp="float32")
    (copied / "config.json").write_text(json.dumps(settings))
    with pytest.raises(LongsumError, match="no dtype 'float8'; choose one of"):
        load_writer(copied, dtype="float8")
    with pytest.raises(LongsumError, match="These generation settings are invalid: "):
        load_writer(copied, generation={"cache_implementation": "none"})
    for wrong, problem in (
        ({"max_length": 3}, "determines max_length"),
        ({"hue": 1}, "has no setting 'hue'"),
    ):
        with pytest.raises(LongsumError, match=problem):
            load_writer(copied, generation=wrong)


def test_a_model_that_is_no_encoder_decoder(tmp_path: Path):
    GPT2Config().save_pretrained(tmp_path)
    with pytest.raises(LongsumError, match="'gpt2', which is no"):
        load_writer(tmp_path)
