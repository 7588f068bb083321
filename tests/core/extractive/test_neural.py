import hashlib
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from torch import Tensor

from document_views import document_of
from longsum.common.errors import LongsumError
from longsum.core.encoder.decoding import search_plans
from longsum.core.encoder.encode_units import encode_document
from longsum.core.extractive import extractor_options as shipped
from longsum.core.extractive.copies import SelectionRules
from longsum.core.extractive.extractor_options import ExtractorConfig
from longsum.core.extractive.neural import NeuralExtractor, running_share
from longsum.core.loading import build_system, load_system
from longsum.core.model_files.weight_files import weights_sha256
from longsum.core.recipes import Recipe
from longsum.core.summaries import Budget, Summary
from longsum.documents import Document
from longsum.language.words import count_words
from longsum.models.networks.extractive.extractor_files import save_extractor
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.torch_network import TorchNetwork
from longsum.models.networks.extractive.units import join
from summary_views import in_order

FP32 = ExtractorConfig(precision="fp32", prose_first=False)
Make = Callable[..., NeuralExtractor]
Network = Callable[..., Hibert]


@pytest.fixture
def make(words, tiny_network: Network) -> Make:
    def make(config: ExtractorConfig = FP32, stepwise: bool = True, kind=None) -> NeuralExtractor:
        model = tiny_network(words.get_vocab_size(), stepwise)
        if kind is not None:
            model.__class__ = kind
        return NeuralExtractor("extractor", config, TorchNetwork(model, "cpu", "fp32"), words)

    return make


def logits(system: NeuralExtractor, document: Document, plan: list[int]) -> Tensor:
    """Return the network's logits after a plan, the end last."""
    model = system.network.model
    with torch.no_grad():
        reading = model.read(join([encode_document(document, system._tokenizer, 128)], 0))
        return model.logits(reading, torch.tensor([[plan or [-1]]]))[0, 0].double()


def test_each_choice_is_the_most_probable_given_the_earlier_ones(
    make: Make, small: Document
) -> None:
    system = make()
    summary = system.summarize(small, Budget(9, "sentences"))
    assert summary.finish_reason == "document"
    chosen: list[int] = []
    by_step = sorted(summary.sentences, key=lambda sentence: sentence.step)
    for sentence in by_step:
        expected = logits(system, small, chosen)[:-1].softmax(0)
        left = expected.index_fill(0, torch.tensor(chosen, dtype=torch.int64), -1.0)
        best = int(left.argmax())
        assert sentence.sources[0].sentence == best
        assert sentence.score == pytest.approx(float(expected[best]), rel=1e-4)
        assert sentence.reasons == {"probability": sentence.score}
        left[best] = -1.0
        assert sentence.runner_up == (int(left.argmax()) if len(chosen) < 8 else None)
        chosen.append(best)
    alone = logits(system, small, [])[:-1].argsort(descending=True).tolist()
    assert chosen != alone


def test_a_step_costs_one_call_and_the_document_is_read_once(make: Make, small: Document) -> None:
    class Counting(Hibert):
        calls: list[str] = []  # noqa: RUF012

        def read(self, units):
            self.calls.append("read")
            return super().read(units)

        def logits(self, reading, plans: Tensor) -> Tensor:
            self.calls.append(f"{plans.shape[1]} × {plans.shape[2]}")
            return super().logits(reading, plans)

    make(kind=Counting).summarize(small, Budget(4, "sentences"))
    assert Counting.calls == ["read", "1 × 1", "1 × 1", "1 × 2", "1 × 3"]


def test_a_model_that_is_not_stepwise_scores_all_sentences_at_once(
    make: Make, small: Document
) -> None:
    system = make(stepwise=False)
    found = system.summarize(small, Budget(3, "sentences"))
    expected = logits(system, small, [])[:-1].sigmoid()
    assert in_order(found) == expected.argsort(descending=True).tolist()[:3]
    for sentence in found.sentences:
        assert sentence.score == pytest.approx(float(expected[sentence.sources[0].sentence]))


