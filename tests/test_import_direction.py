"""A slice imports only slices below it, its parts form layers, and there are no import cycles."""

import re
import subprocess
import sys
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "longsum"
# From the lowest to the highest: each may import those before it.
SLICES = (
    *("common", "language", "documents", "core", "checking", "dossiers", "writers"),
    *("evaluation", "models", "tables", "lab"),
)
# They may import every slice, and nothing imports them but what registers commands.
WAYS_IN = ("batch", "service", "agents", "cli")
MOST_FLOORS = 8
# What a summary of a Markdown file by the default system may have in memory; both may only fall.
MOST_MODULES, MOST_LINES = 97, 15_630
# The default summary needs nothing of these.
NOT_BY_DEFAULT = ("tables", "lab", "evaluation", "models.attention", "models.training")
# A fast execution never imports the definition that it is held to.
_BACKENDS = "longsum.models.attention.backends"
APART = {
    f"{_BACKENDS}.tiled": f"{_BACKENDS}.reference",
    f"{_BACKENDS}.flex": f"{_BACKENDS}.reference",
    "longsum.models.attention.linear_layers": f"{_BACKENDS}.reference",
}
# Files whose names say nothing without their folder.
SAY_NOTHING = {
    *("configuration.py", "convert.py", "files.py", "layers.py", "loading.py", "modeling.py"),
    *("preparation.py", "run.py", "settings.py", "units.py", "views.py"),
}


def module_of(file: Path) -> str:
    parts = file.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


IMPORT = re.compile(r"^ *(?:from ([\w.]+) )?import (?:\(([^)]*)\)|([^\n#]*))", re.MULTILINE)
MODULES = {module_of(file): file for file in sorted(SOURCE.rglob("*.py"))}


@cache
def imported(module: str) -> frozenset[str]:
    """Return the modules of longsum that a module imports, in its functions too."""
    found = set()
    for origin, several, line in IMPORT.findall(MODULES[module].read_text(encoding="utf-8")):
        assert not origin.startswith("."), f"{module} has a relative import"
        for named in (several or line).split(","):
            name = named.partition("#")[0].partition(" as ")[0].strip()
            whole = f"{origin}.{name}" if origin else name
            found.add(whole if whole in MODULES else origin)
    return frozenset((found & MODULES.keys()) - {module})


def parts_of(module: str) -> list[str]:
    """Return the names of a module's slice, of its part of that, and so on."""
    return module.split(".")[1:]


def within(slice_: str) -> dict[str, set[str]]:
    """Return the parts of a slice, folders and files there, each with those that it imports."""
    found: dict[str, set[str]] = {}
    for module in MODULES:
        own = parts_of(module)
        if len(own) < 2 or own[0] != slice_:
            continue
        others = (parts_of(name) for name in imported(module))
        inside = {other[1] for other in others if len(other) > 1 and other[0] == slice_}
        found.setdefault(own[1], set()).update(inside - {own[1]})
    return found


def test_every_folder_is_a_slice() -> None:
    folders = {entry.parent.name for entry in SOURCE.glob("*/__init__.py")}
    assert folders == {*SLICES, *WAYS_IN}


@pytest.mark.parametrize("place", range(len(SLICES)), ids=SLICES)
def test_a_slice_imports_only_slices_below(place: int) -> None:
    for module in MODULES:
        if parts_of(module)[:1] == [SLICES[place]]:
            found = {parts_of(name)[0] for name in imported(module) if parts_of(name)}
            assert found <= {*SLICES[: place + 1]}, module


@pytest.mark.parametrize("slice_", [*SLICES, *WAYS_IN])
def test_the_parts_of_a_slice_stand_on_few_floors(slice_: str) -> None:
    below = within(slice_)
    floors: dict[str, int] = {}
    try:
        for part in TopologicalSorter(below).static_order():
            floors[part] = 1 + max((floors[other] for other in below[part]), default=0)
    except CycleError as error:
        pytest.fail(f"circle of parts: {' → '.join(error.args[1])}")
    assert max(floors.values()) <= MOST_FLOORS


def test_no_circle_of_modules() -> None:
    try:
        TopologicalSorter({name: imported(name) for name in MODULES}).prepare()
    except CycleError as error:
        pytest.fail(f"circle of imports: {' → '.join(error.args[1])}")


def test_the_default_summary_stands_apart() -> None:
    """What the library's entry can reach by imports, written anywhere in its modules."""
    reached, ahead = set(), ["longsum.core.library", "longsum.core.extractive.neural"]
    while ahead:
        module = ahead.pop()
        if module not in reached:
            reached.add(module)
            ahead += imported(module)
    others = tuple(f"longsum.{name}" for name in NOT_BY_DEFAULT)
    assert sorted(module for module in reached if module.startswith(others)) == []


def test_the_default_summary_imports_little(opening_path: Path) -> None:
    code = (
        f"import sys, pathlib, longsum; longsum.summarize(pathlib.Path({str(opening_path)!r}))\n"
        "print(*(name for name in sys.modules if name.split('.')[0] == 'longsum'))\n"
        # Masked arrays, which `np.unique` and `np.median` import, take 15 ms.
        "assert 'numpy.ma' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    modules = done.stdout.split()
    assert len(modules) <= MOST_MODULES, sorted(modules)
    lines = sum(len(MODULES[name].read_text("utf-8").splitlines()) for name in modules)
    assert lines <= MOST_LINES


@pytest.mark.parametrize("module", APART)
def test_a_fast_execution_does_not_import_its_definition(module: str) -> None:
    assert APART[module] in MODULES
    assert APART[module] not in imported(module)


@pytest.mark.parametrize("name", sorted(SAY_NOTHING))
def test_a_name_that_says_nothing_is_not_used_twice(name: str) -> None:
    assert Counter(file.name for file in MODULES.values())[name] <= 1


def test_modules_name_no_others_in_strings() -> None:
    """`import_module` hides who imports whom; what is registered is in the pyproject.toml."""
    for module, file in MODULES.items():
        if module != "longsum.common.extras":
            assert "import_module" not in file.read_text(encoding="utf-8"), module
