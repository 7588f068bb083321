"""Systems that copy sentences shorten them on request, and others refuse."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from document_views import document_of
from every_recipe import RECIPES
from longsum import LongsumError, load_system, summarize
from longsum.core.recursive.parts import RecursiveConfig
from longsum.core.recursive.summarizer import RecursiveSummarizer
from longsum.core.summaries import Budget, Summary
from longsum.core.summaries.formats import to_markdown, to_text
from longsum.core.summaries.result_file import summary_to_json
from longsum.core.systems.system import Request, System
from longsum.documents.subset import subset
from schemas import schema

COPYING = [
    recipe.name
    for recipe in RECIPES
    if recipe.state == "ready" and recipe.kind not in ("magnifier", "recursive")
]


WORDY = document_of(
    "# The bridge",
    "However, the committee agreed to build the new bridge over the river (see Table 2). "
    "The old bridge, which was built of wood, is closed to all traffic at night. "
    "Nothing else was decided by its members in that long night of talks.",
    "# The river",
    "Moreover, the river has carried more water in every spring [3, 5–7]. "
    "It should be noted that the towns along the river paid for the repairs. "
    "Boats bring wood and salt to the towns along the river.",
    title="A bridge",
)


def without_deletions(summary: Summary) -> list[str]:
    """Return the sources of a summary's sentences without the recorded deletions."""
    texts = []
    for sentence in summary.sentences:
        (source,) = sentence.sources
        text, reached = "", source.start
        for each in sentence.deletions:
            text += summary.document.text[reached : each.start]
            reached = each.end
        text += summary.document.text[reached : source.end]
        texts.append(text[0].upper() + text[1:])
    return texts


@pytest.mark.parametrize("name", COPYING)
def test_every_sentence_is_its_source_without_the_recorded_deletions(name: str) -> None:
    summary = summarize(WORDY, "100%", name, shorten=True)
    assert [sentence.text for sentence in summary.sentences] == without_deletions(summary)
    assert any(sentence.deletions for sentence in summary.sentences)
    assert all(sentence.origin == "copied" and sentence.verified for sentence in summary.sentences)
    assert summary.settings["shorten"] is True
    whole = {sentence.text for sentence in WORDY.sentences}
    plain = summarize(WORDY, "100%", name, shorten=False)
    assert plain.settings["shorten"] is False
    assert {each.text for each in plain.sentences} <= whole


def test_shortening_makes_room_for_another_sentence() -> None:
    # The first sentence has 15 words and, shortened, 11; the second has 15.
    assert len(summarize(WORDY, "26w", "lead").sentences) == 1
    assert len(summarize(WORDY, "26w", "lead", shorten=True).sentences) == 2


def test_sentences_that_shortening_makes_equal_are_chosen_once() -> None:
    plain = "The towns along the river paid for the repairs."
    document = document_of(f"However, {plain.replace('The', 'the')}", plain, title="t")
    summary = summarize(document, "100%", "lead", shorten=True)
    assert [each.text for each in summary.sentences] == [plain]
    assert summary.warnings[-1].endswith("except for 1 repeated sentence; sentences are shortened.")


def test_settings_record_whether_a_system_shortens() -> None:
    for on in (True, False):
        system = load_system("graph", shorten=not on).shortening(on)
        assert load_system("graph", **system.settings).is_shortening == on
    with pytest.raises(LongsumError, match="shorten must be true or false, not 'yes'"):
        load_system("lead", shorten="yes")


class Fixed(System):
    """A system that cannot shorten anything."""

    name = "fixed"
    settings: ClassVar[dict[str, object]] = {}

    def lengths(self, request: Request, budgets: object) -> list[Summary]:  # noqa: ARG002
        raise AssertionError


def divided(chapters: System, whole: System) -> RecursiveSummarizer:
    config = RecursiveConfig(chapters="graph", whole="graph", undivided=45)
    return RecursiveSummarizer("divided", config, chapters, whole)


THEIRS = SimpleNamespace(name="theirs", summarize=lambda *_, **__: pytest.fail("asked"))


@pytest.mark.parametrize("system", [Fixed(), THEIRS, divided(Fixed(), load_system("graph"))])
def test_a_system_that_cannot_shorten_refuses(system: Any) -> None:
    with pytest.raises(LongsumError, match=f"'{system.name}' cannot shorten sentences"):
        summarize(WORDY, "40w", system, shorten=True)


def test_a_divided_text_is_shortened_once_from_its_own_sentences() -> None:
    graph = load_system("graph")
    for system in (
        divided(graph, graph).shortening(True),
        divided(graph.shortening(True), graph.shortening(True)),
    ):
        summary = system.summarize(WORDY, Budget(60))
        assert system.is_shortening
        assert summary.levels
        assert any(sentence.deletions for sentence in summary.sentences)
        assert [sentence.text for sentence in summary.sentences] == without_deletions(summary)
        assert not any(
            sentence.deletions
            for level in summary.levels
            for part in level.parts
            for sentence in part.sentences
        )
    assert not system.shortening(False).is_shortening


def test_a_sentence_of_a_part_keeps_its_deletions_in_the_whole() -> None:
    positions = range(3, 6)
    part = summarize(subset(WORDY, positions), "100%", "lead", shorten=True)
    lifted = tuple(
        sentence.lifted(WORDY, positions, step) for step, sentence in enumerate(part.sentences)
    )
    whole = replace(part, document=WORDY, sentences=lifted)
    assert [sentence.text for sentence in lifted] == without_deletions(whole)


def test_every_format_shows_shortened_sentences_and_their_deletions() -> None:
    summary = summarize(WORDY, "20w", "lead", shorten=True)
    shorter = "The committee agreed to build the new bridge over the river."
    for text in (summary.text, to_text(summary), to_markdown(summary)):
        assert shorter in text
        assert "However" not in text
    assert "left out: However,; (see Table 2)" in to_text(summary, explain=True)
    result = summary_to_json(summary)
    schema("summary-1").validate(result)
    first = result["summary"]["sentences"][0]["deletions"]
    assert [(WORDY.text[each["start"] : each["end"]], each["kind"]) for each in first] == [
        ("However, ", "connective"),
        (" (see Table 2)", "figure_reference"),
    ]
