"""References whose numbers cannot be known: sentences are better without them where they can be."""

import re

from longsum.language.characters import LOST

_PLACE = (
    r"(?:(?:sub)*section|chapter|appendi(?:x|ce)|part|figure|table|listing|equation|algorithm)s?"
)
_UNKNOWN = rf"(?:{_PLACE}\s+)?{re.escape(LOST)}"
_NOTHING_KNOWN = rf"{_UNKNOWN}(?:(?:,\s*+|\s++)(?:(?:and|or|to)\s+)?{_UNKNOWN})*"
_TOLD = (
    r"(?:defined|described|discussed|explained|given|introduced|mentioned|presented|seen|shown)"
    r"\s++in"
)
# Without an aside, or a pointer to its place, a sentence stays complete; not where that is all
# that it says (`The details are given in Section 3.`).
_LOST_ASIDE = re.compile(
    rf",\s++(?:as\s++)?{_TOLD}\s++{_NOTHING_KNOWN},?"
    rf"|(?P<as>\bas(?:\s++we)?\s++\w++)\s++in\s++{_NOTHING_KNOWN}(?=,)"
    rf"|(?<!\s)\s++as\s++{_TOLD}\s++{_NOTHING_KNOWN}"
    r"|(?<!\s)(?<!\bby)(?<!\bin)(?<!\bof)(?<!\bto)(?<!from)(?<!with)(?<!\band)(?<!using)(?<!ation)"
    rf"\s++\((?:(?:see|cf\.)\s+(?:also\s+|e\.g\.,?\s+)?|(?:as\s++)?{_TOLD}\s+)?"
    rf"(?:\w+\.?\s+)?{_NOTHING_KNOWN}\)"
    r"|(?<!\s)(?<!back)(?<!ed)(?<!shown)(?<!given)(?<!found)(?<!seen)(?<!done)(?<!\bto)"
    r"(?<!much)(?<!most)(?<!rest)(?<!top)"
    rf"\s++(?-i:from|in|of)\s+{_NOTHING_KNOWN}",
    re.IGNORECASE,
)


def without_lost_asides(text: str) -> str:
    """Return a text without asides that only refer to something unknown: `(see Figure …)`."""
    return _LOST_ASIDE.sub(r"\g<as>", text) if LOST in text else text
