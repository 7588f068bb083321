from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from longsum.core.summaries import Budget, Coverage, Summary
from longsum.core.summaries.formats import BANDS, importance_lines, shades, to_markdown, to_text
from longsum.core.summaries.result_file import importance_to_json, summary_to_json
from longsum.core.summaries.summary import Importance, Word
from longsum.documents import Document
from schemas import schema

weights = st.lists(st.one_of(st.none(), st.sampled_from([-1.5, 0.0, 0.25, 0.5, 1e9])), max_size=40)


@given(weights)
def test_shades_follow_ranks(given_weights: list[float | None]) -> None:
    found = shades(given_weights)
    known = [weight for weight in given_weights if weight is not None]
    for weight, shade in zip(given_weights, found, strict=True):
        if weight is None or weight == min(known):
            assert shade == 0
            continue
        ahead = (sum(other >= weight for other in known) - 1) / len(known)
        assert shade == sum(ahead < band for band in BANDS)
    # Their numbers make no difference.
    moved = [None if weight is None else 3 * weight + 7 for weight in given_weights]
    assert shades(moved) == found


def test_the_darkest_shade_is_that_of_the_twentieth() -> None:
    found = shades([float(number) for number in range(100)])
    assert [found.count(shade) for shade in range(6)] == [50, 15, 15, 10, 5, 5]
    assert found == sorted(found)


def summary_of(document: Document) -> Summary:
    count = len(document.sentences)
    sentences = (None, *(number / 7 for number in range(count - 1)))
    first = document.sentences[1]
    words = (Word(first.start, first.start + 5, 0.123456), Word(first.start + 6, first.end, 0.9))
    return Summary(
        document=document,
        sentences=(),
        budget=Budget(9),
        coverage=Coverage(count, count),
        system="x",
        importance=Importance("a test", sentences, words),
    )


def test_text_output_has_a_mark_for_each_sentence(small: Document) -> None:
    summary = summary_of(small)
    head, *lines = importance_lines(summary.importance, small)
    assert "by a test, of 8 of 9 sentences" in head
    assert lines == ["§1 Rivers", "   ···", "§1.1 Floods", "  ·▁", "§2 Railways", "  ▂▄█"]
    for written in (to_text(summary, True), to_markdown(summary, True)):
        assert head in written
    assert head not in to_text(summary) + to_markdown(summary)
    # No line ends in marks of unread sentences.
    _, *lines = importance_lines(Importance("a test", (0.5, 1.0, *[None] * 7)), small)
    assert lines == ["§1 Rivers", "  ·█"]


def test_json_has_rounded_values_of_shaded_sentences(small: Document) -> None:
    summary = summary_of(small)
    found = importance_to_json(summary.importance)
    kept = [entry["sentence"] for entry in found["sentences"]]
    assert kept == [
        place for place, shade in enumerate(shades(summary.importance.sentences)) if shade
    ]
    assert found["sentences"][-1]["weight"] == 1.0
    assert [word["weight"] for word in found["words"]] == [0.9]
    whole = summary_to_json(summary) | {"importance": found}
    schema("summary-1").validate(whole)
    assert summary_to_json(summary) == summary_to_json(replace(summary, importance=None))
