"""The numbers that LaTeX would put in the place of references, as far as counting tells them."""

import re
from collections.abc import Mapping

_SECTIONS = ("chapter", "section", "subsection", "subsubsection")
_COUNTED = {
    "figure": "figure", "wrapfigure": "figure", "sidewaysfigure": "figure", "table": "table",
    "longtable": "table", "wraptable": "table", "sidewaystable": "table", "equation": "equation",
    "align": "equation", "gather": "equation", "multline": "equation", "eqnarray": "equation",
    "algorithm": "algorithm",
}  # fmt: skip
_EVENT = re.compile(
    r"(?<!\\)%[^\n]*"
    r"|\\(?P<section>chapter|section|subsection|subsubsection)(?P<bare>\*?)\s*[\[{]"
    r"|\\(?P<edge>begin|end)\s*\{(?P<environment>[A-Za-z]+)\}"
    r"|\\(?P<appendix>appendix)\b"
    r"|\\label\s*\{(?P<label>[^{}]{1,200})\}"
)


def label_numbers(text: str) -> Mapping[str, str]:
    r"""Return the numbers of the labels in sections, figures, tables and displayed equations.

    Chapters, if there are any, divide the numbers of sections only. Numbers of other things, such
    as theorems, depend on definitions that TeX would have to run; their labels are not included.
    """
    numbers = _Numbers(has_chapters=re.search(r"\\chapter\s*[\[{]", text) is not None)
    for found in _EVENT.finditer(text):
        if found["section"] and not found["bare"]:
            numbers.section(found["section"])
        elif found["appendix"]:
            numbers.appendix()
        elif found["edge"]:
            numbers.edge(found["edge"], found["environment"])
        elif found["label"]:
            numbers.label(found["label"].strip())
    return numbers.found


class _Numbers:
    def __init__(self, *, has_chapters: bool) -> None:
        self.found: dict[str, str] = {}
        self._names = _SECTIONS if has_chapters else _SECTIONS[1:]
        self._sections = [0] * len(self._names)
        self._lettered = False
        self._counts: dict[str, int] = {}
        # The number of each environment that is open; None for one that is not counted.
        self._open: list[str | None] = []

    def section(self, name: str) -> None:
        if name in self._names:
            place = self._names.index(name)
            self._sections[place] += 1
            self._sections[place + 1 :] = [0] * (len(self._names) - place - 1)

    def appendix(self) -> None:
        self._lettered = True
        self._sections = [0] * len(self._names)

    def edge(self, edge: str, environment: str) -> None:
        if edge == "end":
            if self._open:
                self._open.pop()
            return
        counter = _COUNTED.get(environment)
        if counter is None:
            # What stands in a figure or table, such as `tabular`, has its number.
            around = self._open[-1] if self._open else None
            self._open.append(around if around is not None or environment in _PLAIN else "")
            return
        self._counts[counter] = self._counts.get(counter, 0) + 1
        self._open.append(str(self._counts[counter]))

    def label(self, name: str) -> None:
        number = next((n for n in reversed(self._open) if n is not None), None)
        self.found[name] = self._of_section() if number is None else number

    def _of_section(self) -> str:
        shown = [str(number) for number in self._sections if number]
        if shown and self._lettered:
            shown[0] = chr(ord("A") + (int(shown[0]) - 1) % 26)
        return ".".join(shown)


# Environments without a number of their own, in which a label is that of the section.
_PLAIN = frozenset(
    {"document", "center", "itemize", "quote", "quotation", "flushleft", "flushright", "abstract",
     "minipage", "description", "small", "frame", "appendices", "appendix"}
)  # fmt: skip
