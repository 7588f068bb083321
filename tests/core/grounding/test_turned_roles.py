"""Who does what to whom is compared by parses, whatever the voice and word order."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.core.grounding.clauses import ACTED_ON, ACTOR, COMPARED, ParsedText, Word
from longsum.core.grounding.turned_roles import in_other_company, on_other_side

NAMES = ("Rome", "Carthage", "Athens", "Sparta", "Thebes")
VERBS = ("defeated", "attacked", "invited", "followed", "replaced")


def parsed(rows: str) -> ParsedText:
    """Make a parsed sentence from rows of text, part of speech, relation, head and tag."""
    words, start = [], 0
    for row in rows.split("; "):
        text, kind, relation, head, *form = row.split()
        words.append(Word(text, start, text.lower(), kind, "".join(form), relation, int(head)))
        start += len(text) + 1
    return ParsedText(words)


Way = Callable[[str, str, str], ParsedText]


def way(rows: str) -> Way:
    """Return a function that makes a sentence in which one name acts on another by a verb."""
    return lambda one, verb, other: parsed(rows.format(one, verb, other))


active = way("{0} PROPN nsubj 1; {1} VERB ROOT 1 VBD; {2} PROPN dobj 1")
passive = way(
    "{2} PROPN nsubjpass 2; was AUX auxpass 2; {1} VERB ROOT 2 VBN; "
    "by ADP agent 2; {0} PROPN pobj 3"
)
relative = way(
    "{0} PROPN nsubj 4; who PRON nsubj 2; {1} VERB relcl 0 VBD; {2} PROPN dobj 2; "
    "left VERB ROOT 4 VBD"
)
relative_of_object = way("{2} PROPN nsubj 3; {0} PROPN nsubj 2; {1} VERB relcl 0; left VERB ROOT 3")
participle = way(
    "{2} PROPN nsubj 4; {1} VERB acl 0 VBN; by ADP agent 1; {0} PROPN pobj 2; left VERB ROOT 4 VBD"
)
# They share their subject.
joined = way(
    "{0} PROPN nsubj 1; came VERB ROOT 1 VBD; and CCONJ cc 1; {1} VERB conj 1 VBD; {2} PROPN dobj 3"
)
WAYS = (active, passive, relative, relative_of_object, participle, joined)
TWO_NAMES = st.permutations(NAMES).map(lambda names: names[:2])


def found(claim: ParsedText, *sources: ParsedText) -> bool:
    """Return whether a claim swaps the roles of its first source."""
    return on_other_side(claim, sources[0], sources[1:]) is not None


@given(st.sampled_from(WAYS), st.sampled_from(WAYS), st.sampled_from(VERBS), TWO_NAMES)
def test_swapped_roles_are_found_but_not_a_change_of_construction(
    claim: Way, source: Way, verb: str, names: list[str]
) -> None:
    one, other = names
    assert not found(claim(one, verb, other), source(one, verb, other))
    assert found(claim(other, verb, one), source(one, verb, other))


@given(st.sampled_from(WAYS), st.permutations(VERBS), TWO_NAMES)
def test_roles_are_compared_only_under_the_same_verb(
    how: Way, verbs: list[str], names: list[str]
) -> None:
    one, other = names
    assert not found(how(other, verbs[0], one), how(one, verbs[1], other))


def test_a_swap_that_another_source_supports_is_not_reported() -> None:
    claim, source = active("Rome", "attacked", "Sparta"), active("Sparta", "attacked", "Rome")
    assert found(claim, source)
    assert not found(claim, source, passive("Rome", "attacked", "Sparta"))


def test_a_role_without_another_filler_is_not_swapped() -> None:
    """ "Rome surrendered" and "they surrendered Rome": nobody else acts in the first."""
    alone = parsed("Rome PROPN nsubj 1; surrendered VERB ROOT 1 VBD")
    assert not found(alone, parsed("surrendered VERB ROOT 0; Rome PROPN dobj 0"))
    by_others = parsed("they PRON nsubj 1; surrendered VERB ROOT 1; Rome PROPN dobj 1")
    assert found(alone, by_others)


def test_members_of_a_list_may_change_places() -> None:
    both = way(
        "{0} PROPN nsubj 3; and CCONJ cc 0; {2} PROPN conj 0; {1} VERB ROOT 3; Thebes PROPN dobj 3"
    )
    source = both("Rome", "attacked", "Sparta")
    assert not found(both("Sparta", "attacked", "Rome"), source)
    assert not found(active("Sparta", "attacked", "Thebes"), source)
    assert found(active("Thebes", "attacked", "Rome"), source)


@pytest.mark.parametrize("word", ["than", "unlike", "from", "against"])
def test_subjects_and_prepositional_objects_are_distinguished(word: str) -> None:
    led = f"{word} ADP prep {2 if word == 'than' else 1}; {{2}} PROPN pobj 3"
    compared = way(f"{{0}} PROPN nsubj 1; {{1}} VERB ROOT 1; larger ADJ acomp 1; {led}")
    one, turned = (compared(a, "remained", b) for a, b in (NAMES[:2], NAMES[1::-1]))
    assert found(turned, one)
    assert not found(one, one)


def test_words_on_both_sides_do_not_distinguish_them() -> None:
    settlers = way(
        "{0} PROPN compound 1; settlers NOUN nsubj 2; {1} VERB ROOT 2; "
        "{2} PROPN compound 4; settlers NOUN dobj 2"
    )
    claim = settlers("Rome", "attacked", "Sparta")
    assert found(claim, settlers("Sparta", "attacked", "Rome"))
    assert not found(claim, settlers("Rome", "attacked", "Thebes"))


def test_the_spans_found_are_the_argument_and_its_verb_in_both_texts() -> None:
    claim, source = active("Rome", "attacked", "Sparta"), passive("Sparta", "attacked", "Rome")
    spans = on_other_side(claim, source, ())
    assert spans is not None
    (start, end), (first, last) = spans
    assert "Rome attacked Sparta"[start:end] == "Rome attacked"
    assert "Rome was attacked by Sparta"[first:last] == "Rome was attacked"


def test_a_phrase_includes_its_modifiers() -> None:
    """ "people from Crete" includes Crete; what follows "with" is an argument of the verb."""
    text = parsed(
        "people NOUN nsubj 3; from ADP prep 0; Crete PROPN pobj 1; sailed VERB ROOT 3; "
        "with ADP prep 3; Greeks PROPN pobj 4"
    )
    (clause,) = text.clauses
    (people,) = clause.sides[ACTOR]
    assert people.core == {"peopl"}
    assert people.whole == {"peopl", "crete"}
    assert [each.core for each in clause.sides["with"]] == [{"greek"}]
    assert ACTED_ON not in clause.sides


def test_a_comparison_belongs_only_to_its_own_clause() -> None:
    said, had = parsed(
        "Rome PROPN nsubj 1; said VERB ROOT 1; Thebes PROPN nsubj 3; had VERB ccomp 1; "
        "more ADJ amod 5; ships NOUN dobj 3; than ADP prep 5; Sparta PROPN pobj 6"
    ).clauses
    assert COMPARED not in said.sides
    assert [each.core for each in had.sides[COMPARED]] == [{"sparta"}]


def two(one: str, first: str, other: str, second: str) -> ParsedText:
    """Make a sentence in which two people do two different things."""
    return parsed(
        f"{one} PROPN nsubj 1; wrote VERB ROOT 1; {first} NOUN dobj 1; while SCONJ mark 5; "
        f"{other} PROPN nsubj 5; painted VERB advcl 1; {second} NOUN dobj 5"
    )


@given(TWO_NAMES)
def test_names_that_exchange_their_company_are_found(names: list[str]) -> None:
    one, other = names
    source = two(one, "poems", other, "walls")
    assert in_other_company(source, source) is None
    spans = in_other_company(two(other, "poems", one, "walls"), source)
    assert spans is not None
    own, there = spans
    assert own == (0, len(f"{other} wrote poems while {one}"))
    assert there == (0, len(f"{one} wrote poems while {other}"))


def test_the_order_of_clauses_does_not_matter() -> None:
    claim = parsed(
        "Sparta PROPN nsubj 1; painted VERB ROOT 1; walls NOUN dobj 1; while SCONJ mark 5; "
        "Rome PROPN nsubj 5; wrote VERB advcl 1; poems NOUN dobj 5"
    )
    assert in_other_company(claim, two("Rome", "poems", "Sparta", "walls")) is None


def test_words_of_one_phrase_are_not_compared() -> None:
    """ "fat percentages" and "percentages of fat" say the same."""
    claim = parsed("fat NOUN compound 1; percentages NOUN nsubj 2; rose VERB ROOT 2")
    source = parsed("percentages NOUN compound 1; fat NOUN nsubj 2; rose VERB ROOT 2")
    assert claim.within(0, 1)
    assert not claim.within(1, 0)
    assert in_other_company(claim, source) is None


def test_a_word_that_is_frequent_in_the_source_is_ignored() -> None:
    claim, source = two("Rome", "poems", "Sparta", "walls"), two("Sparta", "poems", "Rome", "walls")
    rows = [f"{w.text} {w.kind} {w.relation} {w.head}" for w in source.words]
    assert in_other_company(claim, source) is not None
    for times, is_found in ((2, True), (3, False)):
        again = [f"Rome PROPN dep {len(rows) + place}" for place in range(times)]
        assert (in_other_company(claim, parsed("; ".join([*rows, *again]))) is not None) == is_found
