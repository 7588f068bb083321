r"""Numbers sections, theorems, formulas, floats and items as LaTeX does, for references to them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice

from longsum.documents.readers.latex.latex_commands import REFERRING
from longsum.documents.readers.latex.latex_counters import LEVELS, MARKUP, NUMBERED, Counters
from longsum.documents.readers.latex.latex_stream import Token, TokenStream, written
from longsum.language.characters import LOST

_FLOATS = {
    environment: counter
    for counter in ("figure", "table", "algorithm", "listing")
    for environment in NUMBERED[counter]
}
_CALLED = {
    word: of.removeprefix("to ")
    for of, words in NUMBERED.items()
    for word in words
    if of[:3] == "to "
}
_THEOREMS = {word: of for of, words in NUMBERED.items() for word in words if of[:1].isupper()}
_NAMING = frozenset({"autoref", "cref", "Cref", "crefrange", "Crefrange"})
_PLACES = frozenset({"Part", "Chapter", "Section", "Item"})
_CLEVEREF = re.compile(r"\\usepackage\s*\[([^\]]{0,500})\]\s*\{cleveref\}")
_SHORT_LABEL = re.compile(r"(?<![A-Za-z\\])[AaIi1](?![A-Za-z])")
_FORMS = {"A": "Alph", "a": "alph", "I": "Roman", "i": "roman", "1": "arabic"}
_REFERENCE = re.compile("\ue000(\\d{1,9})\ue001")
# What a reference to an item prints, by its depth, and what is counted there.
_ITEMS = {
    "enumi": r"\theenumi",
    "enumii": r"\theenumi\theenumii",
    "enumiii": r"\theenumi(\theenumii)\theenumiii",
    "enumiv": r"\theenumi(\theenumii)\theenumiii\theenumiv",
}
_UNREAD = frozenset({"input", "include", "subfile", "import"})
_LONGEST_OPTIONS = 500
_LONGEST_TITLE = 80
# Characters that all references together may print, besides twice as many as the text has.
_MOST_PRINTED = 200_000
_AROUND = 8


@dataclass(slots=True)
class _Target:
    """What a label stands for: what it is called, its number if that is known, and its title."""

    name: str = ""
    number: str = ""
    title: str = ""


@dataclass(slots=True)
class _Open:
    """An environment that has begun.

    Attributes:
        before: What a label stood for before it.
        counter: What its captions or items count.
        template: What its items print.
        restored: What is printed for a counter after it.
    """

    name: str
    before: _Target
    counter: str = ""
    template: str = ""
    captioned: bool = False
    restored: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Theorem:
    title: list[Token]
    counter: str


class Numbers:
    """Counts what LaTeX numbers, and tells references once all labels are known.

    Of a part of a document, and after a file that is not read, only the numbers of items are known.
    If such a file is among the definitions, it may number formulas in its own way, and floats too
    if it states the class of the document. Sections without a number are told by their titles.
    """

    def __init__(self, preamble: str, text: str, *, whole: bool) -> None:
        self._whole = whole
        self._unsure: frozenset[str] = frozenset()
        # Counters whose numbers TeX would have to work out.
        self._unset: set[str] = set()
        self._counters = Counters(preamble, text)
        self._capitals = any("capitali" in options for options in _CLEVEREF.findall(preamble))
        self._labels_refer = "{enumitem}" in preamble
        if re.search(r"\{subfig(?:ure)?\}", preamble):
            self._counters.templates["subfigure"] = r"(\alph{subfigure})"
        self._theorems: dict[str, _Theorem] = {}
        self._current = _Target()
        self._open: list[_Open] = []
        self._lists = 0
        # What `\\setlist` states of enumerations, by their names and depths.
        self._list_options: dict[str, str] = {}
        self._appendix = False
        self._main = True
        self._targets: dict[str, _Target] = {}
        self._references: list[tuple[str, str]] = []
        self._left = _MOST_PRINTED + 2 * len(text)

    def take(
        self, command: str, arguments: Sequence[list[Token]], options: Sequence[str | None]
    ) -> None:
        """Take a command that defines, sets or steps a counter, a caption or a label."""
        texts = [written(argument).strip() for argument in arguments]
        match command.rstrip("*"), texts:
            case "label", [name]:
                self._label(name)
            case "caption", _ if not command.endswith("*"):
                self._caption()
            case "captionof", [counter, _]:
                self._current = _Target(counter.capitalize(), self._step(counter))
            case "subfloat" | "subfigure" | "subcaptionbox", _:
                self._subcaption()
            case (("newtheorem" | "spnewtheorem"), [name, _, *_]):
                starred = command.endswith("*")
                shared = options[1]
                self._theorem(name, arguments[1], shared, options[2], numbered=not starred)
            case "declaretheorem", [name]:
                self._declare(name, _options(options[0] or ""))
            case (("numberwithin" | "counterwithin"), [inner, outer]):
                self._counters.number_within(inner, outer)
            case "@addtoreset", [inner, outer]:
                self._counters.reset_with(inner, outer)
            case "counterwithout", [inner, outer]:
                self._counters.number_without(inner, outer)
            case "setsecnumdepth", [level] if level in LEVELS:
                self._counters.values["secnumdepth"] = LEVELS.index(level) - 1
            case "setlist", [list_options]:
                self._list_options["".join((options[0] or "enumerate").split())] = list_options
            case "newaliascnt", [name, counter]:
                self._counters.share(name, counter)
            case (("setcounter" | "addtocounter" as how), [counter, number]):
                if not self._counters.set(counter, number, add=how == "addtocounter"):
                    self._unset.add(counter)
            case "stepcounter", [counter]:
                self._step(counter)
            case "refstepcounter", [counter]:
                self._current = _Target(counter.capitalize(), self._step(counter))
            case (("appendix" | "appendices"), []):
                self._begin_appendix()
            case (("frontmatter" | "mainmatter" | "backmatter"), []):
                self._main = command == "mainmatter"
            case _:
                self._whole &= command not in _UNREAD

    def leave_out_definitions(self, file: str) -> None:
        """Note that there are definitions in a file that is not read; some number nothing."""
        if file == "glyphtounicode":
            return
        floats = frozenset() if self._counters.has_class else frozenset(_FLOATS.values())
        self._unsure = floats | {"equation"}

    def print_as(self, command: str, text: str) -> None:
        r"""Note what a command like `\thesection` prints."""
        self._counters.templates[command.removeprefix("the")] = text

    def section(self, command: str) -> None:
        """Count a section; `entitle` gives it its title, which may have its label."""
        name = command.rstrip("*")
        level = LEVELS.index(name) - 1 if name in LEVELS else None
        numbered = level is not None and level <= self._counters.values["secnumdepth"]
        numbered &= command == name and (self._main or level != 0)
        called = name.capitalize() if level in (-1, 0) else "Section"
        called = "Appendix" if self._appendix and name != "part" else called
        number = self._step(name) if numbered else self._current.number
        self._current = _Target(called, number)

    def entitle(self, title: str) -> None:
        """Note the title of the section that has begun."""
        self._current.title = title

    def title(self, environment: str) -> list[Token]:
        """Return what an environment is called if it is a theorem or the like."""
        if theorem := self._theorems.get(environment):
            return theorem.title
        name = _THEOREMS.get(environment.rstrip("*"))
        return [Token("text", name)] if name else []

    def begin(self, environment: str, option: str = "", title: str = "", note: str = "") -> str:
        """Begin an environment; return its number if it is a theorem."""
        name = environment.rstrip("*")
        opened = _Open(environment, self._current)
        self._open.append(opened)
        if theorem := self._theorems.get(environment):
            number = self._step(theorem.counter) if theorem.counter else ""
            self._current = _Target(title, number, note)
            self._label(_options(option).get("label", ""))
            return number
        if name in NUMBERED["items"]:
            self._begin_items(opened, option)
        elif name in _FLOATS:
            opened.counter = _FLOATS[name]
            self._counters.values["subfigure"] = 0
        elif name == "subequations":
            number = self._step("equation")
            templates, values = self._counters.templates, self._counters.values
            opened.restored = {"equation": templates["equation"]}
            values["parentequation"], values["equation"] = values["equation"], 0
            templates["equation"] = rf"{number}\alph{{equation}}"
            self._current = _Target("Equation", number)
        elif name == "appendices":
            self._begin_appendix()
        elif name == "algorithmic" or (
            name not in NUMBERED["plain"] and self._current.name in {*_PLACES, "Appendix"}
        ):
            self._current = _Target(title)
        return ""

    def end(self) -> None:
        """End the environment that was begun last."""
        if not self._open:
            return
        opened = self._open.pop()
        self._current = opened.before
        self._lists -= opened.counter in _ITEMS
        self._counters.templates |= opened.restored
        if opened.name == "subequations":
            self._counters.values["equation"] = self._counters.values["parentequation"]

    def item(self) -> None:
        """Count an item of the list that is open."""
        if self._open and self._open[-1].counter in _ITEMS:
            self._step(self._open[-1].counter)
            self._current = _Target("Item", self._counters.printed(self._open[-1].template))

    def formula(self, environment: str, found: list[Token]) -> None:
        """Count a displayed formula, or its rows."""
        name = environment.rstrip("*")
        in_rows = name in NUMBERED["rows"]
        numbered = (in_rows or name in NUMBERED["formula"]) and name == environment
        if not numbered and not any(token.text in ("label", "tag", "tag*") for token in found):
            return
        for row in _rows(found) if in_rows else [found]:
            labels, tag, counted = list[str](), "", numbered
            stream = TokenStream("")
            stream.put_back(row)
            for command in (token.text for token in stream if token.kind == "command"):
                if command == "label":
                    labels.append(written(stream.argument()).strip())
                elif command in ("tag", "tag*"):
                    tag = MARKUP.sub("", written(stream.argument())).strip()
                counted &= command not in ("nonumber", "notag", "IEEEnonumber")
            number = tag or (self._step("equation") if counted else "")
            target = _Target("Equation", number) if tag or counted else self._current
            self._name(labels, target)

    def listing(self, text: str) -> None:
        """Count a listing with a caption, by the options that open its text."""
        options = _options(text.lstrip()[1:].partition("]")[0]) if text.lstrip()[:1] == "[" else {}
        if "caption" in options:
            target = _Target("Listing", self._step("lstlisting"))
            self._name([options.get("label", "")], target)

    def refer(self, command: str, labels: str) -> str:
        """Return what stands for a reference until `resolve_references` fills it."""
        self._references.append((command, labels))
        return f"\ue000{len(self._references) - 1}\ue001"

    def resolve_references(self, text: str) -> str:
        """Return a text with its references as LaTeX would print them."""
        return _REFERENCE.sub(self._resolved, text)

    def _resolved(self, found: re.Match[str]) -> str:
        text = self._printed(int(found[1])) if self._left > 0 else LOST
        self._left -= len(text)
        return text

    def _printed(self, place: int) -> str:
        """Return what a reference prints."""
        command, labels = self._references[place] if place < len(self._references) else ("", "")
        names = [name for label in labels.split(",") if (name := label.strip())]
        if command not in REFERRING and ":" not in labels and labels not in self._targets:
            return labels
        if not names or command == "pageref":
            return ""
        targets = [
            self._targets.get(name) or _Target(_CALLED.get(name.partition(":")[0], ""))
            for name in names
        ]
        if command == "nameref":
            titles = [_REFERENCE.sub(LOST, target.title) for target in targets if target.title]
            return ", ".join(titles) or LOST
        if command in _NAMING or command not in REFERRING:
            groups = groupby(targets, lambda target: target.name)
            return _joined([self._named(command, name, list(group)) for name, group in groups])
        numbers = [number for target in targets if (number := _number(target))]
        if command == "eqref":
            return ", ".join(f"({number})" for number in numbers) or LOST
        return ", ".join(numbers) or LOST

    def _named(self, command: str, name: str, targets: list[_Target]) -> str:
        """Return what labels of one kind are called, with their numbers."""
        numbers = [number for target in targets if (number := _number(target))]
        if name == "Equation" and command != "autoref":
            numbers = [f"({number})" for number in numbers]
        numbers = numbers or [LOST]
        shown = _joined(numbers, "to" if command.endswith("range") else "and")
        if name and len(numbers) > 1:
            name = {"Appendix": "Appendice", "Corollary": "Corollarie"}.get(name, name) + "s"
        small = command.startswith("cref") and not self._capitals
        small |= command == "autoref" and name in _PLACES
        return f"{name.lower() if small else name} {shown}".lstrip()

    def _label(self, name: str) -> None:
        self._name([name], self._current)

    def _name(self, labels: list[str], target: _Target) -> None:
        for label in labels:
            self._targets.setdefault(label, target)

    def _theorem(
        self,
        name: str,
        title: list[Token],
        shared: str | None,
        within: str | None,
        *,
        numbered: bool,
    ) -> None:
        if len(written(title)) > _LONGEST_TITLE:
            return
        counter = shared or name if numbered else ""
        self._theorems[name] = _Theorem(title, counter)
        if within and counter == name:
            self._counters.number_within(name, within)

    def _declare(self, names: str, options: dict[str, str]) -> None:
        r"""Take a theorem as `\declaretheorem` states it."""
        shared = _first(options, "numberlike", "sibling", "sharenumber", "sharecounter")
        within = _first(options, "numberwithin", "within", "parent")
        numbered = options.get("numbered") != "no" and "unnumbered" not in options
        for name in names.split(","):
            title = _first(options, "name", "title", "heading") or name.strip().capitalize()
            self._theorem(name.strip(), [Token("text", title)], shared, within, numbered=numbered)

    def _begin_appendix(self) -> None:
        self._appendix = self._main = True
        top = self._counters.top
        self._counters.values[top] = 0
        self._counters.templates[top] = rf"\Alph{{{top}}}"

    def _begin_items(self, opened: _Open, option: str) -> None:
        counter, opened.template = list(_ITEMS.items())[min(self._lists, 3)]
        self._lists += 1
        options = _options(self._list_options.get("enumerate", ""))
        options |= _options(self._list_options.get(f"enumerate,{self._lists}", ""))
        options |= _options(option)
        opened.counter = counter
        opened.restored = {counter: self._counters.templates[counter]}
        if label := options.get("ref") or options.get("label"):
            opened.template = re.sub(r"(\\[A-Za-z]+)\*", rf"\1{{{counter}}}", label)
        elif short := _SHORT_LABEL.search(option) if "=" not in option else None:
            form = f"\\{_FORMS[short[0]]}{{{counter}}}"
            whole = f"{option[: short.start()]}{form}{option[short.end() :]}"
            opened.template = whole if self._labels_refer else form
        if opened.template != _ITEMS[counter]:
            self._counters.templates[counter] = opened.template
        if not {"resume", "resume*"} & options.keys():
            self._counters.values[counter] = 1
            self._counters.set(counter, options.get("start", "1"))
            self._counters.values[counter] -= 1

    def _caption(self) -> None:
        """Count the caption of the figure, table or the like that is open."""
        for opened in islice(reversed(self._open), _AROUND):
            if opened.name in NUMBERED["part of a float"]:
                self._subcaption()
                return
            if opened.counter in _FLOATS.values():
                opened.captioned = True
                self._current = _Target(opened.counter.capitalize(), self._step(opened.counter))
                return

    def _subcaption(self) -> None:
        """Count a part of a figure: it has the figure's number, which may come after it."""
        self._counters.values["subfigure"] += 1
        around = islice(reversed(self._open), _AROUND)
        opened = next((opened for opened in around if opened.counter in _FLOATS.values()), None)
        self._current = _Target()
        if opened:
            values = self._counters.values
            values[opened.counter] += not opened.captioned
            number = self._shown(rf"\the{opened.counter} \thesubfigure", opened.counter)
            values[opened.counter] -= not opened.captioned
            self._current = _Target(opened.counter.capitalize(), number)

    def _step(self, counter: str) -> str:
        """Count on; return what is printed, or nothing if that cannot be known."""
        return self._shown(self._counters.step(counter), counter)

    def _shown(self, template: str, counter: str) -> str:
        known = self._whole and counter not in self._unsure | self._unset
        if self._unsure:
            known &= counter in self._theorems or counter in self._counters.templates
        return self._counters.printed(template) if known else ""


