"""Training runs of extractors and of ETC pretraining, on documents in place of data sets."""

import json
from dataclasses import replace
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer
from transformers import AutoModel

from interrupted import check_resumed, logged
from longsum.common.errors import LongsumError
from longsum.core.recipes import Recipe
from longsum.evaluation.datasets import Example, dataset_info
from longsum.models.networks.extractive.extractor_files import load_extractor
from longsum.models.tasks.extraction.prepared_units import ExtractionSplit
from longsum.models.training import documents
from longsum.models.training.documents import PreparedCache
from longsum.models.training.extraction import prepare_extraction as preparation
from longsum.models.training.extraction.extraction_dataset import ExtractionDataset, collate
from longsum.models.training.extraction.extraction_settings import ExtractorSettings, MaskingConfig
from longsum.models.training.extraction.prepare_extraction import (
    PrunedTokenizer,
    encoded_split,
    run_tokenizer,
)
from longsum.models.training.extraction.run_extraction import EXTRACTION
from longsum.models.training.extraction.run_pretraining import ETC_PRETRAINING, masking_of
from longsum.models.training.training_run import Run

from .conftest import MODELS

Runs = dict[str, tuple[Run[Any, Any, Any, Any], Recipe]]
OPTIMIZATION = {"steps": 6, "batch": 2, "learning_rate": 0.01, "clip": 1.0}


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, examples: list[Example]) -> None:
    def load_part(part: documents.DataPart) -> list[Example]:
        alone = [replace(example, references=()) for example in examples]
        return {"summarised": examples, "alone": alone}[part.name]

    monkeypatch.setattr(documents, "load_part", load_part)
    monkeypatch.setattr(documents, "dataset_info", lambda _: dataset_info("pmc_jats"))


