"""A room imports only rooms below it."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "longsum"
MAY_IMPORT = {
    "language": set(),
    "attention": set(),
    "models": {"attention"},
    "documents": {"language"},
    "summaries": {"documents", "language", "questions"},
    "evaluation": {"documents", "language", "questions"},
    "datasets": {"documents", "language", "questions"},
    "kernels": {"documents", "language"},
    "questions": set(),
    "recipes": set(),
    "tasks": {"datasets", "documents", "evaluation", "language", "questions"},
    "training": {
        "attention",
        "datasets",
        "documents",
        "evaluation",
        "language",
        "models",
        "questions",
        "recipes",
        "tasks",
    },
    "systems": {
        "attention",
        "documents",
        "evaluation",
        "kernels",
        "language",
        "models",
        "questions",
        "recipes",
        "summaries",
        "tasks",
    },
    "reports": {"attention", "documents", "language", "questions", "summaries"},
}
EVERYWHERE = {"arrays", "errors", "extras", "files", "names", "threads", "views", "wording"}
# Modules that stand above the rooms and may use all of them.
TOP = {"cli", "comparison", "pipeline", "__init__", "__main__"}


def imports(file: Path) -> set[str]:
    """Return the rooms of longsum that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("longsum.")}
    return found


def room_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("file", sorted(SOURCE.rglob("*.py")), ids=lambda f: str(f.name))
def test_imports_only_rooms_below(file: Path) -> None:
    room = room_of(file)
    if room in TOP or room in EVERYWHERE:
        return
    assert imports(file) - {room} - EVERYWHERE <= MAY_IMPORT[room]


def test_every_room_has_a_rule() -> None:
    rooms = {entry.name for entry in SOURCE.iterdir() if (entry / "__init__.py").exists()}
    assert rooms - TOP == set(MAY_IMPORT)


def test_the_rules_have_no_circle() -> None:
    done: set[str] = set()
    while len(done) < len(MAY_IMPORT):
        ready = {room for room, below in MAY_IMPORT.items() if below <= done} - done
        assert ready, f"circle among {set(MAY_IMPORT) - done}"
        done |= ready
