"""Commands and examples in the README and docstrings run as printed."""

import ast
import doctest
import re
import shlex
import shutil
import sys
from importlib import import_module
from pathlib import Path

import pytest

from longsum.cli import main

ROOT = Path(__file__).parent.parent

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "module",
    ["longsum.documents.readers.reading", "longsum.core.library", "longsum.core.loading"],
)
def test_examples_in_docstrings(module, opening_path, monkeypatch, tmp_path):
    # What makes summaries makes them of the example's first sections.
    (tmp_path / "examples").mkdir()
    shutil.copy(opening_path, tmp_path / "examples")
    monkeypatch.chdir(tmp_path if module == "longsum.core.library" else ROOT)
    found = doctest.testmod(import_module(module))
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_python_in_the_readme(code, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    exec(compile(code, "README.md", "exec"), {})
    assert "topics" in capsys.readouterr().out


PAGES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *ROOT.glob("examples/*.md")]
# What they need is not at hand in a test: data sets, public weights, time; or it is the user's own.
NOT_HERE = (
    *("--data", "--model", "annotate", "batch", "checkpoint", "convert", "export", "train"),
    *("--positions", "--scale small", "longsum mcp", "longsum push"),
)


def shape(command: str) -> str:
    """Return a command without names of files, numbers and texts that it is given."""
    return re.sub(r"\S+\.(md|pdf|html|epub)\b|\"[^\"]*\"|'[^']*'|\d+", "…", command)


def commands() -> list[str]:
    """Return the commands of all pages, one of each shape that no command's help shows as well."""
    found: dict[str, str] = {}
    helped = (
        import_module(f"longsum.cli.{name}") for name in ("outline", "questions", "summarize")
    )
    shown = {shape(example) for module in helped for example in module.EXAMPLES}
    for page in PAGES:
        for block in re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            for line in block.splitlines():
                if line.startswith("longsum ") and not any(word in line for word in NOT_HERE):
                    command = line.partition("#")[0].strip()
                    if (like := shape(command)) not in shown:
                        found.setdefault(like, command)
    return [*found.values()]


@pytest.mark.parametrize("command", commands())
def test_commands_in_the_pages(command, opening_path, monkeypatch, tmp_path, capsys):
    """Each runs on a part of the example in place of the report that it names, or on a table."""
    shutil.copytree(ROOT / "examples" / "tables", tmp_path / "examples" / "tables")
    shutil.copy(ROOT / "examples" / "crypto-mining-summary.txt", tmp_path / "examples")
    for name in ("report.pdf", "examples/crypto-mining.md"):
        shutil.copy(opening_path, tmp_path / name)
    there = list(tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", shlex.split(command))
    with pytest.raises(SystemExit) as exit_:
        main()
    assert exit_.value.code == 0
    written = capsys.readouterr().out or "".join(
        path.read_text(encoding="utf-8") for path in tmp_path.iterdir() if path not in there
    )
    assert len(written) > 200


def test_the_readmes_setup_lines_need_nothing_but_python_and_pip():
    lines = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert len(lines) == 2
    assert lines[0].split(" && ")[-1].startswith(".venv/bin/longsum summarize examples/")
    assert lines[1].split(" && ")[-1] == ".venv/bin/pytest"
    # Both stand on the first screen.
    assert all(README.splitlines().index(line) < 25 for line in lines)


def test_every_system_and_metric_stands_in_its_page():
    from longsum.core.recipes import recipe_names
    from longsum.lab.comparison.comparison_metrics import summary_metrics

    for page, names in (("systems", recipe_names()), ("evaluation", summary_metrics())):
        text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
        assert [name for name in names if f"| `{name}`" not in text] == []


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        # Code may show the syntax of links.
        text = re.sub(r"`[^`\n]+`", "", page.read_text(encoding="utf-8"))
        for link in re.findall(r"\]\(([^)]+)\)", text):
            target, _, anchor = link.partition("#")
            if "://" not in target:
                there = page.parent / target if target else page
                assert there.exists(), f"{page.name}: {link}"
                assert not anchor or anchor in anchors(there), f"{page.name}: {link}"


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _defines(module: Path, names: list[str]) -> bool:
    """Return whether a file defines a name at its top level, or a class there with a member."""
    body = ast.parse(module.read_text(encoding="utf-8")).body
    for name in names:
        found = [node for node in body if name in _names(node)]
        if not found:
            return False
        body = getattr(found[0], "body", [])
    return True


def _names(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def test_files_that_pages_name_exist():
    roots = [ROOT / each for each in ("", "src", "src/longsum", "tests")]
    for page in PAGES:
        for name in re.findall(r"`([\w./-]+\.(?:py|yaml))`", page.read_text(encoding="utf-8")):
            if "/" in name:
                assert any((root / name).is_file() for root in roots), f"{page.name}: {name}"


ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = [
    name for name in re.findall(r"`([\w./-]+)`", ARCHITECTURE) if not re.search("[A-Z]{4}\\.", name)
]


def test_tests_that_pages_name_exist():
    written = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in [file.name, file.stem, *re.findall(r"def (test_\w+)", file.read_text("utf-8"))]
    }
    named = {
        name for page in PAGES for name in re.findall(r"\b(test_\w+)", page.read_text("utf-8"))
    }
    # `test_tokens_are_*` and `…` stand for several.
    missing = {
        name
        for name in named - written
        if not (name.endswith("_") and any(each.startswith(name) for each in written))
    }
    assert named
    assert not missing


def test_the_architecture_names_what_exists():
    """A name is `room/`, `room/file.py`, `room/module.function` or `room/module.Class.method`."""
    source = ROOT / "src" / "longsum"
    for name in {name for name in NAMED if re.search(r"/|\.py$", name)}:
        if any((folder / name).exists() for folder in (ROOT, source, ROOT / "src")):
            continue
        if list(source.glob(f"*/{name}")):
            continue
        module, *names = name.split(".")
        path = source / f"{module}.py"
        assert path.is_file(), f"{name}: there is no {path.relative_to(ROOT)}"
        assert _defines(path, names), f"{name}: {path.relative_to(ROOT)} does not define it"
