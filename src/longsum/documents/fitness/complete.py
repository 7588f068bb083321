"""Distinguishes complete sentences from fragments: broken lines, one-word answers, entries.

A program reference says what each function, option and command does, with its name as the subject:
`Returns the level.`, `The size of a digest.`, `[in] river: The river to measure.` Outside the
entry, such sentences are incomprehensible. As in `longsum.documents.fitness.forms`, words are
English.
"""

import re
from collections.abc import Iterable
from unicodedata import category

from longsum.language.sentences import ends_as_sentence, opens_lower
from longsum.language.words import count_unspaced, count_words, word_list

_FEWEST_WORDS = 5
_MOST_WORDS = 80
_MOST_CHARACTERS = 200
_MIN_LETTERS = 0.7
_MIN_LETTERS_WITH_VERB = 0.5
_LONGEST_END = 40
# A sentence that breaks off, as marked in transcripts.
_BROKEN_OFF = re.compile(r"(?:--|—|–|\{\w+\}|\.\.\. ?\?)\W*\Z")
# Marks that open the rest of a sentence.
_MIDDLE = ("..", "…", ";", ",", ")", "]", "”", "’,")
_LOWER = re.compile(r"(?<![\w'’-])(?![A-Z])[\w'’-]+")
_BARE = re.compile(r"[\w'’-]+")
_SUBJECT_WORDS = """
everybody everyone he i it nobody nothing she someone something that there these they
this those we who you
"""
_SUBJECTS = frozenset(_SUBJECT_WORDS.split())
_VERBS = word_list(__package__, "common_verbs.txt")
"""The most common English verbs in all forms."""
_CONTRACTED = ("'m", "'s", "'re", "'ll", "'ve", "'d", "n't")


def is_complete(sentence: str, *, lower: bool = False, english: bool = True) -> bool:
    """Return whether a text has the form of a complete sentence.

    It has at most 80 words (in Chinese and Japanese 200 characters), is mostly letters, ends like a
    sentence, opens neither in lower case (except with a name) nor with marks of an omission, and
    has balanced parentheses. One with fewer than five words also needs a verb, which is recognised
    only in English.

    `lower` says whether the surrounding text is written without capitals.
    """
    words = count_words(sentence)
    most = _MOST_CHARACTERS if 2 * count_unspaced(sentence) > words else _MOST_WORDS
    if not ends_as_sentence(sentence) or words > most:
        return False
    if _BROKEN_OFF.search(sentence[-_LONGEST_END:]) or (not lower and opens_lower(sentence)):
        return False
    if sentence.startswith(_MIDDLE):
        return False
    opened, closed = sentence.count("("), sentence.count(")")
    if opened > closed or (opened < closed and sentence.rstrip(".").endswith(")")):
        return False
    least = _MIN_LETTERS_WITH_VERB if english and has_verb(sentence) else _MIN_LETTERS
    if _letters(sentence) < least * sum(map(len, sentence.split())):
        return False
    return words >= _FEWEST_WORDS or not english or has_verb(sentence)


def _letters(text: str) -> int:
    """Count letters, and the vowel signs of the scripts that write them as marks."""
    letters = sum(map(str.isalpha, text))
    if text.isascii():
        return letters
    return letters + sum(category(character)[0] == "M" for character in text)


def has_verb(text: str) -> bool:
    """Return whether a short English text has a verb: a common one, or a word after a subject.

    There is no tagger: `Rain fell.` has one, since `fell` is known; `Frogs spawn.` is missed.
    """
    straight = text.replace("’", "'")
    words = [word.lower() for word in _BARE.findall(straight)]
    if not (_VERBS.isdisjoint(words) and _SUBJECTS.isdisjoint(words[:-1])):
        return True
    if "'" in straight and any(word.endswith(_CONTRACTED) for word in words):
        return True
    past = _LOWER.findall(text) if "ed" in text else ()
    return any(len(word) > 4 and word.endswith("ed") for word in past)


_LEAST_CODE = 1 / 12
"""Minimum share of sentences with code names in a manual; few research articles reach 1/25."""
_FEWEST_SENTENCES = 20
# Two patterns take a third of the time of one: names with marks are searched at the marks.
_CODE = re.compile(
    r"[_(:.-](?:(?<=\w_)\w|(?<=\w\()\)|(?<=\w:):\w|(?<=\w-)>\w|(?<=\w\.)[ch]\b"
    r"|(?<=(?<![\w-])-)-[a-z][\w-])"
)
_CAMEL_CASE = re.compile(r"\b[a-z]{2,}[A-Z][a-z]")
_NAME = re.compile(
    r"(?>(?:(?!::|\(\S)\W|\d++(?:\.\d++)*\s)*)"
    r"(?:(?=[\w.:$*&~-]*(?:_|\(|::|\w\.\w|[a-z][A-Z]))\S*|[a-z][\w-]*(?:\s[<\[{]\S*)*)"
    r"(?:\s*\([^()]*\)|,\s\S+)*\W*"
)
_LONGEST_NAME = 160
_LONGEST_PHRASE = 40
_LONGEST_ANYWHERE = 10
"""Maximum words of a phrase outside an entry; longer instructions are informative alone."""
_DETERMINERS = r"(?:the|an?|any|each|every|this|that|its|whether|no|one|two|some|more)"
_DONE = sorted(word_list(__package__, "program_verbs.txt"))
"""Verbs for what functions and options do."""


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
# Openings of subordinate clauses.
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
    """Return whether sentences are from a program manual: many contain code names."""
    found = [bool(_CODE.search(text) or _CAMEL_CASE.search(text)) for text in texts]
    return len(found) >= _FEWEST_SENTENCES and sum(found) >= _LEAST_CODE * len(found)


def names_code(title: str) -> bool:
    """Return whether a heading names what its section defines: `gauge_open()`, `commit`.

    That is a name that looks like code, an option, or one word without a capital.
    """
    return len(title) <= _LONGEST_NAME and _NAME.fullmatch(title) is not None


def lacks_subject(text: str) -> bool:
    """Return whether a sentence opens with the action of its entry: `Returns the level.`."""
    return _TORN.match(text) is not None


def is_phrase(text: str, *, entry: bool = True) -> bool:
    """Return whether a text has no main clause, or an imperative one.

    `The size of a digest.`, `Initialize the state.`, `Called when the file ends.` There is no
    tagger: any word in the form of a verb makes a clause, and texts that open with an adverb or
    pronoun are accepted.

    Args:
        text: The text.
        entry: Whether it is in the entry of a defined name; elsewhere only short ones count.
    """
    longest = _LONGEST_PHRASE if entry else _LONGEST_ANYWHERE
    if count_words(text) > longest or _OPENING.match(text):
        return False
    if entry and _TOLD.match(text):
        return True
    return len(_FINITE.findall(text)) <= len(_SUBORDINATE.findall(text))
