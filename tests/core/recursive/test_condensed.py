import pytest

import longsum
from document_views import document_of
from longsum.core.recursive import condensed
from longsum.core.summaries import Budget, Coverage
from longsum.core.systems import reading_load
from longsum.documents import Document


def _list(*texts: str) -> Document:
    return document_of("# List", [*texts], title="")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, most in (("MANY_SENTENCES", 4), ("MANY_CHARACTERS", 300)):
        monkeypatch.setattr(condensed, name, most)
        monkeypatch.setattr(reading_load, name, most)
    for name, most in (("SENTENCES_OF_A_LIST", 2), ("ENDLESS", 100), ("_ENDLESS_READ", 2)):
        monkeypatch.setattr(condensed, name, most)


_PROSE = [f"The river {name} carries its water to the sea." for name in "abcdefghi"]

_ENDLESS = "river and " * 13


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        (["Yes."] * 4, None),
        (["Yes.", "No."] * 3, [0, 1]),
        (["Yes.", "No.", "Why?"] * 2, [0, 1, 2]),
        (_PROSE, None),
        (
            [f"{hour}:00 The river {name} is at {hour} m." for hour in range(4) for name in "ab"],
            [0, 1],
        ),
        ([*"abcdefg", "The wide sea.", "A deep river."], [7, 8]),
        ([_ENDLESS] * 2, None),
        (["The sea is wide.", *[_ENDLESS] * 4], [0, 1, 4]),
    ],
)
def test_lists_and_repetitions_are_read_only_in_part(
    texts: list[str], kept: list[int] | None
) -> None:
    assert condensed.worth_reading(_list(*texts)) == kept


@pytest.mark.parametrize(
    ("texts", "vast"),
    [(["Yes."] * 4, False), (["Yes."] * 5, True), (["river"] * 2, False), ([_ENDLESS * 3], True)],
)
def test_a_document_of_many_sentences_or_characters_is_vast(texts: list[str], vast: bool) -> None:
    assert reading_load.is_vast(_list(*texts)) == vast


def test_a_summary_of_some_sentences_refers_to_the_whole() -> None:
    document = _list(*["It is so."] * 9, "The wide river carries its water to the sea.")
    summary = longsum.summarize(document, length=9)
    assert summary.document is document
    (sentence,) = summary.sentences
    source = sentence.sources[0]
    assert document.text[source.start : source.end] == document.sentences[9].text == sentence.text
    assert summary.coverage == Coverage.of(document, [0, 9])
    told = "2 of 10 sentences were read: the others repeat them, say less or have no end."
    assert summary.warnings[0] == told
    assert (summary.budget, summary.finish_reason) == (Budget(9), "budget")
    assert (summary.system, summary.settings["blocking"]) == ("stepwise", False)
    whole = longsum.summarize(document, length=99)
    assert [each.text for each in whole.sentences] == ["It is so.", document.sentences[9].text]
    assert whole.finish_reason == "model_limit"
    assert [note.kind for note in whole.notices] == ["reading"]
    # A percentage refers to the whole document.
    assert longsum.summarize(document, length="50%").words == 12
    assert [weight is None for weight in summary.importance.sentences] == [
        False,
        *[True] * 8,
        False,
    ]


@pytest.mark.parametrize(
    ("texts", "limit", "long"),
    [
        (["Yes."] * 5, 30, False),
        (["Yes."] * 6, 30, True),
        (["%" * 400], 30, True),
        (["So it is and so be it."] * 5, 40, False),
        (["So it is and so be it."] * 9, 99, True),
        (["Yes."] * 9, None, False),
    ],
)
def test_a_document_is_long_by_its_words_sentences_or_characters(
    monkeypatch: pytest.MonkeyPatch, texts: list[str], limit: int | None, long: bool
) -> None:
    monkeypatch.setattr(reading_load, "SENTENCES_AT_ONCE", 8)
    assert reading_load.is_long(_list(*texts), limit) is long
