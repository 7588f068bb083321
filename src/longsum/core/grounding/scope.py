"""Statements about all, most or only some things which no source makes."""

from collections.abc import Iterator, Sequence

from longsum.core.grounding.stemmed_text import Span, StemmedText

_LEXICON = """
all: all every each entire entirely whole wholly everyone everybody everything everywhere always
constantly invariably consistently continually continuously total totally full throughout universal
universally unanimous unanimously without no none never nobody nothing nor neither across whenever
whatever whichever wherever;
only: only solely exclusively exclusive alone just merely sole single unique except exception other
but unless limited limit restricted restrict confined until one nothing no not lone unlike own
specifically purely simply;
most: most majority mostly mainly largely primarily predominantly predominant usually generally
typically often half main chiefly many percent almost nearly vast dominant more bulk
"""
_WORDS = {
    name.strip(): frozenset(words.split())
    for name, _, words in (entry.partition(":") for entry in _LEXICON.split(";"))
}
_KINDS = {
    **dict.fromkeys(("all", "every", "everyone", "everybody", "everywhere", "always"), "all"),
    **dict.fromkeys(("only", "solely", "exclusively"), "only"),
    **dict.fromkeys(("most", "majority"), "most"),
}
_NOT_AFTER = frozenset(["at", "after", "above", "among", "not", "cannot"])
"""Words before "all" or "always" that change the meaning: `at all`, `not always`."""
_NOT_BEFORE = frozenset(["or", "the", "while"])
"""Words after "all": `all or part`, `all the while`; `all the` of a single thing means `the`."""
_NEXT = 2
"""Content words after a quantifier that count as what it refers to."""
_REACH = 6
"""Most words between a quantifier in a source and one of these content words."""


def unscoped(claim: StemmedText, sources: Sequence[StemmedText]) -> Iterator[Span]:
    """Yield the quantifiers by which a claim refers to all, most or only some things.

    Quantifiers are left out if a source has the same one, or an equivalent (`without exception`,
    `No state`), near the same things. Of 83 quantifiers in references of validation splits, 17 are
    yielded; of 621 that were inserted before a plural there, 381 are.
    """
    for place, term in enumerate(claim.terms):
        if not _limits(claim.terms, place):
            continue
        content = (at for at in range(place + 1, len(claim.terms)) if claim.content[at])
        stems = {claim.stems[at] for at, _ in zip(content, range(_NEXT), strict=False)}
        words = _WORDS[_KINDS[term]]
        if stems and not any(_near(source, words, stems) for source in sources):
            yield claim.span(place)


def _limits(terms: Sequence[str], place: int) -> bool:
    """Return whether a word is a quantifier that says how many things a sentence is about."""
    before = terms[place - 1] if place else ""
    after = terms[place + 1] if place + 1 < len(terms) else ""
    kind = _KINDS.get(terms[place])
    if kind == "all":
        return before not in _NOT_AFTER and after not in _NOT_BEFORE
    if kind == "only":
        # Elsewhere it may modify any word of the sentence.
        return place == 0
    if kind == "most":
        # Not `the most important`.
        return after == "of" or (terms[place] == "most" and after.endswith("s"))
    return False


def _near(source: StemmedText, words: frozenset[str], stems: set[str]) -> bool:
    """Return whether any of some words occurs near any of some stems."""
    places = [at for at, stem in enumerate(source.stems) if stem in stems]
    return any(
        term in words and any(abs(at - place) <= _REACH for place in places)
        for at, term in enumerate(source.terms)
    )
