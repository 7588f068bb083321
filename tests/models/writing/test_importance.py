"""Where a model gets the importance of tokens, and that references give it only if allowed."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from longsum import load_system
from longsum.common.errors import LongsumError
from longsum.core.pipeline import Options
from longsum.core.summaries import Budget
from longsum.documents import Document
from longsum.evaluation.datasets import Example
from longsum.lab.comparison.comparison import compare
from longsum.models.networks.tagger import LongsumTagger
from longsum.models.tasks.source import NOWHERE, SourceFormat, encode_source
from longsum.models.tasks.text_runs import content_lemmas, lemma
from longsum.models.writing.generating import GeneratingWriter
from longsum.models.writing.hub import load_token_tagger, load_writer
from longsum.models.writing.importance import ReferenceWords, importance_of
from longsum.models.writing.summarizer import AbstractiveSummarizer
from system_fixtures import trained

TOP_DOWN = {"layers": 1, "segment_layers": 1, "kernel": 8, "stride": 6, "pooling": "adaptive"}
REFERENCE = "Floods of the river damaged bridges."
Saved = Callable[..., Path]


@pytest.fixture(scope="module")
def told(make_model, tokenizer, tmp_path_factory) -> Saved:
    """Make a folder with a model that reads importance, trained on a task."""

    def make(**task) -> Path:
        path = tmp_path_factory.mktemp("models") / "adaptive"
        make_model(top_down=TOP_DOWN).save_pretrained(path)
        tokenizer.save_pretrained(path)
        return trained(path, source_tokens=192, **task)

    return make


@pytest.fixture(scope="module")
def tagger(make_model, tokenizer, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("taggers") / "words"
    torch.manual_seed(2)
    LongsumTagger.of(make_model()).save_pretrained(path)
    tokenizer.save_pretrained(path)
    return trained(path, "importance-tagger", source_tokens=192, importance="oracle")


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str | None, list[float]]]:
    """Record the importance that models get, and from which reference."""
    found: list[tuple[str | None, list[float]]] = []
    read = GeneratingWriter.read

    def listening(self: GeneratingWriter, document: Document, question: str = ""):
        def hear(_, __, named: dict) -> None:
            found.append((self.weigher.reference, named["importance"][0].tolist()))

        hook = self.model.get_encoder().register_forward_pre_hook(hear, with_kwargs=True)
        try:
            return read(self, document, question)
        finally:
            hook.remove()

    monkeypatch.setattr(GeneratingWriter, "read", listening)
    return found


def test_means_of_tokens(small: Document, tokenizer) -> None:
    source = encode_source(small, tokenizer, SourceFormat(100), reference=REFERENCE)
    weights = source.important.astype(np.float32)
    found = importance_of(small, source, weights, "a test")
    read = int(source.sentence_of.max()) + 1
    for place, mean in enumerate(found.sentences):
        if place < read:
            assert mean == pytest.approx(weights[source.sentence_of == place].mean())
        else:
            assert mean is None
    assert found.origin == f"a test, of {read} of 9 sentences"
    lemmas = content_lemmas(REFERENCE)
    for word in found.words[:-1]:
        assert word.weight == (lemma(small.text[word.start : word.end].lower()) in lemmas)
    assert sum(word.weight for word in found.words) >= 3


def test_a_tagger_reads_as_much_of_a_document_as_in_its_training(small, tagger, tmp_path) -> None:
    found = load_token_tagger(tagger)
    importance = found.importance(small)
    assert importance.made_by == "the tagger 'words'"
    assert all(0 < word.weight < 1 for word in importance.words)
    source = encode_source(small, found.tokenizer, SourceFormat(192))
    ids = torch.from_numpy(source.ids.astype(np.int64))[None]
    with torch.inference_mode():
        expected = found.model(ids).logits[0].sigmoid().numpy()
    np.testing.assert_allclose(found.weights(source), expected, atol=1e-6)
    less = trained(shutil.copytree(tagger, tmp_path / "less"), source_tokens=48)
    read = load_token_tagger(less).importance(small).sentences
    assert read.count(None) > importance.sentences.count(None)


def test_a_model_gets_importance_from_its_tagger(
    small: Document, told: Saved, tagger: Path, heard
) -> None:
    for system in (
        load_system(told(importance="tagger", tagger=str(tagger))),
        load_system(told(importance="oracle"), importance=str(tagger)),
    ):
        summary = system.summarize(small, Budget(12))
        reference, weights = heard.pop()
        assert reference is None
        expected = load_token_tagger(tagger)
        source = encode_source(small, expected.tokenizer, SourceFormat(192))
        np.testing.assert_allclose(weights, expected.weights(source), atol=1e-6)
        assert summary.importance == expected.importance(small)
        assert summary.settings["weights"]["tagger"] == "words"
        assert summary.system == "mine"


def test_a_tagger_is_needed_and_fits(told: Saved, folder: Path, tagger: Path, tmp_path) -> None:
    with pytest.raises(LongsumError, match="--importance"):
        load_system(told(importance="tagger"))
    with pytest.raises(LongsumError, match="not a tagger"):
        load_system(told(importance="tagger"), importance=str(folder))
    with pytest.raises(LongsumError, match="give it as --importance"):
        load_system(tagger)
    other = load_writer(folder).tokenizer
    other.add_tokens(["another"])
    other.save_pretrained(tmp_path)
    for name in ("config.json", "model.safetensors"):
        (tmp_path / name).write_bytes((tagger / name).read_bytes())
    with pytest.raises(LongsumError, match="another vocabulary"):
        load_system(told(importance="tagger"), importance=str(tmp_path))


def test_a_model_without_importance_needs_no_tagger(folder: Path, small: Document) -> None:
    system = load_system(folder)
    assert isinstance(system, AbstractiveSummarizer)
    assert system.writer.weigher is None
    # Nor has the plan of an oracle any.
    for each in (system, load_system("oracle").with_references([REFERENCE])):
        assert each.summarize(small, Budget(12)).importance is None


def test_only_the_oracles_recipe_gets_the_reference(small, told, tagger, heard) -> None:
    oracle = load_system(told(importance="oracle"))
    fair = load_system(told(importance="tagger", tagger=str(tagger)))
    assert oracle.reads_references
    assert not fair.reads_references
    assert oracle.name == "mine (reads the reference)"
    with pytest.raises(LongsumError, match="longsum evaluate"):
        oracle.summarize(small, Budget(12))
    example = Example("one", small, (REFERENCE,), "test", "", {})
    results = compare([example], [oracle, fair], Budget(12), options=Options(as_written=True))
    assert [result.system for result in results.systems] == ["mine (reads the reference)", "mine"]
    (first, labels), (second, probabilities) = heard
    assert (first, second) == (REFERENCE, None)
    assert set(labels) == {0.0, 1.0}
    assert all(0 < weight < 1 for weight in probabilities)
    # What was read for one document does not stay for the next.
    assert oracle.writer.weigher == ReferenceWords()


def test_a_prefix_is_not_important(make_model, tokenizer, small: Document) -> None:
    model = make_model(top_down=TOP_DOWN)
    words = ReferenceWords(REFERENCE)
    source = GeneratingWriter(model, tokenizer, prefix="river: ", weigher=words).encode(small)
    length = len(tokenizer("river: ", add_special_tokens=False)["input_ids"])
    assert len(source.important) == len(source.spans) == len(source.ids)
    assert not source.important[: 1 + length].any()
    assert (source.spans[: 1 + length] == NOWHERE).all()
    assert source.important.any()