def test_steps_end_the_greedy_choice(make: Make, small: Document) -> None:
    greedy = in_order(make().summarize(small, Budget(60)))
    cut = make(replace(FP32, steps=2)).summarize(small, Budget(60))
    assert (in_order(cut), cut.finish_reason) == (greedy[:2], "model_limit")
    whole = make(replace(FP32, steps=20)).summarize(small, Budget(60))
    assert (in_order(whole), whole.finish_reason) == (greedy, "budget")


def test_beams_find_the_best_plan_of_its_length(make: Make, small: Document) -> None:
    system = make(replace(FP32, beams=4))
    found = system.summarize(small, Budget(3, "sentences"))
    reading = system.network.read(encode_document(small, system._tokenizer, 128))
    best = search_plans(system.network, reading, beams=4, maximum=3, end=False)[0]
    assert in_order(found) == list(best.sentences)
    scores = [each.score for each in sorted(found.sentences, key=lambda each: each.step)]
    assert scores == pytest.approx(np.exp(best.log_probabilities).tolist(), rel=1e-4)
    assert found.finish_reason == "budget"
    # A plan is followed as it is.
    assert make(replace(FP32, beams=4, say_once=True)).rules == SelectionRules()


def test_plans_of_different_lengths_are_compared_by_the_mean_over_their_choices(make: Make) -> None:
    class Sure(Hibert):
        def logits(self, reading, plans: Tensor) -> Tensor:
            found = 0 * super().logits(reading, plans) + torch.tensor([0.6, 0.5, 0.0, 0.0])
            found[..., 2] += 100 * (plans[..., -1] >= 0)
            return found

    document = document_of(["It rains and it snows.", "It rains.", "It snows hard."], title="")
    found = make(replace(FP32, beams=2), kind=Sure).summarize(document, Budget(5))
    assert in_order(found) == [1, 2]


@pytest.mark.parametrize("room", [2, 25, 500])
@pytest.mark.parametrize("changes", [{"beams": 3}, {"beams": 2, "ends": True}, {"blocking": True}])
def test_plans_stay_within_the_budget(make, small, changes, room) -> None:
    found = make(replace(FP32, **changes)).summarize(small, Budget(room))
    assert found.words <= room
    assert (found.finish_reason == "nothing_fits") == (room == 2)
    if changes == {"beams": 3}:
        left = set(range(9)) - set(in_order(found))
        spare = room - found.words
        assert all(count_words(small.sentences[place].text) > spare for place in left)


def test_a_model_may_end_the_summary_after_at_least_one_sentence(
    make: Make, small: Document
) -> None:
    class Tired(Hibert):
        def logits(self, reading, plans: Tensor) -> Tensor:
            found = super().logits(reading, plans)
            return torch.cat([found[..., :-1], found[..., -1:] + 1000], dim=-1)

    ended = make(replace(FP32, ends=True), kind=Tired).summarize(small, Budget(9, "sentences"))
    assert (len(ended.sentences), ended.finish_reason) == (1, "model_end")
    assert ended.warnings == ()
    unheard = make(kind=Tired).summarize(small, Budget(9, "sentences"))
    assert len(unheard.sentences) == 9


@pytest.mark.parametrize("beams", [1, 3])
def test_trigram_blocking_skips_repetitions(make: Make, small: Document, beams: int) -> None:
    whole = Budget(9, "sentences")
    plain = make(replace(FP32, beams=beams)).summarize(small, whole)
    blocked = make(replace(FP32, beams=beams, blocking=True)).summarize(small, whole)

    def trigrams(place: int) -> set[tuple[str, ...]]:
        words = small.sentences[place].text.lower().strip(".").replace(",", "").split()
        return set(zip(words, words[1:], words[2:], strict=False))

    def repeating(summary: Summary) -> list[tuple[int, int]]:
        pairs = combinations(in_order(summary), 2)
        return [(one, other) for one, other in pairs if trigrams(one) & trigrams(other)]

    assert repeating(plain)
    assert not repeating(blocked)


