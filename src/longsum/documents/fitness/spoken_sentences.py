"""Recognises addresses, greetings and thanks in speech, and sentences with missing words."""

import re

from longsum.language.words import count_words

_COURTESY = re.compile(
    r"\bmay it please the court\b"
    r"|\A(?:mr\.|mrs\.|ms\.|madam|honou?rable|ladies)\b[^.?!]*\b(?:members of|gentlemen)\b"
    r"|\A(?:we|i)(?:['’]ll| will) (?:now )?hear (?:argument|from)\b|\bthe case is submitted\b"
    r"|\bthank you,? (?:very much,? )?(?:mr|ms|mrs|general|counsel|your)\b"
    r"|\A(?:and |so |well,? )?(?:thank you|thanks|good (?:morning|afternoon|evening)|order)\b",
    re.IGNORECASE,
)
_LONGEST_COURTESY = 16
_ADDRESS_TO = (
    r"(?:(?:(?:mr|ms|madam|hon(?:ou?rable)?|temporary|acting|deputy)\b\.? )*"
    r"(?:speaker|president|chair(?:man|woman|person|lady)?|members|sir)\b,? ?(?:sir,? )?)?"
)
_THANKS = re.compile(
    rf"(?:(?:and|so|again|first|finally|lastly|at the outset)\b,? ){{0,2}}{_ADDRESS_TO}"
    r"(?:i|we|let me|may i|allow me)(?:['’]d)?(?: (?:also|again|really|just|particularly|sincerely"
    r"|do|must|would|will|want|wish|like|take|this|the|opportunity|to|first|as well|once|all))*"
    r" (?:thank|congratulate|commend|salute|applaud)\b",
    re.IGNORECASE,
)
_LONGEST_THANKS = 40
_MISSING_WORDS = re.compile(
    r"[(\[{](?:inaudible|unintelligible|indiscernible|gap|crosstalk|voice overlap)\b", re.IGNORECASE
)


def is_courtesy(text: str) -> bool:
    """Return whether a spoken sentence is an address or thanks: `May it please the Court.`."""
    words = count_words(text)
    if words <= _LONGEST_COURTESY and _COURTESY.search(text):
        return True
    return words <= _LONGEST_THANKS and bool(_THANKS.match(text))


def lacks_words(text: str) -> bool:
    """Return whether a transcript marks words of a sentence as missing."""
    return bool(_MISSING_WORDS.search(text))
