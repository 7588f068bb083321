"""Where documents contradict each other, and where they are only about different things."""

import pytest

import longsum
from longsum.core.summaries import Doubt, SourceSpan, SummarySentence
from longsum.documents.dossier import joined
from longsum.dossiers.contradictions import Contradictions

REPORT = "The old dam at Ridge was finished by Carl Brown in 1931 for 40 million dollars."


def doubts(first: str, *others: str, said: str = "") -> list[Doubt]:
    dossier = joined([longsum.read_bytes(each.encode()) for each in (first, *others)])
    source = SourceSpan.of(dossier, 0)
    sentence = SummarySentence(said or dossier.sentences[0].text, (source,), 0.0, {}, 0)
    return list(Contradictions(dossier).of(sentence))


def found(first: str, *others: str) -> list[tuple[str, str]]:
    return [(each.text, each.instead) for each in doubts(first, *others)]


@pytest.mark.parametrize(
    ("other", "differences"),
    [
        (REPORT.replace("1931", "1932"), [("1931", "1932")]),
        (REPORT.replace("40", "60"), [("40 million dollars", "60 million dollars")]),
        (REPORT.replace("Carl Brown", "Ed Miller"), [("Carl Brown", "Ed Miller")]),
        ("It rained. " + REPORT.replace("1931", "1932"), [("1931", "1932")]),
        # It has other names, one more of them, and another date.
        (
            REPORT.replace("Carl Brown", "Ed Miller and Ann Lee").replace("1931", "1932"),
            [("1931", "1932")],
        ),
        (REPORT, []),
        # Another thing, another row of figures.
        ("The bridge was opened by Miller in 1950.", []),
        (REPORT.replace("1931", "1931 and 1944 and 1950"), []),
        # It says both.
        (REPORT.replace("1931", "1932") + " " + REPORT, []),
        (REPORT + " " + REPORT.replace("1931", "1932"), []),
    ],
)
def test_values_that_another_document_has_instead(
    other: str, differences: list[tuple[str, str]]
) -> None:
    assert found(REPORT, other) == differences


@pytest.mark.parametrize(
    ("said", "kind"), [("Ed Miller", "name"), ("UNESCO", "name"), ("1932", "date")]
)
def test_kinds_of_differences(said: str, kind: str) -> None:
    own = REPORT.replace("Carl Brown", "NASA") if said == "UNESCO" else REPORT
    replaced = {"Ed Miller": "Carl Brown", "UNESCO": "NASA", "1932": "1931"}[said]
    assert [each.kind for each in doubts(own, own.replace(replaced, said))] == [kind]


def test_so_few_words_are_about_one_thing_only_if_all_are_alike() -> None:
    burned = "The mill burned in 1931."
    assert found(burned, burned.replace("1931", "1932")) == [("1931", "1932")]
    assert found("The old mill burned in 1931.", "The great mill burned in 1932.") == []


@pytest.mark.parametrize(
    ("figures", "other", "told"),
    [(3, 1, True), (3, 2, True), (3, 3, False), (6, 3, True), (6, 4, False)],
)
def test_if_most_figures_differ_the_sentence_is_about_something_else(figures, other, told) -> None:
    things = ("gates", "locks", "pumps", "boats", "ropes", "lamps")[:figures]
    text = "The old dam at Ridge has " + "".join(f"{{}} {thing}, " for thing in things) + "it says."
    own = ["5", "16", "270", "3800", "41", "92"][:figures]
    others = ["7", "19", "310", "4600", "53", "80"][:other]
    there = text.format(*others, *own[other:])
    heard = [(a.split()[0], b.split()[0]) for a, b in found(text.format(*own), there)]
    assert heard == (list(zip(own, others, strict=False)) if told else [])


def test_a_sentence_is_compared_with_every_other_document_but_not_its_own() -> None:
    others = [REPORT.replace("1931", year) for year in ("1932", "1933")]
    assert found(REPORT, *others) == [("1931", "1932"), ("1931", "1933")]
    assert doubts(REPORT, "Nothing of it is known.", said=others[0]) == []


def test_a_doubt_states_the_place_in_the_other_document() -> None:
    made = longsum.summarize_together(
        [REPORT, "So. " + REPORT.replace("1931", "1932")], "100w", "lead"
    )
    doubts = [str(doubt) for sentence in made.sentences for doubt in sentence.doubts]
    assert "where it has the date 1931, Document 2, sentence 2, has 1932" in doubts
    assert any("contradict each other: 2 sentences" in text for text in made.warnings)


@pytest.mark.parametrize(("one", "other"), [("40", "39.8"), ("39.8", "40")])
def test_a_rounded_figure_is_the_same(one: str, other: str) -> None:
    text = "For {} million dollars the old dam at Ridge was finished by Carl Brown in 1931."
    own, there = text.format(one), text.format(other)
    assert found(own, there) == []
    assert found(own, there.replace("1931", "1932")) == [("1931", "1932")]