@pytest.fixture
def runs(bert, tmp_path) -> Runs:
    """Return training functions and a recipe for each, by name."""

    def recipe(kind: str, names: str, **settings: Any) -> Recipe:
        shared = {
            "checkpoint": str(bert),
            "data": {"names": names, "prepared": str(tmp_path / "prepared")},
            "save_every": 3,
            "evaluate_every": 3,
        }
        return Recipe(kind, "For tests", "none", kind, shared | settings, state="train first")

    hibert: dict[str, Any] = {
        "architecture": "hibert",
        "model": MODELS["hibert"],
        "start": "sentences",
        "task": {"sentence_tokens": 24, "beginnings": 2, "history": {"steps": 4}},
    }
    frozen = {**OPTIMIZATION, "sentence_encoder_rate": 0.0}
    return {
        "whole": (EXTRACTION, recipe("extraction", "summarised", **hibert, training=OPTIMIZATION)),
        "frozen": (
            EXTRACTION,
            recipe("extraction", "summarised", **hibert, vocabulary=300, training=frozen),
        ),
        "pretraining": (
            ETC_PRETRAINING,
            recipe(
                "etc_pretraining",
                "alone",
                model=MODELS["etc"],
                task={"sentence_tokens": 24},
                training=OPTIMIZATION,
            ),
        ),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", ["whole", "pretraining"])
def test_resumes_with_the_same_losses(runs, name, tmp_path, monkeypatch) -> None:
    run, recipe = runs[name]
    settings = run.settings_of(recipe, {})
    check_resumed(run, recipe, settings, tmp_path, monkeypatch)
    first, second = (load_extractor(tmp_path / each).state_dict() for each in ("whole", "broken"))
    assert all(torch.equal(each, second[part]) for part, each in first.items())


def test_the_result_is_a_model_like_any_other(runs: Runs, bert, tmp_path) -> None:
    """It has the weights with the highest ROUGE."""
    run, recipe = runs["frozen"]
    changes = {"rouge_documents": 3, "evaluate_every": 2, "training": {"precision": "fp32"}}
    settings = run.settings_of(recipe, changes)
    said: list[str] = []
    metrics = run.train(recipe, settings, tmp_path / "run", say=said.append)
    assert [line.split()[0] for line in said] == [
        "choosing", "finding", "finding", said[3].split()[0], "encoding", "training",
    ]  # fmt: skip
    tokenizer = Tokenizer.from_file(str(tmp_path / "run" / "tokenizer.json"))
    assert tokenizer.get_vocab_size() == 300
    model = AutoModel.from_pretrained(tmp_path / "run").eval()
    cache = PreparedCache(settings.data, tmp_path)
    tokens = PrunedTokenizer(tokenizer, None)
    split = encoded_split(settings, tokens, "validation", cache, settings.task.history)
    dataset = ExtractionDataset(split, settings.task)
    batch = collate([dataset[place] for place in range(len(split))], pad=0)
    with torch.no_grad():
        assert model(**batch).loss.item() == pytest.approx(metrics["eval_loss"], rel=1e-3)
    # The sentence encoder, which did not learn, is still the checkpoint's.
    theirs = AutoModel.from_pretrained(bert).encoder.layer[0].attention.self.query.weight
    ours = model.extractor.sentence_encoder.layers[0].attention.query.weight
    assert torch.equal(ours, theirs)
    measured = [rouge for _, rouge in logged(tmp_path / "run", "eval_rouge")]
    assert len(measured) == 3
    assert metrics["eval_rouge"] == max(measured)
    rouge = (metrics["eval_rouge1"] + metrics["eval_rouge2"]) / 2
    assert metrics["eval_rouge"] == pytest.approx(rouge)
    once = run.settings_of(recipe, {**changes, "model": {"stepwise": False}})
    with pytest.raises(LongsumError, match="rouge_documents"):
        run.train(recipe, once, tmp_path / "other")


def test_prepared_data_serve_later_runs(runs, tmp_path, monkeypatch) -> None:
    run, recipe = runs["whole"]
    settings = run.settings_of(recipe, {})

    def split(settings: ExtractorSettings) -> ExtractionSplit:
        cache = PreparedCache(settings.data, tmp_path)
        return encoded_split(settings, tokens, "train", cache, settings.task.history)

    tokens = run_tokenizer(settings, PreparedCache(settings.data, tmp_path))
    assert tokens.kept is None
    first = split(settings)
    monkeypatch.setattr(preparation, "make_examples", None)
    assert split(settings).lengths() == first.lengths()
    with pytest.raises(TypeError):
        split(run.settings_of(recipe, {"task": {"sentences": 5}}))


def test_documents_are_cut_and_summaries_may_lack(runs: Runs, tmp_path) -> None:
    run, recipe = runs["whole"]
    settings = run.settings_of(recipe, {"task": {"sentences": 5}})
    history = settings.task.history
    cache = PreparedCache(settings.data, tmp_path)
    tokens = run_tokenizer(settings, cache)
    for plans in (history, None):
        split = encoded_split(settings, tokens, "train", cache, plans)
        assert all(len(split[place].document.headings) == 5 for place in range(len(split)))
    alone = PreparedCache(replace(settings.data, names="alone"), tmp_path)
    assert len(encoded_split(settings, tokens, "train", alone, None)) == 4
    with pytest.raises(LongsumError, match="nothing to learn"):
        encoded_split(settings, tokens, "train", alone, history)


def test_wrong_settings_and_nothing_frozen_to_compute_again(runs: Runs, tmp_path) -> None:
    with pytest.raises(LongsumError, match=r"training\.optimizer"):
        EXTRACTION.settings_of(runs["whole"][1], {"training": {"optimizer": "adafactor"}})
    frozen = {"training": {"gradient_checkpointing": True, "sentence_encoder_rate": 0}}
    settings = EXTRACTION.settings_of(runs["whole"][1], frozen)
    with pytest.raises(LongsumError, match=r"set training\.gradient_checkpointing=false"):
        EXTRACTION.train(runs["whole"][1], settings, tmp_path / "run")


def test_a_tokenizer_without_a_mask_cannot_hide(pieces: Tokenizer) -> None:
    data = json.loads(pieces.to_str())
    data["added_tokens"] = [each for each in data["added_tokens"] if each["content"] != "[MASK]"]
    del data["model"]["vocab"]["[MASK]"]
    with pytest.raises(LongsumError, match=r"\[MASK\], <mask>"):
        masking_of(Tokenizer.from_str(json.dumps(data)), MaskingConfig())


def test_which_pieces_go_on_with_a_word(pieces: Tokenizer, tokenizer: Any) -> None:
    task = MaskingConfig()
    masking = masking_of(pieces, task)
    assert sorted(masking.special) == [0, 1, 2, 3, 4]
    assert masking.mask == 4
    found = pieces.encode("unquestionably mined", add_special_tokens=False)
    assert masking.continues[found.ids].tolist() == [
        token.startswith("##") for token in found.tokens
    ]
    bytewise = tokenizer.backend_tokenizer
    continues = masking_of(bytewise, task).continues
    found = bytewise.encode("the questionable rivers", add_special_tokens=False)
    begins = [token for token, on in zip(found.ids, continues[found.ids], strict=True) if not on]
    assert len(found.ids) > len(begins) == 2
