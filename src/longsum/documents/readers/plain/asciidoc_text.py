"""The inline markup of AsciiDoc: a line's words without its quotes, macros and anchors.

AsciiDoc Language Documentation (Eclipse), "Text Formatting", "Macros", "Attributes".
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from html import unescape

_LONGEST = 400
"""Most characters that a pair of marks encloses, so that a stray one costs little."""
_CHARACTERS = {
    "amp": "&", "apos": "'", "asterisk": "*", "backslash": "\\", "backtick": "`", "caret": "^",
    "cpp": "C++", "empty": "", "endsb": "]", "gt": ">", "lt": "<", "nbsp": " ", "plus": "+",
    "quot": '"', "sp": " ", "startsb": "[", "tilde": "~", "vbar": "|", "zwsp": "",
}  # fmt: skip
_ATTRIBUTE = re.compile(r"(?<!\\)\{([A-Za-z0-9][\w-]*+)\}")
_CODE = rf"(?P<ticks>`{{1,2}})\+?(?P<code>[^`\n]{{1,{_LONGEST}}}?)\+?(?P=ticks)"
_QUOTED = rf"``(?P<quoted>[^`'\n]{{1,{_LONGEST}}})''"
_ANCHOR = r"\[\[[^\[\]\n]{1,400}\]\]|\[#[\w:.-]{1,80}\]|\({3}[^()\n]{1,400}\){3}"
_INDEXED = r"\(\((?P<indexed>[^()\n]{1,400})\)\)"
_REFERENCE = r"<<(?P<anchor>[^<>,\n]{1,200})(?:,(?P<named>[^<>\n]{1,400}))?>>"
# `link:target[text]`, `https://target[text]`, `linkgit:git-log[1]`.
_MACRO = r"\b(?P<macro>[a-z]{2,20}):(?P<target>[^\s\[\]`]{0,300})(?P<text>\[[^\[\]\n]{0,400}\])"


def _enclosed(mark: str, name: str) -> str:
    """Return a pattern of what one or two of a mark enclose; a single one only whole words."""
    sign = re.escape(mark)
    inner = rf"(?=[^\s{sign}])[^{sign}\n]{{1,{_LONGEST}}}(?<=\S)"
    return (
        rf"(?<!\\){sign}{{2}}(?P<{name}2>{inner}){sign}{{2}}"
        rf"|(?<![\w\\{sign}]){sign}(?P<{name}>{inner}){sign}(?![\w{sign}])"
    )


_ENCLOSING = {"strong": "*", "stressed": "_", "typed": "+", "marked": "#"}
_MARKUP = re.compile(
    "|".join(
        (
            _QUOTED,
            # Code keeps the marks in it.
            _CODE,
            _ANCHOR,
            _INDEXED,
            _REFERENCE,
            _MACRO,
            *(_enclosed(mark, name) for name, mark in _ENCLOSING.items()),
            r"(?<=\w)(?P<shift>[~^])(?P<shifted>[^\s~^]{1,40})(?P=shift)",
        )
    )
)
_WORDS = ("code", "indexed", "shifted", *_ENCLOSING, *(f"{name}2" for name in _ENCLOSING))
_ROLE = re.compile(r"\[[\w.#%:-]{1,80}\](?=[#*_`]\S)")
_ESCAPE = re.compile(r"\\(?=[*_`+#{<\[])")
_LINE_BREAK = re.compile(r" \+$", re.MULTILINE)
_PICTURES = ("image", "icon")


class Limited(Mapping[str, str]):
    """The values of names, as long as they add no more than a number of characters to a document.

    A name may stand for a long text and occur often; beyond the limit it stays as it is.
    """

    def __init__(self, known: Mapping[str, str], characters: int = 500_000) -> None:
        self._known, self._left = known, characters

    def __getitem__(self, name: str) -> str:
        value = self._known[name]
        if len(value) > self._left:
            raise KeyError(name)
        self._left -= len(value)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def plain(text: str, attributes: Mapping[str, str] = {}, titles: Mapping[str, str] = {}) -> str:
    """Return what a paragraph says, without markup.

    Args:
        text: The paragraph as it is written.
        attributes: The values of the attributes that the document defines; others stay as they are.
        titles: The titles of sections by their anchors, for references without text.
    """
    joined = " ".join(_LINE_BREAK.sub("", text).split("\n"))
    filled = _ATTRIBUTE.sub(
        lambda found: attributes.get(found[1], _CHARACTERS.get(found[1], found[0])), joined
    )
    said = partial(_said, titles=titles)
    # There may be code within bold text: the outer marks are removed first.
    bare = _MARKUP.sub(said, _MARKUP.sub(said, _ROLE.sub("", filled)))
    return unescape(_ESCAPE.sub("", bare))


def _said(found: re.Match[str], titles: Mapping[str, str]) -> str:
    """Return the words of a piece of markup."""
    if found["quoted"]:
        return f"“{found['quoted']}”"
    if found["anchor"]:
        file, _, own = found["anchor"].rpartition("#")
        named = found["named"] or titles.get(own)
        # `_commit_guidelines` is made from a title, which may be in another file.
        return named or (own[1:].replace("_", " ") if own.startswith("_") else file or own)
    if found["macro"] is None:
        return next((found[group] for group in _WORDS if found[group]), "")
    return _of_macro(found["macro"], found["target"], found["text"][1:-1])


def _of_macro(name: str, target: str, text: str) -> str:
    if name in _PICTURES:
        return ""
    if text.isdigit() and target and name != "link" and not target.startswith("//"):
        # A manual page and its section.
        return f"{target}({text})"
    text = text.rstrip("^").strip('"')
    address = f"{name}:{target}" if target.startswith("//") else target
    return text or address.lstrip("#")
