"""The guarantees of an abstractive summary, with models that write at random."""

import json
from dataclasses import replace

import pytest
import torch

from effort import FULL
from longsum import LongsumError, summarize
from longsum.core.magnifier.length_control import LengthControlled
from longsum.core.summaries import Budget
from longsum.core.summaries.formats import to_markdown, to_text
from longsum.core.summaries.result_file import dump_json, summary_to_json
from longsum.models.tasks.divide_and_conquer import DivideAndConquer
from longsum.models.tasks.source import SourceFormat
from longsum.models.writing.budgeting import TokenRange
from longsum.models.writing.divide_and_conquer import DivideAndConquerSummarizer
from longsum.models.writing.generating import GeneratingWriter
from longsum.models.writing.summarizer import AbstractiveSummarizer
from longsum.models.writing.writer import Writing
from schemas import schema


@pytest.fixture(scope="module")
def make(make_model, tokenizer):
    def system(form=None, generation=None, **settings) -> AbstractiveSummarizer:
        model = make_model(cross_attention={"kind": "hepos", "stride": 2}, **settings)
        options = {"form": form} if form else {}
        writer = GeneratingWriter(model, tokenizer, generation=generation, **options)
        return AbstractiveSummarizer(writer, name="tiny")

    return system


@pytest.fixture(scope="module")
def system(make) -> AbstractiveSummarizer:
    return make(generation={"do_sample": True})


@pytest.fixture
def writes(system, monkeypatch):
    """Let the model write a text that the test gives."""

    def give(text: str, *, unfinished: bool = False) -> AbstractiveSummarizer:
        def write(writer: GeneratingWriter, reading, length, seed) -> Writing:  # noqa: ARG001
            ids = [0, *writer.tokenizer(text, add_special_tokens=False)["input_ids"]]
            most = replace(length, maximum=len(ids) - 1 if unfinished else len(ids) + 9)
            return writer._writing(torch.tensor(ids), most)

        monkeypatch.setattr(GeneratingWriter, "write", write)
        return system

    return give


@pytest.mark.parametrize(
    ("unit", "amounts"),
    [("words", (1, 9)), ("sentences", (1,)), ("percent", (0.35,))],
)
def test_the_budget_is_never_exceeded(system, brief, unit, amounts):
    for amount in amounts:
        budget = Budget(amount, unit)
        for seed in range(3 if FULL else 1):
            summary = system.summarize(brief, budget, seed=seed)
            assert summary.reached <= budget.amount
            assert all(sentence.text.strip() for sentence in summary.sentences)


def test_coverage_is_the_part_that_was_read(system, example):
    summary = system.summarize(example, Budget(20))
    coverage = summary.coverage
    assert 0 < coverage.sentences_read < coverage.sentences_total == len(example.sentences)
    read = example.section_of(coverage.sentences_read - 1).number
    behind = [s.number for s in example.walk() if s.number > read + 1 and s.sentences]
    assert set(behind) <= set(coverage.unread_sections)
    assert 0 not in coverage.unread_sections
    told = f"first {coverage.sentences_read} of {len(example.sentences)} sentences"
    assert told in summary.warnings[0]
    cited = [source.sentence for sentence in summary.sentences for source in sentence.sources]
    assert all(sentence <= coverage.sentences_read for sentence in cited)


def test_a_document_that_fits_is_read_whole(make, small):
    summary = make(max_source_positions=600).summarize(small, Budget(20))
    assert (summary.coverage.sentences_read, summary.coverage.unread_sections) == (9, ())
    assert not any("reads" in warning for warning in summary.warnings)


def test_no_source_is_longer_than_the_model_takes(make, brief):
    system, shorter = (make(SourceFormat(most)) for most in (10_000, 100))
    assert system.settings["source_tokens"] == 192
    assert system.summarize(brief, Budget(9)).coverage.sentences_read > 0
    assert 0 < shorter.words_read(brief) < system.words_read(brief) < 192


def test_the_same_seed_writes_the_same(system, brief):
    first, again, other = (system.summarize(brief, Budget(5), seed=seed) for seed in (5, 5, 6))
    assert first == again
    assert first.text != other.text


