"""Statements that one text denies and another affirms."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longsum.core.grounding.stemmed_text import Span, StemmedText
from longsum.language.words import stop_words

_LEXICON = """
negating: not no never none nobody nothing nowhere neither nor without cannot hardly scarcely
unable unlikely failed fail fails refused refuse lack lacks lacked;
otherwise: few little rarely seldom only except deny denied denies reject rejected prevent
prevented avoid avoided against oppose opposed absent absence free instead rather ignore ignored
stop stopped ceased forbid forbidden prohibit prohibited disagree disagreed doubt doubted missed
bypass bypassing exclude excluded excluding impossible independent regardless despite contrary;
bounds: and but while whereas although though because since that which who despite when if;
hedges: may might could perhaps possibly probably likely plan plans planned hope hopes hoped
hoping intend intends intended almost nearly seem seems seemed appear appears appeared;
uncertain: can would should will future potential potentially apparently believe believes believed
think thinks suspect suspected suggest suggests suggested propose proposed proposes expect expects
expected if unless most mostly usually often generally largely virtually aim aims about around
roughly uncertain unclear unsure possible want wants wanted try tries tried
"""
_WORDS = {
    name.strip(): frozenset(words.split())
    for name, _, words in (entry.partition(":") for entry in _LEXICON.split(";"))
}
_NEGATING = _WORDS["negating"]
_OTHERWISE = _WORDS["otherwise"]
"""Words by which a text may deny something without a negating word."""
_PREFIXES = ("un", "in", "im", "dis", "non", "ir", "mis")
_SCOPE = 2
"""Number of content words after a negating word that count as negated."""
_REACH = 7
"""Number of words on either side of a word that may deny it in another way."""
_LEAST_SHARED = 2
"""Fewest content words that both texts must share around a word that one of them denies."""
_BOUNDS = _WORDS["bounds"]


@dataclass(frozen=True, slots=True)
class _Denial:
    """A negating word and what it negates.

    Attributes:
        at: Position of the negating word.
        places: Positions of the content words that it negates.
    """

    at: int
    places: tuple[int, ...]


def contrary(claim: StemmedText, source: StemmedText) -> Iterator[tuple[Span, Span]]:
    """Yield at most one pair of spans where one of two texts denies what the other says.

    It is no difference if the other text also denies one of the same words, or may deny it in
    another way.

    Yields:
        The clause of the claim, and the span of the source, from its negating word if it has one.
    """
    claim_denials, source_denials = list(_denials(claim)), list(_denials(source))
    for one, denials, other, other_denials in (
        (source, source_denials, claim, claim_denials),
        (claim, claim_denials, source, source_denials),
    ):
        unmatched = _unmatched(one, denials, other, other_denials)
        other_unmatched = _unmatched(other, other_denials, one, denials)
        otherwise = sum(term in _OTHERWISE for term in other.terms)
        if len(unmatched) <= len(other_unmatched) + otherwise:
            continue
        for denial in unmatched:
            for place in denial.places:
                at = _first_place(other, one.stems[place])
                if at is None or _denied_otherwise(
                    other, at, [one.stems[negated] for negated in denial.places]
                ):
                    continue
                if one.shared_around(place, other, at) < _LEAST_SHARED:
                    continue
                denying = one.span(denial.at, place)
                if one is source:
                    yield _clause(claim, at), denying
                else:
                    yield denying, other.span(at)
                return


def undenied(claim: StemmedText, sources: Sequence[StemmedText]) -> Iterator[Span]:
    """Yield the denials of a claim whose words sources mention and none of them denies."""
    for denial in _denials(claim):
        stems = [claim.stems[place] for place in denial.places]
        mentions = [
            (source, at)
            for source in sources
            for at, stem in enumerate(source.stems)
            if stem in stems
        ]
        if mentions and not any(_denied_otherwise(source, at, stems) for source, at in mentions):
            yield claim.span(denial.at, denial.places[-1])


def _unmatched(
    one: StemmedText, denials: list[_Denial], other: StemmedText, other_denials: list[_Denial]
) -> list[_Denial]:
    """Return the denials of a text that the other does not have."""
    denied = {other.stems[place] for denial in other_denials for place in denial.places}
    return [
        denial
        for denial in denials
        if denied.isdisjoint(one.stems[place] for place in denial.places)
    ]


def _first_place(text: StemmedText, stem: str) -> int | None:
    """Return the position of the first word with a stem; None if there is none."""
    return next((at for at, other in enumerate(text.stems) if other == stem), None)


def _denied_otherwise(text: StemmedText, at: int, stems: Sequence[str]) -> bool:
    """Return whether words near a position may deny the word there, or a prefix one of `stems`."""
    for other in range(max(at - _REACH, 0), min(at + _REACH + 1, len(text.terms))):
        term = text.terms[other]
        if negates(term) or term in _OTHERWISE:
            return True
        if any(term.startswith(f"{prefix}{stem[:4]}") for prefix in _PREFIXES for stem in stems):
            return True
    return False


def _clause(text: StemmedText, at: int) -> Span:
    """Return the span of the clause around a word, by marks and words that divide clauses."""
    first = last = at
    while first > 0 and not divided(text, first - 1) and text.terms[first - 1] not in _BOUNDS:
        first -= 1
    while (
        last + 1 < len(text.terms)
        and not divided(text, last)
        and text.terms[last + 1] not in _BOUNDS
    ):
        last += 1
    return text.span(first, last)


def divided(text: StemmedText, place: int) -> bool:
    """Return whether a clause-dividing mark follows a word."""
    return any(mark in text.text[text.ends[place] : text.starts[place + 1]] for mark in ",;:()—–")


def negates(term: str) -> bool:
    """Return whether a word negates those after it."""
    return term in _NEGATING or term.endswith("n't")


def _denials(text: StemmedText) -> Iterator[_Denial]:
    """Yield the denials of a text.

    "Not only" and "no doubt" deny nothing, nor does the "no" before a number (No. 5); "rather than"
    does.
    """
    stop = stop_words()
    for place, term in enumerate(text.terms):
        following = text.terms[place + 1] if place + 1 < len(text.terms) else ""
        rather_than = term == "rather" and following == "than"
        if not rather_than and (
            not negates(term)
            or following in ("only", "but", "least", "doubt", "longer")
            or following.isdigit()
        ):
            continue
        scope: list[int] = []
        for at in range(place + 1, len(text.terms)):
            if len(scope) == _SCOPE or negates(text.terms[at]) or divided(text, at - 1):
                break
            if text.terms[at].isalpha() and text.terms[at] not in stop:
                scope.append(at)
        if scope:
            yield _Denial(place, tuple(scope))


def negated(text: str) -> Iterator[tuple[str, Span]]:
    """Yield the content words that a text negates: `_SCOPE` of them after each negating word.

    Yields:
        The word in lower case, and the span from the negating word to its end.
    """
    stemmed = StemmedText.of(text)
    for denial in _denials(stemmed):
        for place in denial.places:
            yield stemmed.terms[place], stemmed.span(denial.at, place)


_HEDGES = _WORDS["hedges"]
_UNCERTAIN = _HEDGES | _WORDS["uncertain"]
"""Words that leave a statement open; those in `_HEDGES` affect only the next words."""


def unhedged(claim: StemmedText, source: StemmedText) -> Iterator[tuple[Span, Span]]:
    """Yield where a claim states as certain what its source leaves open ("might", "plans to")."""
    if not _UNCERTAIN.isdisjoint(claim.terms):
        return
    stop = stop_words()
    for place, term in enumerate(source.terms):
        if term not in _HEDGES or (term == "may" and source.text[source.starts[place]] == "M"):
            continue
        scope = [
            at
            for at in range(place + 1, min(place + _REACH, len(source.terms)))
            if source.terms[at].isalpha() and source.terms[at] not in stop
        ][:_SCOPE]
        for at in scope:
            position = _first_place(claim, source.stems[at])
            if (
                position is not None
                and not _denied_otherwise(claim, position, [claim.stems[position]])
                and claim.shared_around(position, source, at) >= _LEAST_SHARED
            ):
                yield _clause(claim, position), source.span(place, at)
                return
