"""Who does what to whom is compared by parses, whatever the voice and the order of words."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.core.grounding.clauses import ACTED_ON, ACTOR, COMPARED, ParsedText, Word
from longsum.core.grounding.turned_roles import in_other_company, on_other_side

NAMES = ("Rome", "Carthage", "Athens", "Sparta", "Thebes")
VERBS = ("defeated", "attacked", "invited", "followed", "replaced")


def parsed(*rows: str) -> ParsedText:
    """Return a sentence whose words are given as text, part of speech, relation, head and tag."""
    words, start = [], 0
    for row in rows:
        text, kind, relation, head, *form = row.split()
        words.append(Word(text, start, text.lower(), kind, "".join(form), relation, int(head)))
        start += len(text) + 1
    return ParsedText(words)


def active(one: str, verb: str, other: str) -> ParsedText:
    return parsed(f"{one} PROPN nsubj 1", f"{verb} VERB ROOT 1 VBD", f"{other} PROPN dobj 1")


def passive(one: str, verb: str, other: str) -> ParsedText:
    """Return that the first of two did something to the other, in the passive."""
    return parsed(
        f"{other} PROPN nsubjpass 2",
        "was AUX auxpass 2",
        f"{verb} VERB ROOT 2 VBN",
        "by ADP agent 2",
        f"{one} PROPN pobj 3",
    )


def relative(one: str, verb: str, other: str) -> ParsedText:
    return parsed(
        f"{one} PROPN nsubj 4",
        "who PRON nsubj 2",
        f"{verb} VERB relcl 0 VBD",
        f"{other} PROPN dobj 2",
        "left VERB ROOT 4 VBD",
    )


def relative_of_object(one: str, verb: str, other: str) -> ParsedText:
    return parsed(
        f"{other} PROPN nsubj 3", f"{one} PROPN nsubj 2", f"{verb} VERB relcl 0", "left VERB ROOT 3"
    )


def participle(one: str, verb: str, other: str) -> ParsedText:
    return parsed(
        f"{other} PROPN nsubj 4",
        f"{verb} VERB acl 0 VBN",
        "by ADP agent 1",
        f"{one} PROPN pobj 2",
        "left VERB ROOT 4 VBD",
    )


def joined(one: str, verb: str, other: str) -> ParsedText:
    """Return that one came and did something to another, which share their subject."""
    return parsed(
        f"{one} PROPN nsubj 1",
        "came VERB ROOT 1 VBD",
        "and CCONJ cc 1",
        f"{verb} VERB conj 1 VBD",
        f"{other} PROPN dobj 3",
    )


WAYS = (active, passive, relative, relative_of_object, participle, joined)
Way = Callable[[str, str, str], ParsedText]
TWO_NAMES = st.permutations(NAMES).map(lambda names: names[:2])


def found(claim: ParsedText, *sources: ParsedText) -> bool:
    """Return whether a claim turns round its first source."""
    return on_other_side(claim, sources[0], sources[1:]) is not None


@given(st.sampled_from(WAYS), st.sampled_from(WAYS), st.sampled_from(VERBS), TWO_NAMES)
def test_a_swap_of_who_acts_is_found_and_a_change_of_form_is_none(
    claim: Way, source: Way, verb: str, names: list[str]
) -> None:
    one, other = names
    assert not found(claim(one, verb, other), source(one, verb, other))
    assert found(claim(other, verb, one), source(one, verb, other))


@given(st.sampled_from(WAYS), st.permutations(VERBS), TWO_NAMES)
def test_nothing_is_turned_under_another_verb(way: Way, verbs: list[str], names: list[str]) -> None:
    one, other = names
    assert not found(way(other, verbs[0], one), way(one, verbs[1], other))


def test_a_swap_is_none_where_another_source_says_it() -> None:
    claim, source = active("Rome", "attacked", "Sparta"), active("Sparta", "attacked", "Rome")
    assert found(claim, source)
    assert not found(claim, source, passive("Rome", "attacked", "Sparta"))


def test_what_nothing_else_replaces_is_not_turned() -> None:
    """ "Rome surrendered" and "they surrendered Rome": the first has no other who acts."""
    alone = parsed("Rome PROPN nsubj 1", "surrendered VERB ROOT 1 VBD")
    assert not found(alone, parsed("surrendered VERB ROOT 0", "Rome PROPN dobj 0"))
    by_others = parsed("they PRON nsubj 1", "surrendered VERB ROOT 1", "Rome PROPN dobj 1")
    assert found(alone, by_others)


def test_members_of_a_list_may_change_places() -> None:
    def both(one: str, other: str) -> ParsedText:
        return parsed(
            f"{one} PROPN nsubj 3",
            "and CCONJ cc 0",
            f"{other} PROPN conj 0",
            "attacked VERB ROOT 3",
            "Thebes PROPN dobj 3",
        )

    assert not found(both("Rome", "Sparta"), both("Sparta", "Rome"))
    assert not found(active("Sparta", "attacked", "Thebes"), both("Rome", "Sparta"))
    assert found(active("Thebes", "attacked", "Rome"), both("Rome", "Sparta"))


def other_side(one: str, other: str, *, word: str = "than") -> ParsedText:
    head = 2 if word == "than" else 1
    return parsed(
        f"{one} PROPN nsubj 1",
        "remained VERB ROOT 1",
        "larger ADJ acomp 1",
        f"{word} ADP prep {head}",
        f"{other} PROPN pobj 3",
    )


@pytest.mark.parametrize("word", ["than", "unlike", "from", "against"])
def test_subjects_and_what_prepositions_lead_to_are_told_apart(word: str) -> None:
    one, turned = (other_side(*names, word=word) for names in (NAMES[:2], NAMES[1::-1]))
    assert found(turned, one)
    assert not found(one, one)


def test_words_that_both_sides_have_tell_neither() -> None:
    def settlers(one: str, other: str) -> ParsedText:
        return parsed(
            f"{one} PROPN compound 1",
            "settlers NOUN nsubj 2",
            "attacked VERB ROOT 2",
            f"{other} PROPN compound 4",
            "settlers NOUN dobj 2",
        )

    assert found(settlers("Rome", "Sparta"), settlers("Sparta", "Rome"))
    assert not found(settlers("Rome", "Sparta"), settlers("Rome", "Thebes"))


def test_what_is_found_are_the_argument_and_its_verb_in_both() -> None:
    claim, source = active("Rome", "attacked", "Sparta"), passive("Sparta", "attacked", "Rome")
    spans = on_other_side(claim, source, ())
    assert spans is not None
    (start, end), (first, last) = spans
    assert "Rome attacked Sparta"[start:end] == "Rome attacked"
    assert "Rome was attacked by Sparta"[first:last] == "Rome was attacked"


def test_a_phrase_has_what_says_which_one_is_meant() -> None:
    """ "people from Crete" are told by Crete; what follows "with" is a side of the verb."""
    text = parsed(
        "people NOUN nsubj 3",
        "from ADP prep 0",
        "Crete PROPN pobj 1",
        "sailed VERB ROOT 3",
        "with ADP prep 3",
        "Greeks PROPN pobj 4",
    )
    (clause,) = text.clauses
    (people,) = clause.sides[ACTOR]
    assert people.core == {"peopl"}
    assert people.whole == {"peopl", "crete"}
    assert [each.core for each in clause.sides["with"]] == [{"greek"}]
    assert ACTED_ON not in clause.sides


def test_a_comparison_below_a_verb_is_of_its_clause_alone() -> None:
    rows = (
        "Rome PROPN nsubj 1",
        "said VERB ROOT 1",
        "Thebes PROPN nsubj 3",
        "had VERB ccomp 1",
        "more ADJ amod 5",
        "ships NOUN dobj 3",
        "than ADP prep 5",
        "Sparta PROPN pobj 6",
    )
    said, had = parsed(*rows).clauses
    assert COMPARED not in said.sides
    assert [each.core for each in had.sides[COMPARED]] == [{"sparta"}]


def two(one: str, first: str, other: str, second: str) -> ParsedText:
    """Return that somebody did something, while somebody else did something else."""
    return parsed(
        f"{one} PROPN nsubj 1",
        "wrote VERB ROOT 1",
        f"{first} NOUN dobj 1",
        "while SCONJ mark 5",
        f"{other} PROPN nsubj 5",
        "painted VERB advcl 1",
        f"{second} NOUN dobj 5",
    )


@given(TWO_NAMES)
def test_names_that_take_each_others_company_are_found(names: list[str]) -> None:
    one, other = names
    source = two(one, "poems", other, "walls")
    assert in_other_company(source, source) is None
    spans = in_other_company(two(other, "poems", one, "walls"), source)
    assert spans is not None
    own, there = spans
    assert own == (0, len(f"{other} wrote poems while {one}"))
    assert there == (0, len(f"{one} wrote poems while {other}"))


def test_the_order_of_clauses_is_no_company() -> None:
    claim = parsed(
        "Sparta PROPN nsubj 1",
        "painted VERB ROOT 1",
        "walls NOUN dobj 1",
        "while SCONJ mark 5",
        "Rome PROPN nsubj 5",
        "wrote VERB advcl 1",
        "poems NOUN dobj 5",
    )
    assert in_other_company(claim, two("Rome", "poems", "Sparta", "walls")) is None


def test_words_of_one_phrase_are_not_compared() -> None:
    """ "fat percentages" and "percentages of fat" say the same."""
    claim = parsed("fat NOUN compound 1", "percentages NOUN nsubj 2", "rose VERB ROOT 2")
    source = parsed("percentages NOUN compound 1", "fat NOUN nsubj 2", "rose VERB ROOT 2")
    assert claim.within(0, 1)
    assert not claim.within(1, 0)
    assert in_other_company(claim, source) is None


def test_a_word_at_many_places_of_the_source_says_little() -> None:
    claim, source = two("Rome", "poems", "Sparta", "walls"), two("Sparta", "poems", "Rome", "walls")
    rows = [f"{w.text} {w.kind} {w.relation} {w.head}" for w in source.words]
    assert in_other_company(claim, source) is not None
    for times, is_found in ((2, True), (3, False)):
        again = [f"Rome PROPN dep {len(rows) + place}" for place in range(times)]
        assert (in_other_company(claim, parsed(*rows, *again)) is not None) == is_found
