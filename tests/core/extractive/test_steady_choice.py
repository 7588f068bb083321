"""Choices past the step at which the network would end, against their definition."""

import math
import operator
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from document_views import document_of
from longsum.common.errors import LongsumError
from longsum.core.encoder.encode_units import encode_document
from longsum.core.encoder.network import with_decision
from longsum.core.extractive.extractor_options import ExtractorConfig
from longsum.core.extractive.focus import FocusedRanking
from longsum.core.extractive.network_ranking import EncodedDocument
from longsum.core.extractive.neural import NeuralExtractor
from longsum.core.extractive.part_extractor import PartExtractor, PartRequest
from longsum.core.extractive.selection import FixedRanking
from longsum.core.summaries import Budget
from longsum.core.systems.system import Request
from longsum.documents import Document
from longsum.language.embeddings import TermMatrix
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.torch_network import TorchNetwork
from longsum.models.networks.extractive.units import join
from summary_views import in_order

PLAIN = ExtractorConfig(precision="fp32", prose_first=False)
STEADY = replace(PLAIN, centrality_exponent=0.5, redundancy_weight=2.0)
Make = Callable[..., NeuralExtractor]
# What is added to the logit of the end, so that it comes never, after some steps, or at once.
ENDS = [-1000.0, -0.2, 0.0, 0.2, 0.5]
Vectors = np.ndarray[Any, np.dtype[np.float64]]


class Ending(Hibert):
    """A network that raises the logit of its end."""

    more = 0.0
    calls = 0

    def logits(self, reading: Any, plans: Tensor) -> Tensor:
        self.calls += 1
        found = super().logits(reading, plans)
        return torch.cat([found[..., :-1], found[..., -1:] + self.more], dim=-1)


@pytest.fixture
def make(tiny_network: Callable[..., Hibert], words) -> Make:
    def make(
        config: ExtractorConfig = STEADY, more: float = 0.0, kind: type[Any] = NeuralExtractor
    ) -> NeuralExtractor:
        model = tiny_network(words.get_vocab_size())
        model.__class__ = Ending
        model.more = more
        return kind("extractor", config, TorchNetwork(model, "cpu", "fp32"), words)

    return make


def page_rank(document: Document) -> Vectors:
    """Solve for the PageRank of the graph, which the system computes by iteration."""
    texts = [sentence.text for sentence in document.sentences]
    rows = TermMatrix(texts).transform(texts)
    edges = rows @ (rows.T @ np.eye(len(texts)))
    np.fill_diagonal(edges, 0.0)
    count = len(texts)
    strengths = edges.sum(axis=1, keepdims=True)
    moves = np.where(strengths > 0, edges / np.maximum(strengths, 1e-12), 1 / count)
    found: Vectors = np.linalg.solve(np.eye(count) - 0.85 * moves.T, np.full(count, 0.15 / count))
    return found


def defined(
    system: NeuralExtractor, document: Document, steps: int, asked: int | None = None
) -> tuple[list[int], list[dict[str, float]]]:
    """Choose by the definition of the setting, one sentence and one cosine at a time."""
    model, weight = system.network.model, system.config.redundancy_weight
    count = len(document.sentences)
    with torch.no_grad():
        reading = model.read(join([encode_document(document, system._tokenizer, 128)], 0))
    vectors = reading.vectors[0].double().tolist()
    lean = system.config.centrality_exponent * np.log(count * page_rank(document))

    def heard(plan: list[int]) -> list[float]:
        with torch.no_grad():
            said = model.logits(reading, torch.tensor([[plan or [-1]]]))[0, 0].tolist()
        return [each - said[-1] for each in said[:-1]]

    def cosine(one: int, other: int) -> float:
        product = math.fsum(map(operator.mul, vectors[one], vectors[other]))
        return product / math.hypot(*vectors[one]) / math.hypot(*vectors[other])

    chosen: list[int] = []
    reasons: list[dict[str, float]] = []
    kept: list[float] | None = None
    for _ in range(steps):
        network = heard(chosen) if kept is None else kept
        left = [place for place in range(count) if place not in chosen]
        tired = all(network[place] + lean[place] < 0 for place in left)
        if kept is None and (tired if asked is None else len(chosen) >= asked):
            kept = network
        shares = [{"network": network[at], "centrality": float(lean[at])} for at in range(count)]
        if kept is not None:
            for at in left:
                like = max([0.0, *(cosine(at, other) for other in chosen)])
                shares[at]["redundancy"] = -weight * like
        best = max(left, key=lambda at: (sum(shares[at].values()), -at))
        chosen.append(best)
        reasons.append({**shares[best], "mean": math.fsum(network) / count})
    return chosen, reasons


