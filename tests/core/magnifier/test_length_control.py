"""Any system at an exact length, with its sources and doubts."""

import json
from dataclasses import replace

import pytest

from longsum import LongsumError, load_system
from longsum.core.extractive.baselines import Lead, LeadConfig
from longsum.core.kernels.fitted import FittedKernels, KernelSettings
from longsum.core.magnifier.length_control import ASKED, LengthControlled
from longsum.core.summaries import Budget, NestedSummaries
from longsum.core.summaries.result_file import dump_json, summary_to_json
from longsum.core.summaries.summary import Importance, Level
from longsum.language.words import count_words
from longsum.models.writing.generating import GeneratingWriter
from longsum.models.writing.summarizer import AbstractiveSummarizer
from schemas import schema

LENGTHS = [Budget(words) for words in (20, 60, 150, 500)]


@pytest.fixture(scope="module")
def writer(make_model, tokenizer) -> AbstractiveSummarizer:
    model = make_model(cross_attention={"kind": "hepos", "stride": 2})
    return AbstractiveSummarizer(GeneratingWriter(model, tokenizer), name="tiny")


@pytest.fixture(scope="module", params=["lead", "kernels", "model"])
def system(request, writer) -> LengthControlled:
    return LengthControlled(
        writer if request.param == "model" else load_system(request.param), natural=Budget(30)
    )


@pytest.fixture(scope="module")
def ladder(system, brief) -> NestedSummaries:
    return system.at_lengths(brief, LENGTHS, start=2)


def test_lengths_are_exact(ladder, brief):
    assert ladder.summaries[ladder.start].budget == LENGTHS[2]
    for rung, budget in zip(ladder.summaries, LENGTHS, strict=True):
        assert rung.words <= budget.amount
        assert rung.explanation is not None
        for sentence in rung.sentences:
            assert sum(sentence.reasons.values()) == pytest.approx(sentence.score, abs=1e-9)
    there = {sentence.text for sentence in ladder.summaries[-1].sentences}
    left = [found.text for found in brief.sentences if found.text not in there]
    assert ladder.summaries[-1].words + min(map(count_words, left)) > 500


def test_a_rung_is_what_its_budget_gives(system, ladder, brief):
    rung = ladder.summaries[1]
    assert rung == system.summarize(brief, rung.budget)


def test_sources_are_those_of_the_document(system, brief):
    summary = system.summarize(brief, Budget(400))
    document = summary.document
    taken = [sentence for sentence in summary.sentences if sentence.verified]
    assert taken
    for sentence in taken:
        for source in sentence.sources:
            found = document.text[source.start : source.end]
            assert source.method != "copied" or sentence.text.rstrip(".?!") in found
    found = json.loads(dump_json(summary_to_json(summary)))
    schema("summary-1").validate(found)


@pytest.mark.slow
def test_what_a_model_wrote_keeps_its_doubts(writer, example):
    system = LengthControlled(writer, natural=Budget(40))
    prototype, _ = system.magnifier(example)
    summary = system.summarize(example, Budget(300))
    wrote = {sentence.text: sentence for sentence in prototype.sentences}
    copied = [sentence for sentence in summary.sentences if sentence.text in wrote]
    assert copied
    assert all(sentence.doubts == wrote[sentence.text].doubts for sentence in copied)
    assert any("could not be verified" in warning for warning in summary.warnings)
    assert not any("40w" in warning for warning in summary.warnings)
    assert summary.coverage.sentences_read == len(example.sentences)
    short = system.summarize(example, Budget(prototype.words))
    assert short.coverage == prototype.coverage
    assert [sentence.text for sentence in short.sentences] == list(wrote)


def test_a_prototype_can_have_the_requested_length(writer, brief):
    system = LengthControlled(writer, natural=ASKED)
    prototype, _ = system.magnifier(brief, LENGTHS[1])
    assert prototype == writer.summarize(brief, LENGTHS[1])
    assert system.settings["natural"] == "asked"


def test_a_models_levels_and_importance_are_kept(brief):
    class Leveled(Lead):
        def at_lengths(self, *given, **named):
            made = super().at_lengths(*given, **named)
            known = Importance("nobody", (0.5,) * len(brief.sentences))
            return NestedSummaries(
                tuple(
                    replace(rung, levels=(Level(()),), importance=known) for rung in made.summaries
                ),
                made.start,
            )

    summary = LengthControlled(Leveled("lead", LeadConfig())).summarize(brief, Budget(60))
    assert summary.levels == (Level(()),)
    assert summary.importance.made_by == "nobody"


