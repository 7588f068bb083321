"""The inline markup of reStructuredText: a line's words without its marks, roles and targets.

reStructuredText Markup Specification (Docutils), "Inline Markup"; roles as Sphinx has them.
"""

import re
from collections.abc import Mapping, Set

_LONGEST = 600
"""Most characters that a pair of marks encloses, so that a stray one costs little."""
# Characters allowed before and after marks ("Inline markup recognition rules").
_BEFORE = r"(?<![^\s'\"([{<‘“’«¡¿/:–—-])"
_AFTER = r"(?![^\s'\")\]}>’”»/:.,;!?\\–—-])"
_ROLE_NAME = r"[A-Za-z][\w.+-]{0,30}(?::[A-Za-z][\w.+-]{0,30}){0,2}"
_MARKUP = re.compile(
    "|".join(
        (
            rf"(?<![`\\])``(?=\S)(?P<literal>(?:[^`]|`(?!`|\Z)|`(?=``(?!`))){{1,{_LONGEST}}})``(?!`)",
            rf"(?<![\w`\\])(?::(?P<role>{_ROLE_NAME}):|_)?`(?=[^\s`])"
            rf"(?P<text>(?:[^`\\]|\\.){{1,{_LONGEST}}})`(?!`)(?::(?P<suffix>{_ROLE_NAME}):|__?(?!\w))?",
            rf"{_BEFORE}\*\*(?=\S)(?P<strong>(?:[^*\\]|\\.|\*(?!\*)){{1,{_LONGEST}}})(?<=\S)\*\*",
            rf"{_BEFORE}(?<!\*)\*(?=[^\s*])(?P<stressed>(?:[^*\\]|\\.){{1,{_LONGEST}}})(?<=\S)\*{_AFTER}",
            rf"(?P<gap> ?){_BEFORE}\[(?P<note>[^\[\]\s]{{1,80}})\]_(?!\w)",
            rf"{_BEFORE}\|(?=\S)(?P<name>[^|\n]{{1,80}})(?<=\S)\|_{{0,2}}(?!\w)",
            r"(?<![\w\\])(?P<word>[^\W_][\w.+-]{0,80}?)(?P<anonymous>_?)_(?!\w)",
            r"\\(?P<escaped>.|\Z)",
        )
    )
)
_TARGET = re.compile(r"(?P<text>[^<]{0,600}(?<=[^\s$]))??\s{0,9}<(?P<target>[^<>]{1,600})>")
_NUMBERED = re.compile(r"[#*]?\d{0,4}|#[\w.-]{1,80}")
_DOCUMENTS = {"pep": "PEP", "rfc": "RFC"}
_ESCAPE = re.compile(r"\\(.|\Z)")
_LAST_PART = re.compile(r"~(?:[\w.]{1,200}\.)?")

ANONYMOUS = "__"
"""Added to the targets of a document if some have no name."""


def plain(text: str, substitutions: Mapping[str, str] = {}, targets: Set[str] = frozenset()) -> str:
    """Return what a paragraph says, without markup.

    Args:
        text: The paragraph, on one line.
        substitutions: The values of names between bars; others stay as they are.
        targets: The names of the document's targets, in lower case: only those are references.
    """

    def said(found: re.Match[str]) -> str:
        if found["literal"]:
            return found["literal"]
        if found["text"]:
            return _interpreted(found["text"], found["role"] or found["suffix"] or "")
        if found["note"]:
            # Numbered notes are separate, as in other formats; a citation is a name.
            numbered = _NUMBERED.fullmatch(found["note"])
            return "" if numbered else f"{found['gap']}[{found['note']}]"
        if found["name"]:
            return substitutions.get(found["name"].casefold(), found[0])
        if found["word"]:
            target = ANONYMOUS if found["anonymous"] else found["word"].casefold()
            return found["word"] if target in targets else found[0]
        if found["escaped"] is not None:
            return found["escaped"].strip()
        return _ESCAPE.sub(r"\1", found["strong"] or found["stressed"])

    return _MARKUP.sub(said, text)


def _interpreted(text: str, role: str) -> str:
    """Return the visible text of a role or reference."""
    if link := _TARGET.fullmatch(text):
        return _ESCAPE.sub(r"\1", link["text"] or link["target"])
    if role in _DOCUMENTS:
        return f"{_DOCUMENTS[role]} {text.partition('#')[0]}"
    return _ESCAPE.sub(r"\1", _LAST_PART.sub("", text, count=1) if text[0] == "~" else text)
