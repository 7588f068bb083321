"""Facts are looked up in increasingly long texts until they are found."""

import pytest

from closest_phrase import Cautious, ClosestPhrase
from key_facts import check_fact, key_facts
from longsum.lab.checking.apes import BLANK, Cloze

FACT = Cloze(f"The agency hired {BLANK} in 2019.", "Alice Smith")
SAID = "The agency hired Alice Smith in 2019."
OTHER = "Bob Jones left the council in 2017."


class Script:
    """Gives scripted answers, one after the other."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)

    def answer(self, question: str, context: str) -> str:
        assert question
        assert context
        return self.answers.pop(0)


def test_a_reader_stops_at_its_first_answer() -> None:
    found = check_fact(FACT, ["one", "one two", "one two three"], Script("", "Bob", "alice smith"))
    told = (found.right, found.shown, found.words, found.known)
    assert told == ((False, False, True), 2, 2, False)


def test_facts_are_those_that_the_document_can_answer() -> None:
    reference = "Alice Smith hired 40 people in 2019. She left for Paris."
    found = key_facts([reference], "In 2019 Alice Smith hired forty. Parisians cheered.", 9)
    assert [each.answer for each in found] == ["Alice Smith", "2019"]
    assert [each.answer for each in key_facts(["No.", reference], "Alice Smith, 2019", 1)] == [
        "Alice Smith"
    ]
    assert key_facts([], "Alice Smith", 3) == []


def test_the_closest_phrase_is_at_the_place_of_the_blank() -> None:
    reader = ClosestPhrase()
    assert reader.answer(FACT.question, f"{OTHER} {SAID}") == "Alice Smith"
    moved = "In 2019, the agency hired Bob Jones, and Alice Smith left."
    assert reader.answer(FACT.question, moved) == "Bob Jones"
    assert reader.answer(FACT.question, "no names here") == ""
    # Of equally good ones the first.
    twice = f"{SAID} {SAID.replace('Alice Smith', 'Bob Jones')}"
    assert reader.answer(FACT.question, twice) == "Alice Smith"


@pytest.mark.parametrize(
    ("context", "told"), [(SAID, True), (OTHER, False), ("Alice Smith sings. " + OTHER, False)]
)
def test_a_cautious_reader_answers_only_if_the_sentence_matches_the_question(context, told) -> None:
    always = Script("Alice Smith" if "Alice" in context else "Bob Jones")
    assert (Cautious(always).answer(FACT.question, context) != "") is told