@pytest.mark.parametrize("steps", [None, 9])
def test_a_length_exponent_favours_short_sentences(make, small, steps) -> None:
    config = replace(FP32, length_exponent=1000.0, steps=steps)
    lengths = [count_words(sentence.text) for sentence in small.sentences]
    chosen = in_order(make(config).summarize(small, Budget(4, "sentences")))
    assert [lengths[place] for place in chosen] == sorted(lengths)[:4]


def with_headings(count: int) -> Document:
    """Return a document of four sentences, the last few of them under headings."""
    said = [[f"The river feeds the fields of the valley{' in dry summers' * n}."] for n in range(4)]
    headed = ((f"# Part {number}", said[number]) for number in range(4 - count, 4))
    return document_of(*said[: 4 - count], *headed)


@pytest.mark.parametrize("headings", [0, 1, 2, 3])
def test_running_text_is_prose_under_no_heading(headings: int) -> None:
    assert running_share(with_headings(headings)) == max(0.0, 1 - headings / 2)
    document = document_of(["The river feeds the fields of the valley.", "12 30 44 51", "9 8"])
    assert running_share(document) == 0


@pytest.mark.parametrize("heading", ["", "Opening"])
def test_speech_counts_as_half_running_text_with_or_without_headings(heading: str) -> None:
    opening = ("The meeting was held in the valley.", f"# {heading}") if heading else ()
    said = ": So we should build the new bridge of stone."
    document = document_of(opening, *(f"{speaker}{said}" for speaker in ("ANN", "BEN") * 10))
    spoken = sum(bool(sentence.speaker) for sentence in document.sentences)
    assert spoken == 20
    assert running_share(document) == spoken / len(document.sentences) / 2


@pytest.mark.parametrize("headings", [0, 1, 2])
def test_running_text_has_exponents_of_its_own(make: Make, headings: int) -> None:
    document = with_headings(headings)
    both = replace(FP32, length_exponent=0.4, centrality_exponent=1.0)
    other = replace(both, running_length_exponent=-0.2, running_centrality_exponent=2.0)
    ones, others = (make(config)._adjustments(document) for config in (both, other))
    share = running_share(document)
    assert_allclose(others["centrality"], (1 + 2 * share) * ones["centrality"])
    assert_allclose(others["length"], (1 - share / 2) * ones["length"])


@pytest.mark.parametrize("beams", [1, 2])
def test_fragments_come_after_text_and_back_matter_comes_last(make: Make, beams: int) -> None:
    document = document_of(
        ["Table 1: river, valley, fields", "12 30 44 51"],
        "The river feeds the fields of the valley in summer.",
        ("# Acknowledgements", "The river company and the valley thank the engineers for dams."),
    )
    system = make(replace(FP32, prose_first=True, back_matter_last=True, beams=beams))
    order = in_order(system.summarize(document, Budget(4, "sentences")))
    assert (order[0], order[-1]) == (2, 3)
    assert system.summarize(document, Budget(5)).finish_reason == "nothing_fits"
    for prose, last, levels in (
        *((True, True, [1, 1, 3, 0]), (True, False, [0, 0, 2, 0])),
        *((False, True, [1, 1, 1, 0]), (False, False, [0, 0, 0, 0])),
    ):
        config = replace(FP32, prose_first=prose, back_matter_last=last)
        assert make(config)._preferred(document).tolist() == levels


@pytest.mark.parametrize("beams", [1, 2])
def test_sentences_that_the_model_does_not_read_are_not_chosen_but_reported(
    make, small, beams
) -> None:
    class Short(Hibert):
        def logits(self, reading, plans: Tensor) -> Tensor:
            found = super().logits(reading, plans).clone()
            found[..., 5:-1] = -torch.inf
            return found

    system = make(replace(FP32, beams=beams), kind=Short)
    summary = system.summarize(small, Budget(9, "sentences"))
    assert sorted(in_order(summary)) == [0, 1, 2, 3, 4]
    assert summary.coverage.sentences_read == 5
    assert [small.walk()[number].title for number in summary.coverage.unread_sections] == [
        "Railways"
    ]
    assert "the first 5 of 9 sentences" in summary.warnings[0]
    assert summary.finish_reason == "model_limit"


