r"""LaTeX's counters, in the order of the text, and what is printed for them.

What `\theequation` prints is a template of LaTeX's own commands (`\thesection.\arabic{equation}`),
which a document may change.
"""

import re
from collections import defaultdict
from importlib.resources import files
from itertools import pairwise

LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
"""Sectioning commands; the number of a chapter's level is 0."""
_CLASS = re.compile(r"^[^%\n]*?\\documentclass\s*+(?:\[[^\]]{0,500}\]\s*+)?\{(\w+)", re.MULTILINE)
_WITH_CHAPTERS = re.compile(r"(?:book|rep(?:or)?t|memoir|thesis)\Z", re.IGNORECASE)
_CHAPTER = re.compile(r"\\chapter\s*[\[{]")
_TEMPLATE = re.compile(
    r"\\(?P<form>arabic|roman|Roman|alph|Alph)\s*\{\s*(?P<counter>[\w@]+)\s*\}"
    r"|\\(?P<inchapter>inchapter)|\\the\s?(?P<the>[A-Za-z@]+)\s?"
)
# As large as LaTeX can count.
_NUMBER = re.compile(r"-?[0-9]{1,10}")
_VALUE = re.compile(r"\\value\s*\{\s*([\w@]+)\s*\}")
MARKUP = re.compile(r"\\[A-Za-z@]+\*?\s?|[{}$]")
"""What is left out of what is printed for a counter or a tag."""
_TENS = (("m", 1000), ("cm", 900), ("d", 500), ("cd", 400), ("c", 100), ("xc", 90), ("l", 50),
         ("xl", 40), ("x", 10), ("ix", 9), ("v", 5), ("iv", 4), ("i", 1))  # fmt: skip
_DEEPEST = 8
_LONGEST = 100
# Pairs of counters of which one is reset with the other.
_MOST = 300


def _stated() -> dict[str, list[str]]:
    words = defaultdict[str, list[str]](list)
    text = files(__package__).joinpath("numbered.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        of, _, said = line.partition(": ")
        words[of].extend(said.split())
    return dict(words)


NUMBERED = _stated()
"""What LaTeX numbers (`numbered.txt`)."""


def _pairs(of: str) -> dict[str, str]:
    pairs = (word.partition("=") for word in NUMBERED.get(of, ()))
    return {name: said for name, _, said in pairs}


class Counters:
    """The counters of a document; `values` are their numbers, `templates` what is printed."""

    def __init__(self, preamble: str, text: str) -> None:
        found = _CLASS.search(preamble)
        kind = re.sub(r"^revtex.*", "revtex", found[1] if found else "")
        chapters = bool(_WITH_CHAPTERS.search(kind) or _CHAPTER.search(text))
        self.has_class = bool(found)
        self.top = "chapter" if chapters else "section"
        depths = _pairs("depth")
        depth = depths.get(kind) or depths["book" if chapters else "article"]
        self.values = defaultdict[str, int](int, secnumdepth=int(depth))
        self.templates = _pairs("prints") | (_pairs("with chapters") if chapters else {})
        self.templates |= _pairs(kind)
        self._within = defaultdict[str, set[str]](set)
        for outer, inner in pairwise(LEVELS[1:]):
            self._within[outer].add(inner)
        if chapters:
            self._within["chapter"] |= {"figure", "table", "equation", "lstlisting"}
        self._aliases: dict[str, str] = {}

    def step(self, counter: str) -> str:
        """Count on, and begin anew what is counted within; return what is printed."""
        counter = self._aliases.get(counter, counter)
        self.values[counter] += 1
        waiting, reset = [counter], {counter}
        while waiting:
            inner = self._within.get(waiting.pop(), set()) - reset
            self.values.update(dict.fromkeys(inner, 0))
            waiting.extend(inner)
            reset |= inner
        return self.printed(rf"\the{counter} ")

    def set(self, counter: str, number: str, *, add: bool = False) -> bool:
        """Set a counter, or add to it; return whether the number can be known."""
        # Pandoc sets how deep sections are numbered to less than any length.
        plain = _VALUE.sub(lambda found: str(self.values[found[1]]), number)
        plain = plain.replace(r"-\maxdimen", "-9")
        if known := bool(_NUMBER.fullmatch(plain)):
            self.values[counter] = int(plain) + (self.values[counter] if add else 0)
        return known

    def number_within(self, inner: str, outer: str) -> None:
        """Count something anew in each of another, with the number of that before its own."""
        self.reset_with(inner, outer)
        self.templates[inner] = rf"\the{outer}.\arabic{{{inner}}}"

    def reset_with(self, inner: str, outer: str) -> None:
        """Count something anew in each of another."""
        if sum(map(len, self._within.values())) < _MOST:
            self._within[outer].add(inner)

    def number_without(self, inner: str, outer: str) -> None:
        """Count something through all of another."""
        self._within.get(outer, set()).discard(inner)
        self.templates[inner] = rf"\arabic{{{inner}}}"

    def share(self, name: str, counter: str) -> None:
        """Count something with another counter."""
        self._aliases[name] = self._aliases.get(counter, counter)

    def printed(self, template: str) -> str:
        """Return what a template prints."""
        for _ in range(_DEEPEST):
            filled = _TEMPLATE.sub(self._filled, template)[:_LONGEST]
            if filled == template:
                break
            template = filled
        return MARKUP.sub("", template).replace("~", " ").strip()

    def _filled(self, found: re.Match[str]) -> str:
        if found["inchapter"]:
            return r"\thechapter." if self.values["chapter"] else ""
        name = found["the"] or found["counter"]
        counter = self._aliases.get(name, name)
        if found["the"]:
            return self.templates.get(counter, rf"\arabic{{{counter}}}")
        return _in_form(found["form"], self.values.get(counter, 0))


def _in_form(form: str, number: int) -> str:
    """Return a number in a form of LaTeX, `arabic`, `roman`, `Roman`, `alph` or `Alph`."""
    if form == "arabic" or number >= 4000:
        return str(number)
    if number < 1:
        return ""
    if form.lower() == "alph":
        shown = chr(ord("a") + (number - 1) % 26)
    else:
        shown = ""
        for letters, value in _TENS:
            shown += letters * (number // value)
            number %= value
    return shown.upper() if form[0].isupper() else shown
