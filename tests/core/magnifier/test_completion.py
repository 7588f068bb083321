"""A model's text is brought to the requested length with sentences of the document."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

import pytest

from longsum import load_system
from longsum.core.magnifier.completion import Completed, reach_any_length
from longsum.core.summaries import Budget, Coverage, SourceSpan, Summary, SummarySentence
from longsum.core.systems.system import Request, System

WROTE = "Mining takes electricity."


class Writer(System):
    """Writes the same sentences for any length, each based on one of the document."""

    name = "tiny"
    writes = True
    takes_focus = True
    settings: ClassVar[dict[str, float]] = {"temperature": 0.0}

    def __init__(self, rests_on: Sequence[int]) -> None:
        self._rests_on = rests_on

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        for budget in budgets:
            sentences = tuple(
                SummarySentence(
                    f"{WROTE[:-1]}{' on and on' * at}.",
                    (SourceSpan.of(request.document, source, 0.5, "cited"),),
                    0.5,
                    {},
                    at,
                )
                for at, source in enumerate(self._rests_on)
            )
            yield Summary(
                document=request.document,
                sentences=sentences,
                budget=budget,
                coverage=Coverage.whole(request.document),
                system=self.name,
                finish_reason="model_end",
            )


def positions(sentences: Sequence[SummarySentence]) -> list[int]:
    return [source.sentence for sentence in sentences for source in sentence.sources]


def test_the_models_text_is_whole_and_comes_before_added_sentences(brief) -> None:
    chosen = positions(load_system("stepwise").summarize(brief, Budget(100)).sentences)
    writer = Writer(chosen[:2])
    made = reach_any_length(writer).summarize(brief, Budget(120))
    wrote = writer.summarize(brief, Budget(120)).sentences
    added = made.sentences[len(wrote) :]
    assert made.sentences[: len(wrote)] == wrote
    assert added
    assert made.words <= 120
    places = positions(added)
    assert places == sorted(places)
    # What the reader already knows is not repeated.
    assert not {*places} & {*chosen[:2]}
    assert {sentence.origin for sentence in added} == {"copied"}
    assert f"{len(added)} of {len(made.sentences)}; --as-written" in made.warnings[-1]
    assert made.settings == {"temperature": 0.0, "completed_by": "stepwise"}
    assert sorted(each.step for each in made.sentences) == list(range(len(made.sentences)))


def test_all_lengths_share_one_text_of_the_model(brief) -> None:
    system = Completed(Writer([3, 8, 9]))
    lengths = [Budget(words) for words in (4, 15, 80, 200)]
    shortest, whole, longer, longest = system.at_lengths(brief, lengths, start=2).summaries
    assert [each.text for each in shortest.sentences] == [WROTE]
    # The model wrote 3, 6 and 9 words, which do not fit in 15.
    assert whole.words <= 15
    assert not set(positions(longer.sentences)) - set(positions(longest.sentences))
    assert longer.words <= 80 < longest.words <= 200
    assert system.summarize(brief, Budget(80)) == longer


def test_without_text_from_the_model_the_summary_is_extractive(small) -> None:
    silent = Completed(Writer([]))
    made = silent.summarize(small, Budget(40))
    alone = load_system("stepwise").summarize(small, Budget(40))
    assert [each.text for each in made.sentences] == [each.text for each in alone.sentences]
    nothing = silent.summarize(small, Budget(2))
    assert not nothing.sentences
    assert nothing.warnings == ("No sentence fits in 2w.",)


def test_a_text_that_fills_its_length_stays_as_it_is(brief) -> None:
    made = Completed(Writer([4])).summarize(brief, Budget(3))
    assert [each.text for each in made.sentences] == [WROTE]
    assert made.finish_reason == "model_end"
    assert made.warnings == ()


@pytest.mark.parametrize("name", ["stepwise", "kernels", "graph", "lead"])
def test_known_sentences_count_as_earlier_choices(name: str, brief) -> None:
    system = load_system(name)
    if "fill" in system.settings:
        system = system.with_fill("strict")
    by_step = sorted(
        system.summarize(brief, Budget(150)).sentences, key=lambda sentence: sentence.step
    )
    told, later = by_step[:3], by_step[3:]
    assert later
    request = Request(brief, Budget(150), known=tuple(positions(told)))
    room = Budget(150 - sum(Budget(1).cost(each.text) for each in told))
    (rest,) = system.lengths(Request(brief, room, known=request.known), [room])
    assert {each.text for each in rest.sentences} >= {each.text for each in later[:2]}