@pytest.mark.parametrize("more", ENDS)
def test_each_choice_is_the_best_by_the_definition(make, small, more) -> None:
    system = make(more=more)
    found = system.summarize(small, Budget(9, "sentences"))
    expected, reasons = defined(system, small, 9)
    assert in_order(found) == expected
    by_step = sorted(found.sentences, key=lambda sentence: sentence.step)
    for sentence, wanted in zip(by_step, reasons, strict=True):
        told = {name: sentence.reasons.get(name, 0) for name in ("centrality", "redundancy")}
        kept = {name: wanted.get(name, 0) for name in ("centrality", "redundancy")}
        assert told == pytest.approx(kept, rel=1e-3, abs=1e-4)
        over_mean = sum(wanted.values()) - wanted["mean"] * 2
        assert sentence.score == pytest.approx(over_mean, rel=1e-3, abs=1e-4)
        assert sum(sentence.reasons.values()) == pytest.approx(sentence.score, abs=1e-6)


@pytest.mark.parametrize("asked", [1, 3, 20])
def test_the_network_is_queried_for_the_set_number_of_steps(make, small, asked) -> None:
    system = make(replace(STEADY, asked_steps=asked), more=1000.0)
    found = system.summarize(small, Budget(9, "sentences"))
    assert in_order(found) == defined(system, small, 9, asked)[0]
    marked = [
        "redundancy" in each.reasons for each in sorted(found.sentences, key=lambda each: each.step)
    ]
    assert marked == [step >= asked for step in range(9)]


def test_past_its_end_the_network_is_not_queried(make: Make, small: Document) -> None:
    system = make(more=1000.0)
    system.summarize(small, Budget(9, "sentences"))
    assert isinstance(system.network.model, Ending)
    assert system.network.model.calls == 1


@pytest.mark.parametrize(("odds", "ends"), [(-0.1, False), (0.1, True)])
def test_a_separate_decision_to_end_follows_its_odds(odds: float, ends: bool) -> None:
    logits = with_decision(np.zeros(3), np.array(odds))
    read = EncodedDocument("abc", SimpleNamespace(decides_end=True), None, {}, np.zeros(3))  # type: ignore[arg-type]
    assert read.prefers_to_end(logits, np.ones(3, np.bool_)) == ends


def test_only_candidates_keep_the_network_from_ending(make: Make) -> None:
    """A fragment that the network prefers does not, since fragments come last."""
    said = ("The river feeds the fields of the valley.", "Trains carry coal to the coast.")
    document = document_of(["Table 1: river, valley, fields", "12 30 44 51"], *said)

    class FondOfFragments(Ending):
        def logits(self, reading: Any, plans: Tensor) -> Tensor:
            found = super().logits(reading, plans)
            return torch.cat([found[..., :2] + 2000, found[..., 2:]], dim=-1)

    for prose_first, ends in ((True, True), (False, False)):
        system = make(replace(STEADY, prose_first=prose_first), more=1000.0)
        system.network.model.__class__ = FondOfFragments
        shares = system.rank(Request(document, Budget(50))).ranking.scores()[1]
        assert ("redundancy" in shares) == ends


def unrelated(texts: int = 5) -> Document:
    """Make a document of four-word sentences, no two of which share a word."""
    known = ["river", "water", "mountains", "sea", "year", "fields", "valley", "summers", "trout"]
    known += ["market", "floods", "bridges", "roads", "engineers", "dams", "damage", "trains"]
    known += ["coast", "coal", "passengers"]
    fours = (" ".join(known[4 * at : 4 * at + 4]) for at in range(texts))
    return document_of(*(f"{four.capitalize()}." for four in fours))


class TestSharesDoNotMoveSentencesAgainstTheEnd:
    @pytest.mark.parametrize("share", ["centrality", "length"])
    def test_equal_sentences_have_no_share(self, make: Make, share: str) -> None:
        system = make(replace(STEADY, **{f"{share}_exponent": 7.0}))
        ranked = system.rank(Request(unrelated(), Budget(50)))
        assert ranked.ranking.scores()[1][share] == pytest.approx(np.zeros(5), abs=1e-6)

    @pytest.mark.parametrize("setting", ["centrality_exponent", "length_exponent"])
    def test_an_exponent_does_not_change_where_a_plan_ends(self, make: Make, setting: str) -> None:
        plans = set()
        for exponent in (0.0, 7.0):
            config = replace(PLAIN, ends=True, **{setting: exponent})
            for more in (0.0, 1.0, 2.0, 3.0):
                found = make(config, more).summarize(unrelated(), Budget(50))
                plans.add((more, tuple(in_order(found)), found.finish_reason))
        assert len(plans) == 4
        assert "model_end" in {reason for *_, reason in plans}


