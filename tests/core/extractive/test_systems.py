"""Properties of every system, and particulars of each."""

import numpy as np
import pytest

from document_views import document_of
from effort import FULL
from every_recipe import RECIPES
from longsum import LongsumError, load_system, summarize
from longsum.core.summaries import Budget
from longsum.core.systems.system import Request
from longsum.documents import Document, DocumentBuilder
from summary_views import picked

# The Pointer-Magnifier's lengths need not nest: see test_length_control.py.
READY = [
    recipe.name for recipe in RECIPES if recipe.state == "ready" and recipe.kind != "magnifier"
]
# They leave out near-duplicates; the small document has one.
SAYING_ONCE = ("stepwise", "books")
FOCUSED = ("kernels", "mls", "graph", "stepwise", "stepwise-plain", "books")


@pytest.mark.parametrize("name", READY)
class TestEverySystem:
    def test_a_length_beyond_the_document_gives_the_whole_document(self, name, small: Document):
        summary = summarize(small, "5000w", name)
        assert summary.finish_reason == "document"
        if name != "systematic":
            assert len(summary.sentences) == len(small.sentences) - (name in SAYING_ONCE)
            assert "given whole" in summary.warnings[-1]
        # Every sentence is at its source, and its reasons add up.
        for sentence in summary.sentences:
            (source,) = sentence.sources
            assert small.text[source.start : source.end] == sentence.text
            assert small.section_of(source.sentence).number == source.section
            assert sum(sentence.reasons.values()) == pytest.approx(sentence.score, abs=1e-12)

    def test_the_budget_is_never_exceeded_and_a_larger_one_never_gives_less(
        self, name, small: Document
    ):
        budgets = range(1, 120) if FULL else (1, 14, 27, 40, 66, 92, 118)
        reached = [summarize(small, f"{words}w", name).words for words in budgets]
        assert all(words <= budget for budget, words in zip(budgets, reached, strict=True))
        assert reached == sorted(reached)
        assert len(set(reached)) > 3

    def test_exact_repeats_are_never_chosen(self, name, small: Document):
        texts = [sentence.text for sentence in small.sentences]
        more = (texts[1].upper(), *texts[3:], f"{texts[0][:-1]} !", texts[2])
        document = document_of(*texts[:3], *more, title="The valley")
        for length in ("6s", "100%"):
            summary = summarize(document, length, name)
            plain = [sentence.text.lower().rstrip(" !.") for sentence in summary.sentences]
            assert len(set(plain)) == len(plain)
        assert summary.finish_reason == "document"
        if name != "systematic":
            near = int(name in SAYING_ONCE)
            assert len(summary.sentences) == 9 - near
            assert summary.warnings[-1].endswith(f"except for {3 + near} repeated sentences.")

    def test_a_length_below_every_sentence_gives_a_warning(self, name, small: Document):
        summary = summarize(small, "2w", name)
        assert (summary.sentences, summary.text) == ((), "")
        assert summary.finish_reason == "nothing_fits"
        assert "the shortest that can be chosen has" in summary.warnings[0]

    def test_a_document_without_a_sentence_is_an_error(self, name):
        with pytest.raises(LongsumError, match="no sentence; there is nothing"):
            summarize(DocumentBuilder().build("title"), "40w", name)

    def test_one_sentence_and_wordless_documents(self, name):
        for text in ("Yes.", "…", "1 2 3.", "\ufffd"):
            assert summarize(document_of(text), "1s", name).text == text

    def test_the_ladder_nests_and_its_requested_rung_is_the_summary(self, name, small: Document):
        asked = Budget(45)
        system = load_system(name)
        budgets = [Budget(words) for words in (70, 12, 45, 28, 95)]
        ladder = system.at_lengths(small, budgets, start=2)
        assert ladder.summaries[ladder.start] == system.summarize(small, asked)
        held: set[int] = set()
        for rung in ladder.summaries:
            assert rung.words <= rung.budget.amount
            assert held <= set(picked(rung))
            held = set(picked(rung))

    def test_focus_is_used_or_refused(self, name, small: Document):
        if name not in FOCUSED:
            with pytest.raises(LongsumError, match="takes no focus"):
                summarize(small, "1s", name, focus="railway trains")
            return
        (railway,) = picked(summarize(small, "1s", name, focus="trains on the railway"))
        assert small.section_of(railway).title == "Railways"
        unknown = summarize(small, "1s", name, focus="quantum chromodynamics")
        assert "is ignored" in unknown.warnings[0]


class TestKernels:
    def test_focus_weight_keeps_the_sum_of_weights(self, small: Document):
        explanation = summarize(small, "2s", "kernels", focus="coal trains").explanation
        assert sum(explanation.weights.values()) == pytest.approx(1)
        assert explanation.weights["focus"] == 0.5

    def test_impossible_weights_are_refused(self):
        with pytest.raises(LongsumError, match="they must sum to 1"):
            load_system("kernels", topics_weight=0.5)
        with pytest.raises(LongsumError, match="focus_weight"):
            load_system("kernels", focus_weight=1.5)


class TestOthers:
    def test_redundancy_of_mls_is_against_the_whole_document(self, small: Document):
        first = min(summarize(small, "1s", "mls").sentences, key=lambda s: s.step)
        assert first.reasons["redundancy"] < 0

    def test_lead_takes_the_first_sentences(self, small: Document):
        assert picked(summarize(small, "4s", "lead")) == [0, 1, 2, 3]

    def test_a_system_without_a_model_has_no_calls_to_count(self, small: Document):
        with pytest.raises(LongsumError, match="'lead' makes no calls that could be counted"):
            load_system("lead").estimate(Request(small, Budget(9)))

    def test_systematic_sampling_takes_every_third_sentence(self, small: Document):
        starts = set()
        for seed in range(20):
            chosen = picked(summarize(small, "100%", "systematic", seed=seed))
            assert np.diff(chosen).tolist() == [3] * (len(chosen) - 1)
            starts.add(chosen[0])
        assert starts == {0, 1}

    def test_interval_is_a_setting(self, small: Document):
        summary = load_system("systematic", interval=4).summarize(small, Budget(9, "sentences"))
        assert np.diff(picked(summary)).tolist() == [4] * (len(summary.sentences) - 1)
        with pytest.raises(LongsumError, match="at least 1"):
            load_system("systematic", interval=0)


class TestOracle:
    @pytest.mark.parametrize(("settings", "best"), [({}, 0), ({"per_word": True}, 1)])
    def test_the_gain_is_divided_by_words_only_if_set(self, settings, best):
        oracle = load_system("oracle", **settings).with_references(["a b c d e f"])
        assert picked(oracle.summarize(document_of(["a b c d e x", "d e f"]), Budget(6))) == [best]

    def test_an_exact_repeat_takes_no_room_from_others(self):
        oracle = load_system("oracle").with_references(["a b c a b c d"])
        document = document_of(["a b c", "a b c", "d e f"])
        assert picked(oracle.summarize(document, Budget(6))) == [0, 2]