def test_the_kernels_give_importance_if_the_prototypes_system_does_not(writer, brief):
    found = LengthControlled(writer, natural=Budget(30)).summarize(brief, Budget(60)).importance
    assert found.made_by == "the kernels"
    multiplex = FittedKernels.of(brief, KernelSettings()).multiplex(KernelSettings())
    distances = multiplex.distances([sentence.text for sentence in brief.sentences])
    attention = multiplex.attention_at(distances)
    assert found.sentences == pytest.approx(attention.probabilities.tolist())
    extracted = LengthControlled(load_system("graph")).summarize(brief, Budget(60)).importance
    assert extracted.made_by == "the scores of 'graph'"


def test_the_focus_is_passed_to_the_prototypes_system(brief):
    focused = LengthControlled(load_system("kernels"))
    summary = focused.summarize(brief, Budget(80), focus="noise")
    assert summary.settings["focus"] == "noise"
    assert summary != focused.summarize(brief, Budget(80))
    with pytest.raises(LongsumError, match="takes no focus"):
        LengthControlled(load_system("lead")).summarize(brief, Budget(80), focus="noise")


def test_a_budget_below_all_sentences_and_one_above_the_document(small):
    system = LengthControlled(load_system("lead"))
    nothing = system.summarize(small, Budget(2))
    assert (nothing.sentences, nothing.finish_reason) == ((), "nothing_fits")
    assert nothing.warnings[-1] == "No sentence fits in 2w."
    everything = system.summarize(small, Budget(5000))
    assert everything.finish_reason == "document"
    assert len(everything.sentences) == 9


def test_a_system_over_a_prototype(small):
    over = load_system("mls", prototype="lead", natural="30w")
    assert over.name == "mls"
    same = LengthControlled(load_system("lead"), natural=Budget(30), name="mls")
    assert over.summarize(small, Budget(60)) == same.summarize(small, Budget(60))
    weighed = LengthControlled(load_system("lead"), KernelSettings(0.5, 0.6, -0.1))
    assert weighed.name == "lead-magnified"
    assert (weighed.settings["topics_weight"], weighed.settings["natural"]) == (0.5, "100w")
    assert weighed.settings["prototype"]["system"] == "lead"
    shuffled = load_system("mls-shuffled-topics", prototype="lead")
    assert shuffled.settings["shuffled"] == "topics"
    assert load_system("mls-plus").settings["prototype"]["system"] == "centroid"
    assert load_system("mls-stepwise").settings["natural"] == "12.5%"
    assert load_system("mls-plus", prototype="lead").settings["prototype"] == {"system": "lead"}


@pytest.mark.parametrize(
    ("name", "prototype", "says"),
    [
        ("kernels", "lead", "does not use a prototype"),
        ("lead", "kernels", "does not use a prototype"),
        ("mls", "nothing", "no system 'nothing'"),
        ("mls-star", None, "name with --prototype"),
    ],
)
def test_impossible_prototypes_are_refused(name, prototype, says):
    with pytest.raises(LongsumError, match=says):
        load_system(name, prototype=prototype)


def test_each_sentence_records_how_it_was_made(system, brief):
    prototype, magnifier = system.magnifier(brief)
    wrote = {sentence.text: sentence.origin for sentence in prototype.sentences}
    summary = system.summarize(brief, Budget(600))
    steps = magnifier.magnify(Budget(600)).steps
    expansions = [step for step in steps if step.operation == "expand"]
    fills = {at: step.runner_up for at, step in enumerate(steps) if step.operation == "fill"}
    assert fills
    told = {sentence.step: sentence.runner_up for sentence in summary.sentences}
    assert {at: told[at] for at in fills} == fills
    own = {sentence.text for sentence in brief.sentences}
    for sentence in summary.sentences:
        if sentence.origin == "expanded":
            assert sentence.text in own
            assert sentence.expands in wrote
            assert len(sentence.rivals) < 4
        elif sentence.origin == "generated":
            assert wrote[sentence.text] == "generated"
        else:
            assert sentence.text in own or wrote[sentence.text] == "copied"
    expanded = [sentence for sentence in summary.sentences if sentence.origin == "expanded"]
    assert len(expanded) == sum(len(step.sentences) for step in expansions)