def test_sentences_of_a_part_are_scored_as_in_the_whole(make: Make, small: Document) -> None:
    system = make(kind=PartExtractor)
    whole = system.rank(Request(small, Budget(50))).ranking
    part = system.rank(PartRequest(small, Budget(50), part=range(4, 9))).ranking
    for ranking in (whole, part):
        ranking.choose(1)
        ranking.choose(6)
    of_whole, of_part = (ranking.scores()[0] for ranking in (whole, part))
    # Scores are relative to the mean of the whole, and of the part.
    assert np.diff(of_part[4:9]) == pytest.approx(np.diff(of_whole[4:9]), rel=1e-4)
    assert np.isneginf(of_part[:4]).all()
    shares = part.scores()[1].values()
    for place in range(4, 9):
        reasons = sum(float(share[place]) for share in shares)
        assert reasons == pytest.approx(of_part[place], abs=1e-4)


def test_a_part_without_good_sentences_ends_at_once(make: Make, small: Document) -> None:
    """The end is compared with the part's own sentences, even if the rest are better."""
    part = range(4, 9)
    read = make().encode(Request(small, Budget(50)))
    scores = read.unchosen[:-1] - read.penalties - read.unchosen[-1]
    more = float(scores[part.start : part.stop].max()) + 0.01
    assert scores.max() > more
    found = (
        make(more=more, kind=PartExtractor)
        .rank(PartRequest(small, Budget(50), part=part))
        .ranking.scores()[1]
    )
    assert "redundancy" in found


class TestFocus:
    def test_reasons_are_the_networks_and_the_focus(self, make: Make, small: Document) -> None:
        system = make(more=1000.0)
        plain = system.summarize(small, Budget(9, "sentences"))
        found = system.summarize(small, Budget(9, "sentences"), focus="trains")
        for sentence in found.sentences:
            assert sentence.reasons.keys() == plain.sentences[0].reasons.keys() | {
                "focus",
                "redundancy",
            }
            assert sum(sentence.reasons.values()) == pytest.approx(sentence.score, abs=1e-5)

    def test_similarity_to_what_is_chosen_counts_from_the_first_choice(self, make, small) -> None:
        ranking = make(more=1000.0).rank(Request(small, Budget(50), "trains")).ranking
        before, _ = ranking.scores()
        ranking.choose(3)
        after, shares = ranking.scores()
        fall = np.array([shares["redundancy"][place] for place in range(len(small.sentences))])
        assert after == pytest.approx(before + fall, abs=1e-9)
        assert fall[3] == fall.min() < 0

    def test_the_scale_of_the_logits_does_not_matter(self, make: Make, small: Document) -> None:
        request = Request(small, Budget(50), "trains")
        system = make(replace(STEADY, redundancy_weight=0.0, centrality_exponent=0.0), 1000.0)
        read = system.encode(request)
        scores = []
        for scale in (1.0, 7.0):
            fixed = FixedRanking(scale * read.unchosen[:-1] + scale, "salience")
            scores.append(FocusedRanking(fixed, np.arange(9.0), 0.5).scores()[0])
        assert scores[1] - scores[1].mean() == pytest.approx(scores[0] - scores[0].mean())

    def test_the_system_ends_where_the_network_would(self, make: Make, small: Document) -> None:
        """The ranking itself does not query the network at each step."""
        for more, ends in ((1000.0, True), (-1000.0, False)):
            system = make(more=more)
            ranked = system.rank(Request(small, Budget(50), "trains"))
            ranked.ranking.scores()
            ranked.ranking.choose(2)
            assert ranked.ended() is ends
            # A system that has ended stays so.
            system.network.model.more = -1000.0
            assert ranked.ended() is ends


class TestSettings:
    def test_settings_that_exclude_a_redundancy_weight(
        self, make: Make, tiny_network, words
    ) -> None:
        for changes in ({"beams": 2}, {"steps": 3}):
            with pytest.raises(LongsumError, match="takes no redundancy_weight"):
                make(replace(STEADY, **changes))
        with pytest.raises(LongsumError, match="asked_steps"):
            make(replace(STEADY, redundancy_weight=None, asked_steps=3))
        model = tiny_network(words.get_vocab_size(), stepwise=False)
        with pytest.raises(LongsumError, match="Only a stepwise HiBERT"):
            NeuralExtractor("extractor", STEADY, TorchNetwork(model, "cpu", "fp32"), words)

    def test_if_the_model_may_end_the_summary_there_is_nothing_past_the_end(
        self, make, small
    ) -> None:
        config = replace(STEADY, ends=True)
        found = make(config, 2.0).summarize(small, Budget(500))
        expected = make(replace(config, redundancy_weight=None), 2.0).summarize(small, Budget(500))
        assert in_order(found) == in_order(expected)
        assert found.finish_reason == "model_end"
