"""Markdown as extended by site generators and Quarto, converted to plain Markdown.

Hugo, Jekyll (kramdown), MkDocs, Docusaurus, VitePress, Obsidian and GitHub each add to Markdown:
containers with a title, attributes of what precedes them, template tags, definitions and, in IETF
drafts, references. Containers become their text, a term and its definition one paragraph,
references what they refer to; attributes and tags are removed like other markup, and one alone on
its line becomes a comment, which is left out.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial

from longsum.documents.readers.plain.markdown_tables import RULE, ruled_table
from longsum.documents.readers.structure.lost_references import without_lost_asides
from longsum.language.characters import LOST

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")
_CODE_INDENT = 4
# A span of code stays as it is. `[words]{.class}`, `![](a.png){width=50%}`, `{:.class}`, `{:toc}`.
_INLINE = re.compile(
    r"`[^`\n]*`"
    r"|\[(?P<words>[^\[\]\n]{1,300})\]\{[.#][^{}\n]{0,200}\}"
    r"|(?<=[\])`])\{(?:[.#]|[\w-]{1,40}=)[^{}\n]{0,2000}\}"
    r"|\s?\{tbl-[\w-]{1,40}=[^{}\n]{0,200}\}"
    r"|\s?\{:(?:[.#/:]|\s*[.#]|\s*[\w-]{1,40}=|toc)[^{}\n]{0,200}\}"
    r"|(?<!\]\()\{%[^{}\n]{1,400}%\}|\{\{[<%][^{}\n]{1,400}[>%]\}\}"
    # `[](#an-anchor)`, `@fig:flow`, `[@sec-aims; @sec-means]`
    r"|(?<!!)\[\]\(#(?P<anchor>[\w.:-]{1,80})\)"
    r"|(?<![\w\\@])(?P<open>\[)?-?@(?P<label>(?P<what>(?i:fig|tbl|eq|sec|lst))[:-][\w:.-]{0,80}\w)"
    r"(?:[;,] ?-?@[\w:.-]{1,80})*(?(open)\])"
    # `[@smith2010, p. 3; @jones1999]`
    r"|(?<!^[*+-])(?<! [*+-])(?<!by)(?<!from)(?<!in)(?<!of)(?<!to)(?<!with)(?<!than)(?<!see)"
    r"[ ]\[(?P<cited>-?@[A-Za-z][\w:.-]{0,60}\d\d[^\[\]\n]{0,200})\](?![(\[:])"
    # `{{RFC9000}}`, `{{?RFC9000}}`, `{{Section 2 of RFC9000}}`, `{{an-anchor}}` of an IETF draft
    r"|\{\{[?!]?(?P<to>(?:(?:Section|Appendix)[^{}\n]{1,60} of )?[A-Za-z][\w.:-]{0,60})\}\}"
)
_CALLED = {"fig": "Figure", "tbl": "Table", "eq": "Equation", "sec": "Section", "lst": "Listing"}
# Attributes of words, in two lines; those of the target that a name in brackets has.
_WRAPPED = re.compile(r"(?<=[\])`])(\{[.#][^{}\n]{0,200})\n[ \t]*([^{}\n]{1,200}\})")
_TARGET = re.compile(
    r"( {0,3}\[[^\[\]\n]{1,300}\]:[ \t]++[^{}\n]{1,600})\{[.#][^{}\n]{0,300}\}[ \t]*"
)
_ANCHORED = re.compile(
    r"^#{1,6}[ \t](?P<title>[^{}\n]{1,100})\{#(?P<name>[\w.:-]{1,60})\}", re.MULTILINE
)
# `: It is a word.`, under a line with the term that it defines
_DEFINITION = re.compile(r" {0,3}:\s+(?=\S)")
_TERM = re.compile(r"(?!.*:\s)[\w`*\"“][^|\n]{0,100}")
# `+-----+:====+` of a table drawn with characters, as Pandoc has them
_GRID = re.compile(r"\s*\+(?:[-=:]+\+)+\s*")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+) *")
_HEADING_ATTRIBUTES = re.compile(r"\{:?\s*[.#]")
# A bold line above the first of a paragraph, and what that may not be.
_BOLD = re.compile(r" {0,3}\*\*[^*\n]{2,100}\*\*:?[ \t]*")
_BELOW_BOLD = re.compile(r" {0,3}[A-Z“\"](?!.*\|)")
# `::: {.note}`, `:::tip[Title]`, `::: warning Title`, `:::`
_CONTAINER = re.compile(
    r"\s*:{3,}\s*(?:\{[^{}]*\}|[\w-]+)?(?:\{[^{}]*\})?(?:\[(?P<bracketed>[^\]]*)\]|\s+(?P<title>.*))?"
)
# `/// note | Title`, `///`
_BLOCK = re.compile(r"\s*/{3,}\s*(?:[\w-]+\s*(?:\|(?P<title>.*))?)?")
# `!!! note "Title"`, `??? tip`, `=== "Tab"`
_ADMONITION = re.compile(r"\s*(?:!!!|\?\?\?\+?|===[+!]?)\s+(?P<said>\S.*)")
_KIND_AND_TITLE = re.compile(r"[\w -]{0,60}(?:\"(?P<title>[^\"]*)\")?")
# `> [!NOTE]`, `> [!tip]- Title`
_ALERT = re.compile(r"(?P<quote>[\s>]*)\[![\w-]{1,30}\][+-]?(?P<title>.*)")
_NOTHING = re.compile(
    r"\s*(?:\[\[_?toc_?\]\]|\[toc\]|\\(?:newpage|pagebreak|clearpage))\s*", re.IGNORECASE
)
_MODULE = re.compile(
    r"import\s(?:[^'\"\n]*\sfrom\s+)?['\"][^'\"\n]+['\"];?\s*"
    r"|export\s+(?:const|let|default|function)\b.*"
)


def plain_markdown(text: str) -> str:
    """Return the Markdown of a site generator without extensions of plain Markdown."""
    lines: list[str] = []
    fence = ""
    listed = False
    # How far the admonitions that are open are indented.
    within: list[int] = []
    anchors = {each["name"]: each["title"].strip() for each in _ANCHORED.finditer(text)}
    given = _WRAPPED.sub(r"\1 \2", text).split("\n")
    below_table = 0
    for number, line in enumerate(given):
        if number < below_table:
            continue
        indent = len(line) - len(line.lstrip())
        if line.strip() and not fence:
            while within and indent < within[-1] + _CODE_INDENT:
                within.pop()
            listed = _ITEM.match(line) is not None or (listed and indent > 0)
        line = line[min(_CODE_INDENT * len(within), indent) :]
        if mark := _FENCE.match(line):
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence) and not line[mark.end() :].strip():
                fence = ""
            lines.append(line)
        elif fence or (indent >= _CODE_INDENT and not listed and not within):
            lines.append(line)
        elif _GRID.fullmatch(line):
            # Its first line opens a table without a head; the others say nothing.
            if not lines or not lines[-1].lstrip().startswith("|"):
                columns = line.count("+") - 1
                lines += ["", f"|{columns * ' |'}", f"|{columns * '-|'}"]
        elif RULE.fullmatch(line) and (table := ruled_table(given, number)):
            first, rows, below_table = table
            del lines[len(lines) - (number - first) :]
            lines += ["", *rows, ""]
        elif _UNDERLINE.fullmatch("".join(given[number + 1 : number + 2])):
            lines.append(_plain_line(_without_attributes(line), anchors))
        elif _BOLD.fullmatch(line) and _titles(given, number):
            lines += [line, ""]
        elif (title := _admonition(line)) is not None:
            within.append(indent)
            lines += ["", title, ""]
        elif (marked := _DEFINITION.match(line)) and (term := _defined(lines)):
            lines.append(f"{term}: {_plain_line(line[marked.end() :], anchors)}")
        else:
            lines.append(_plain_line(line, anchors))
    return "\n".join(lines)


def _titles(lines: Sequence[str], number: int) -> bool:
    """Return whether a bold line is set above a paragraph, in which it would only be a line."""
    above, below = (
        "".join(lines[max(number - 1, 0) : number]),
        "".join(lines[number + 1 : number + 2]),
    )
    return not above.strip() and _BELOW_BOLD.match(below) is not None


def _defined(lines: list[str]) -> str:
    """Remove and return the last line if it is the term that the next line defines; else empty.

    It is alone on its line, at most one empty line above its definition.
    """
    last = -2 if lines[-1:] == [""] else -1
    before = lines[last - 1 : last] if last > -len(lines) else [""]
    term = lines[last].strip() if len(lines) >= -last else ""
    if before != [""] or not term or not _TERM.fullmatch(term):
        return ""
    del lines[last:]
    return term.rstrip(":")


def _admonition(line: str) -> str | None:
    """Return the title of the admonition that a line opens, empty if it has none."""
    opened = _ADMONITION.fullmatch(line)
    said = _KIND_AND_TITLE.fullmatch(opened["said"].rstrip()) if opened else None
    return None if said is None else said["title"] or ""


def _plain_line(line: str, anchors: Mapping[str, str]) -> str:
    """Return a line of text without attributes and tags; a comment if it has nothing else."""
    if found := _CONTAINER.fullmatch(line):
        return f"\n{found['bracketed'] or found['title'] or ''}\n"
    if found := _BLOCK.fullmatch(line):
        return f"\n{(found['title'] or '').strip()}\n"
    if found := _ALERT.fullmatch(line):
        return f"{found['quote']}{found['title'].strip()}"
    if _NOTHING.fullmatch(line):
        return ""
    if _MODULE.fullmatch(line):
        return _comment(line)
    if line.startswith("#"):
        line = _without_attributes(line)
    if found := _TARGET.fullmatch(line):
        return found[1].rstrip()
    plain = without_lost_asides(_INLINE.sub(partial(_without, anchors=anchors), line))
    says = plain.strip() not in ("", ":") or not line.strip()
    return plain if says else _comment(line.strip())


def _without_attributes(heading: str) -> str:
    bare = heading.rstrip()
    place = bare.rfind("{")
    attributes = bare.endswith("}") and _HEADING_ATTRIBUTES.match(bare, place)
    return bare[:place] if attributes else heading


def _without(found: re.Match[str], anchors: Mapping[str, str]) -> str:
    """Return what remains of a mark: a code span, its words, or what it refers to."""
    if found["cited"]:
        return ""
    if label := found["anchor"] or found["label"]:
        title = anchors.get(label)
        called = _CALLED.get((found["what"] or "").lower(), "")
        return f"“{title}”" if title else f"{called} {LOST}".lstrip()
    if (to := found["to"]) is None:
        return found["words"] or (found[0] if found[0].startswith("`") else "")
    if title := anchors.get(to):
        return f"“{title}”"
    if to.startswith(("Section", "Appendix")) and " of " in to:
        return to
    # A lower-case name may be one of a template.
    return f"[{to}]" if to[0].isupper() else found[0]


def _comment(text: str) -> str:
    return f"<!-- {text.replace('--', '- -')} -->"