def test_sources_are_those_of_the_document(writes, small):
    system = writes(small.sentences[1].text + " Floods damaged 42 bridges and roads.")
    summary = system.summarize(small, Budget(40))
    copied, odd = summary.sentences
    (source,) = copied.sources
    assert small.text[source.start : source.end] == copied.text
    assert (source.method, source.score, copied.verified) == ("copied", 1.0, True)
    assert not odd.verified
    assert any(doubt.text == "42" for doubt in odd.doubts)
    assert odd.score == pytest.approx(sum(odd.reasons.values()))
    assert summary.warnings[-1] == (
        "1 of 2 sentences could not be verified: not all of it was found in the sources (numbers)."
    )


def test_unverified_sentences_show_in_every_form(writes, small):
    from longsum.core.pages import render_html

    system = writes("Dams of the valley do 42 times less damage to the river.")
    ladder = system.at_lengths(small, [Budget(30), Budget(60)], start=1)
    summary = ladder.summaries[ladder.start]
    said = "the quantity 42 times is nowhere in the document"
    assert f"check: {said}" in to_text(summary, explain=True)
    assert f"Check: {said}" in to_markdown(summary)
    page = render_html(ladder)
    assert f"Check: {said}" in page
    assert 'class="text unsure"' in page
    found = json.loads(dump_json(summary_to_json(summary)))
    schema("summary-1").validate(found)
    (sentence,) = found["summary"]["sentences"]
    assert not sentence["verified"]
    assert [doubt["says"] for doubt in sentence["doubts"]] == [said]
    assert sentence["sources"][0]["method"] == "aligned"


@pytest.mark.parametrize(
    ("text", "unfinished", "words", "kept", "reason"),
    [
        ("The river is long. It is dry.", False, 5, 1, "budget"),
        ("The river is long. It is", True, 9, 1, "budget"),
        ("The river is long. It is dry.", True, 9, 2, "model_end"),
        ("The river is", True, 9, 1, "nothing_fits"),
        ("The river is long.", False, 2, 1, "nothing_fits"),
        ("", False, 9, 0, "model_end"),
    ],
)
def test_it_ends_with_whole_sentences_and_states_why(
    writes, small, text, unfinished, words, kept, reason
):
    summary = writes(text, unfinished=unfinished).summarize(small, Budget(words))
    assert (len(summary.sentences), summary.finish_reason) == (kept, reason)
    assert summary.words <= words
    if reason != "budget":
        assert any("before" in w or "wrote" in w or "sentence" in w for w in summary.warnings)


def test_without_any_whole_sentence_the_first_section_is_begun(writes, small):
    task, begins = DivideAndConquer("all", least_words=0), writes("The river is", unfinished=True)
    parts = DivideAndConquerSummarizer(begins, task, name="parts")
    assert len(parts.summarize(small, Budget(60)).sentences) == 1


def test_a_length_beyond_the_model_is_reported(system, brief):
    summary = system.summarize(brief, Budget(5000))
    assert summary.finish_reason in ("model_limit", "model_end")
    if summary.finish_reason == "model_limit":
        assert any("at most 159 tokens" in warning for warning in summary.warnings)


def test_repetition_is_reported(writes, small):
    summary = writes("The river is long. The river is long.").summarize(small, Budget(20))
    assert any("repeats itself: 1 of 2" in warning for warning in summary.warnings)


def test_tokens_know_their_sentence(system, tokenizer):
    text = "Straße  川 — ok.\nIt rose by 42%. And"
    ids = [0, *tokenizer(text, add_special_tokens=False)["input_ids"]]
    writing = system.writer._writing(torch.tensor(ids), TokenRange(0, 10_000))
    assert writing.sentences == ("Straße 川 — ok.", "It rose by 42%.", "And")
    for sentence, (first, last) in zip(writing.sentences, writing.tokens, strict=True):
        assert " ".join(tokenizer.decode(ids[1:][first:last]).split()) == sentence


def test_a_focus_is_refused(system, small):
    with pytest.raises(LongsumError, match="takes no focus"):
        summarize(small, "9w", system, focus="trains")


def test_tokens_are_those_of_the_model(system, brief):
    for made in (system, LengthControlled(system, natural=Budget(9))):
        summary = made.summarize(brief, Budget(12, "tokens"))
        tokens = sum(system.writer.count(found.text) for found in summary.sentences)
        assert summary.reached == tokens <= 12
