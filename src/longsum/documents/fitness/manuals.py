"""Recognises what references of programs say in the form of entries, not of sentences.

A reference says of every function, option and command what it does, and its name is the subject:
`Returns the level.`, `The size of a digest.`, `[in] river: The river to measure.` Torn from the
entry, nobody knows what they are about. As in `longsum.documents.fitness.forms`, words are
English.
"""

import re
from collections.abc import Iterable

from longsum.language.words import count_words

_LEAST_CODE = 1 / 12
"""Least share of sentences with names of code in a manual; of research articles few have 1/25."""
_FEWEST_SENTENCES = 20
_CODE = re.compile(
    r"\w_\w|\w\(\)|\b[a-z]{2,}[A-Z][a-z]|(?<![\w-])--[a-z][\w-]+|\w::\w|\w->\w|\w\.[ch]\b"
)
_NAME = re.compile(
    r"(?>(?:(?!::|\(\S)\W|\d++(?:\.\d++)*\s)*)"
    r"(?:(?=[\w.:$*&~-]*(?:_|\(|::|\w\.\w|[a-z][A-Z]))\S*|[a-z][\w-]*(?:\s[<\[{]\S*)*)"
    r"(?:\s*\([^()]*\)|,\s\S+)*\W*"
)
_LONGEST_NAME = 160
_LONGEST_PHRASE = 40
_LONGEST_ANYWHERE = 10
"""Most words of a phrase outside an entry; longer instructions tell something by themselves."""
_DETERMINERS = r"(?:the|an?|any|each|every|this|that|its|whether|no|one|two|some|more)"
_WHAT_IS_DONE = """
accept act add allocate allow append apply behave calculate call cause change check clear close
compute construct contain control convert copy create declare define delete describe destroy
determine disable display enable ensure execute expect extract find force free get give identify
include increase indicate initialise initialize insert invoke limit list load make open parse pass
perform prevent print provide read register remove rename replace represent require reset retrieve
return save select set show specify start stop store supply take tell test turn update use verify
write
"""
_DONE = _WHAT_IS_DONE.split()
"""What functions and options do."""


def _of_one(verb: str) -> str:
    """Return the form of a verb after a singular: `writes`, `passes`, `specifies`."""
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch")) else f"{verb}s"


_TORN = re.compile(
    rf"(?:{'|'.join(map(_of_one, _DONE))}) (?!(?:is|are|was|were|can|may|must|should|will|have|of"
    r"|with|that|which|and|or|for|in|on|from|as|by|at|to)\b)",
    re.IGNORECASE,
)
_TOLD = re.compile(rf"(?:{'|'.join(_DONE)}) (?:{_DETERMINERS}|both)\b", re.IGNORECASE)
# What opens another clause than the main one.
_OPENING = re.compile(
    r"(?:if|when|while|whenever|to|in|on|at|by|for|from|with|without|before|after|since|because"
    r"|although|though|unless|until|once|as|note|remember|however|thus|therefore|also|then|there"
    r"|here|this|these|those|that|it|you|we|they|i|he|she|please|let|due|like|unlike|instead"
    r"|see|both|such|during|under|within)\b",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|does|do|did|can|could|may|might|must|shall|should|will"
    r"|would|cannot|you|we|they|he|she|it|i(?!\.))(?:n['’]t|['’](?:s|re|ll|ve|d))?\b"
    # A noun of many ends its phrase or follows a preposition.
    r"|(?<!\bof )(?<!\bfor )(?<!\bin )(?<!\bwith )(?<!\bfrom )(?<!\bto )(?<!\bby )(?<!\bon )"
    r"(?<!\band )(?<!\bor )(?<!\bas )(?<!\bany )(?<!\ball )(?<!\bunsigned )"
    r"(?<![\w.'’-])[a-z]{2,}[a-hj-rtv-z]s(?= (?!(?:which|that|who|and|or)\b)[\w\"'`‘“])",
)
_SUBORDINATE = re.compile(
    r"\b(?:which|that|who|whose|where|if|when|whether|unless|until|once|because|so|how|what)\b",
    re.IGNORECASE,
)


def is_of_programs(texts: Iterable[str]) -> bool:
    """Return whether sentences are of a manual of programs: many have names of code in them."""
    found = [_CODE.search(text) is not None for text in texts]
    return len(found) >= _FEWEST_SENTENCES and sum(found) >= _LEAST_CODE * len(found)


def names_code(title: str) -> bool:
    """Return whether a heading is the name of what its section defines: `gauge_open()`, `commit`.

    That is a name with the signs of code, an option, or one word without a capital.
    """
    return len(title) <= _LONGEST_NAME and _NAME.fullmatch(title) is not None


def lacks_subject(text: str) -> bool:
    """Return whether a sentence opens with what its entry does: `Returns the level.`."""
    return _TORN.match(text) is not None


def is_phrase(text: str, *, entry: bool = True) -> bool:
    """Return whether a text has no main clause, or one that tells somebody to do something.

    `The size of a digest.`, `Initialize the state.`, `Called when the file ends.` There is no
    tagger: every clause has a verb with the form of one, and what opens with an adverb or a
    pronoun passes.

    Args:
        text: The text.
        entry: Whether it stands below the name of what its section defines; elsewhere only short
            ones count.
    """
    longest = _LONGEST_PHRASE if entry else _LONGEST_ANYWHERE
    if count_words(text) > longest or _OPENING.match(text):
        return False
    if entry and _TOLD.match(text):
        return True
    return len(_FINITE.findall(text)) <= len(_SUBORDINATE.findall(text))