def _rows(found: list[Token]) -> list[list[Token]]:
    """Return the rows of a formula; those of what is within it are not rows of it."""
    rows, depth = [list[Token]()], 0
    for token in found:
        depth += (token.kind == "open") - (token.kind == "close")
        if token.kind == "command":
            depth += (token.text == "begin") - (token.text == "end")
        if token.kind == "command" and token.text == "\\" and depth == 0:
            rows.append([])
        else:
            rows[-1].append(token)
    return rows


def _number(target: _Target) -> str:
    """Return the number of what a label stands for, or the title of a section without one."""
    if target.number or target.name not in _PLACES or len(target.title) > _LONGEST_TITLE:
        return target.number
    return f"“{_REFERENCE.sub(LOST, target.title)}”" if target.title else ""


def _joined(parts: list[str], word: str = "and") -> str:
    return f" {word} ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _first(options: dict[str, str], *names: str) -> str | None:
    return next((options[name] for name in names if name in options), None)


def _options(text: str) -> dict[str, str]:
    """Return options, `a=b, c={d, e}`, by their names."""
    parts, depth = [""], 0
    for character in text[:_LONGEST_OPTIONS]:
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    pairs = (part.partition("=") for part in parts)
    return {
        name.strip(): value.strip().removeprefix("{").removesuffix("}") for name, _, value in pairs
    }
