import ast
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml

import mutants as script

ROOT = Path(__file__).parents[2]
MUTANTS = script.read_mutants(ROOT / "tests" / "mutants")


@cache
def defined(path: Path) -> set[str]:
    """Return the tests of a file, `Class::test` for those of a class."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found |= {node.name} | {
                f"{node.name}::{each.name}"
                for each in node.body
                if isinstance(each, ast.FunctionDef)
            }
    return found


def test_every_mutant_can_be_made_and_its_tests_are_there() -> None:
    assert {each.name: said for each in MUTANTS if (said := script.faults(each, ROOT))} == {}
    for mutant in MUTANTS:
        assert mutant.tests, mutant.name
        for test in mutant.tests:
            file, _, node = test.partition("::")
            assert file.startswith("tests/"), mutant.name
            assert (ROOT / file).exists(), mutant.name
            assert not node or node.partition("[")[0] in defined(ROOT / file), mutant.name


def test_there_are_at_least_sixty_mutants_and_no_two_are_the_same() -> None:
    assert len(MUTANTS) >= 60
    assert max(Counter((each.area, each.name) for each in MUTANTS).values()) == 1
    assert max(Counter((each.file, each.old, each.new) for each in MUTANTS).values()) == 1


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of one function, with tests of its sign and its size."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    package = tmp_path / "src" / "doubled"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("def double(x):\n    return 2 * x\n")
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_sign.py").write_text(
        "from doubled import double\n\ndef test_sign():\n    assert double(-3) < 0\n"
    )
    (tests / "test_size.py").write_text(
        "import pathlib, tempfile\nfrom doubled import double\n\n"
        "def test_size():\n    (pathlib.Path.home() / 'left').touch()\n"
        "    tempfile.mkdtemp()\n    assert double(3) == 6\n"
    )
    (tests / "test_false.py").write_text("def test_false():\n    assert False\n")
    (tests / "mutants").mkdir()
    return tmp_path


def mutant(new: str, *tests: str, old: str = "2 * x") -> script.Mutant:
    named = tuple(f"tests/test_{test}.py" for test in tests)
    return script.Mutant("area", new, "src/doubled/__init__.py", old, new, named)


def fates(project: Path, *mutants: script.Mutant, **options: float) -> list[str]:
    return [each.fate for each in script.tried(mutants, project, **options)]


@pytest.mark.slow
def test_one_failing_test_kills_and_nothing_is_left(project, monkeypatch, tmp_path_factory) -> None:
    homes = {name: tmp_path_factory.mktemp(name) for name in ("HOME", "TMPDIR")}
    for name, home in homes.items():
        monkeypatch.setenv(name, str(home))
    # The second has as many characters as the first, and comes within the same second.
    given = [mutant(new, "sign", "size") for new in ("3 * x", "2 * x ", "-2* x")]
    assert fates(project, *given, jobs=2) == ["killed", "survived", "killed"]
    assert "2 * x" in (project / "src" / "doubled" / "__init__.py").read_text()
    assert [path for home in homes.values() for path in home.iterdir()] == []


def test_mutants_that_cannot_be_tried_are_reported(project: Path) -> None:
    given = [
        mutant("x", "sign", old="4 * x"),
        mutant("y", "sign", old="x"),
        mutant("2 * * x", "sign"),
        mutant("2 * x", "sign"),
        mutant("3 * x", "false"),
        mutant("3 * x", "absent"),
    ]
    verdicts = list(script.tried(given, project))
    assert [each.fate for each in verdicts] == ["stale"] * 3 + ["stale", "broken", "broken"]
    assert all(each.detail for each in verdicts)
    assert script.survival(verdicts) == 0


@pytest.mark.timing
def test_endless_tests_count_as_killed(project: Path) -> None:
    endless = mutant("[0 for _ in iter(int, 1)]", "size")
    assert fates(project, endless, seconds=4) == ["killed (time)"]


@pytest.mark.slow
def test_the_exit_status_tells_whether_too_many_survive(project, monkeypatch, capsys) -> None:
    entry = {"old": "2 * x", "tests": ["tests/test_sign.py"]}
    for area, new in (("signs", "3 * x"), ("sizes", "-2 * x")):
        (project / "tests" / "mutants" / f"{area}.yaml").write_text(
            yaml.safe_dump(
                {"src/doubled/__init__.py": [{"name": f"It is {new}", "new": new, **entry}]}
            )
        )
    monkeypatch.setattr(script, "ROOT", project)
    for words, status in [([], 1), (["sizes"], 0)]:
        monkeypatch.setattr(sys, "argv", ["mutants.py", *words])
        with pytest.raises(SystemExit) as exit_:
            script.main()
        assert exit_.value.code == status
    said = capsys.readouterr().out
    assert "50.0% of 2 mutants survive" in said
    assert "0.0% of 1 mutants survive" in said


def test_mutants_are_chosen_by_area_and_by_name() -> None:
    given = [mutant("3 * x", "size"), mutant("4 * x", "size")]
    assert script.choose(given, []) == given
    assert script.choose(given, ["area"]) == given
    assert script.choose(given, ["4 * X"]) == given[1:]
    assert script.choose(given, ["are"]) == []