def test_bf16_gives_nearly_the_same_probabilities(words, small, tiny_network) -> None:
    torch.manual_seed(0)
    model = Hibert(tiny_network(words.get_vocab_size()).config)
    found = [
        NeuralExtractor("extractor", FP32, TorchNetwork(model, "cpu", precision), words)
        .summarize(small, Budget(9, "sentences"))
        .sentences
        for precision in ("fp32", "bf16")
    ]
    scores = [{each.text: each.score for each in sentences} for sentences in found]
    assert scores[0] == pytest.approx(scores[1], rel=0.02)
    assert scores[0] != scores[1]


class TestFolder:
    @pytest.fixture
    def folder(self, words, tiny_network: Network, tmp_path: Path) -> Path:
        save_extractor(tiny_network(words.get_vocab_size()), tmp_path / "model")
        words.save(str(tmp_path / "model" / "tokenizer.json"))
        return tmp_path / "model"

    def test_a_recipe_loads_it(self, make: Make, folder: Path, small: Document) -> None:
        settings = {"model": str(folder), "precision": "fp32", "prose_first": False}
        system = build_system(Recipe("mine", "", "", "extractor", settings))
        found = system.summarize(small, Budget(50))
        assert found.system == "mine"
        assert found.settings["model"] == str(folder)
        expected = make().summarize(small, Budget(50))
        assert found.text == expected.text
        # Where weights lie in memory may change the last digit.
        scores, wanted = (
            [each.score for each in summary.sentences] for summary in (found, expected)
        )
        assert scores == pytest.approx(wanted, rel=1e-5)

    def test_without_a_tokenizer_it_is_refused(self, folder, monkeypatch, tmp_path) -> None:
        for text in (None, "{}"):
            (folder / "tokenizer.json").unlink()
            if text is not None:
                (folder / "tokenizer.json").write_text(text)
            with pytest.raises(
                LongsumError, match=r"tokenizer\.json' cannot be read|no readable tokenizer\.json"
            ):
                NeuralExtractor("mine", ExtractorConfig(model=str(folder)))
            (folder / "tokenizer.json").touch()
        # The model that ships must be there too.
        monkeypatch.setattr(shipped, "files", lambda _: tmp_path)
        with pytest.raises(LongsumError, match="contains no extractor; give"):
            NeuralExtractor("mine", ExtractorConfig())

    @pytest.mark.parametrize("settings", [{"beams": 0}, {"steps": 0}, {"precision": "fp8"}])
    def test_impossible_settings_are_refused(self, settings: dict) -> None:
        with pytest.raises(LongsumError, match="The system 'mine'"):
            build_system(Recipe("mine", "", "", "extractor", settings))


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize(
    ("language", "warns"),
    [("de", True), ("enm", True), ("en-GB", False), (None, False)],
)
def test_the_extractor_that_ships_warns_of_other_languages_than_english(
    make, small, language, warns, own
) -> None:
    # The training data of a user's own model are unknown.
    extractor = make(replace(FP32, model="a folder") if own else FP32)
    document = replace(small, language=language)
    summary = extractor.summarize(document, Budget(40))
    told = [warning for warning in summary.warnings if "another language" in warning]
    assert len(told) == (warns and not own)
    assert all(f"('{language}')" in warning for warning in told)


def test_the_identity_of_an_extractor_covers_its_weights_and_rough_vectors() -> None:
    folder = shipped.shipped_folder()
    weights = weights_sha256(folder)
    rough = (folder / "rough_vectors.safetensors").read_bytes()
    both = hashlib.sha256(weights.encode() + rough).hexdigest()
    assert load_system("stepwise").identity == both
    assert load_system("stepwise", skim_words=None).identity == weights
