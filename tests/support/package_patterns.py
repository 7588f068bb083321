"""All regular expressions of the package, and the methods that they are used with."""

import ast
import builtins
import gc
import importlib
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import longsum

_ROOT = Path(longsum.__file__).parent
_SOURCES = {file: file.read_text(encoding="utf-8") for file in sorted(_ROOT.rglob("*.py"))}
_USE = "match|fullmatch|search|finditer|sub|subn|split|findall"
_OF_ANY = "match|fullmatch|search|finditer|sub|findall"
"""What no text has as well."""
_ONCE = ("match", "fullmatch", "search")


class _Unknown(str):
    """The unknown argument of a function that makes a pattern."""

    __slots__ = ()

    def __getattr__(self, name: str) -> "_Unknown":
        return self


class _Names(dict[str, Any]):
    """The names of a module, and which of them are assigned a text."""

    texts: dict[str, ast.expr]

    def __missing__(self, name: str) -> Any:
        if name in self.texts:
            return _evaluated(self.texts[name], self)
        return getattr(builtins, name, None) or _Unknown("a word")


def package_patterns() -> dict[str, tuple[re.Pattern[Any], frozenset[str]]]:
    """Return each pattern with its methods, by its file and its name or line there.

    Modules are imported only where a pattern is not made of constants of its own module, so that
    the heavy ones are not loaded. Patterns of one name are counted: `RULES`, `RULES 2`.
    """
    found = {}
    for file, source in _SOURCES.items():
        if "import re\n" in source:
            names: dict[str, int] = {}
            for name, pattern, methods in dict.fromkeys(_of_module(file, source)):
                names[name] = names.get(name, 0) + 1
                place = f"{file.relative_to(_ROOT)}:{name}" + f" {names[name]}" * (names[name] > 1)
                found[place] = (pattern, methods)
    return found


def _of_module(file: Path, source: str) -> Iterator[tuple[str, re.Pattern[Any], frozenset[str]]]:
    tree = ast.parse(source)
    assigned = {
        ast.unparse(target): node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
    }
    known: dict[str, Any] = {"re": re}
    calls = list(_calls([node for node in tree.body if not _is_executed(node, known)]))
    try:
        patterns = [_pattern(call, known) for call in calls]
    except NameError:
        module = ".".join(file.relative_to(_ROOT.parent).with_suffix("").parts)
        known = vars(importlib.import_module(module))
        every = _Names(known)
        every.texts = {
            name: value
            for name, value in assigned.items()
            if isinstance(value, (ast.Constant, ast.JoinedStr))
        }
        patterns = [_pattern(call, every) for call in calls]
    named = [(name, each) for name, value in known.items() for each in _within(value)]
    for name, pattern in named:
        yield name, pattern, _methods(name, source)
    for call, pattern in zip(calls, patterns, strict=True):
        if pattern not in [each for _, each in named]:
            used = [call.func.attr] * (call.func.attr != "compile")
            yield str(call.lineno), pattern, _methods("", source, used)


def _is_executed(node: ast.stmt, known: dict[str, Any]) -> bool:
    """Execute an assignment that only needs constants."""
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        with suppress(Exception):
            exec(compile(ast.Module([node], []), "", "exec"), known)
            return True
    return False


def _calls(nodes: list[ast.stmt]) -> Iterator[ast.Call]:
    for node in (inner for each in nodes for inner in ast.walk(each)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            used = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
            if used and node.func.attr != "escape":
                yield node


def _pattern(call: ast.Call, names: dict[str, Any]) -> re.Pattern[Any]:
    flags = [each.value for each in call.keywords if each.arg == "flags"]
    if call.func.attr == "compile":
        flags += call.args[1:]
    return re.compile(*(_evaluated(each, names) for each in (call.args[0], *flags)))


def _evaluated(node: ast.expr, names: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "", "eval"), dict(names), names)


def _methods(name: str, source: str, used: Sequence[str] = ()) -> frozenset[str]:
    """Return the methods used with a name; if it is only passed on, those of any name there."""
    if name and not name.startswith("_"):
        source = "".join(each for each in _SOURCES.values() if re.search(rf"\b{name}\b", each))
    if name:
        used = re.findall(rf"\b{name}\.({_USE})\(", source)
    used = used or re.findall(rf"(?<![\w.])(?!re\b)[a-z.]+\.({_OF_ANY})\(", source)
    methods = {each if each in _ONCE else "finditer" for each in used}
    return frozenset(methods or {"fullmatch", "finditer"})


def _within(value: Any, depth: int = 5) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and (isinstance(value, (list, tuple, dict)) or is_dataclass(value)):
        for inner in gc.get_referents(value):
            yield from _within(inner, depth - 1)
