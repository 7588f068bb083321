"""Random faults: which are drawn, and that the tests of the matching folder find them."""

import json
import sys

import pytest

import entered
import random_mutants as script
from faults import faults_of

HEARD = '''
def first(items, most=3, *, asked=7):
    """Return -1 of nothing."""
    found: list[int] = []
    for item in items:
        if item < most and not item.gone:
            found.append(item)
            break
    tell("What is the longest?", "The longest of them all.")
    return max(found, key=len)
def rest(items, low):
    left = items + [low] if low < len(items) <= 9 else near(low)
    return (low, left.min(0))
'''
UNHEARD = '''
import sys
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    LIMIT = 1

@dataclass(frozen=True)
class Thing:
    """A thing of 3."""
    size: int

    def __repr__(self):
        return "thing"

    def check(self, path: Annotated[str, 3]):
        assert self.size == 3, "no size"
        return cast(int, field(help="how large", encoding="utf-8"))
'''


def test_faults_are_made_only_if_they_could_matter() -> None:
    found = {fault.put_into(HEARD) for fault in faults_of(HEARD)}
    for old, new in [
        ("most=3", "most=(4)"),
        ("item < most", "(item <= most)"),
        ("item < most", "(item >= most)"),
        ("item < most and not item.gone", "(item < most or not item.gone)"),
        ("item < most and not item.gone", "(item < most)"),
        ("item < most and not item.gone", "(not item.gone)"),
        ("item < most and not item.gone", "(False)"),
        ("not item.gone", "(item.gone)"),
        ("found.append(item)", "pass"),
        ("break", "continue"),
        ("return max(found, key=len)", "return"),
        ("max(found, key=len)", "(min(found, key=len))"),
        ("max(found, key=len)", "(max(found))"),
        ("low < len(items) <= 9", "(low < len(items))"),
        ("low < len(items) <= 9", "(len(items) <= 9)"),
        ("items + [low]", "(items)"),
        ("left.min(0)", "(left.max(0))"),
        ("left.min(0)", "(left)"),
        ("(low, left.min(0))", "((low,))"),
    ]:
        assert HEARD.count(old) == 1
        assert HEARD.replace(old, new) in found
    texts = "".join(found)
    # What is never read, and what is told to people.
    assert "asked=(" not in texts
    assert 'tell("What' in texts
    assert 'tell("The' not in texts
    assert {fault.functions for fault in faults_of(HEARD)} == {(2,), (11,)}
    assert [fault.what for fault in faults_of(UNHEARD)] == ["nothing returned"]


def test_a_seed_draws_of_every_room() -> None:
    drawn = script.draw(200, 3, ["agents", "top", "dossiers"])
    assert list(map(len, drawn.values())) == [len(set(each)) for each in drawn.values()]
    assert min(map(len, drawn.values())) >= 10
    assert drawn == script.draw(200, 3, ["agents", "top", "dossiers"])
    assert drawn["agents"] != script.draw(200, 4, ["agents"])["agents"]


def test_functions_called_at_import_are_known() -> None:
    text = "def one():\n    return 1\ndef two():\n    return one()\nTABLE = {'a': two()}\n"
    assert script.called_at_import(text) == {3}


@pytest.mark.slow
def test_faults_that_tests_find_count_as_found(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    package, tests = tmp_path / "src" / "longsum" / "sums", tmp_path / "tests" / "sums"
    package.mkdir(parents=True)
    tests.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").write_text("")
    source = package / "double.py"
    source.write_text(
        "def double(x):\n    while x < 0:\n        x += 10\n    return 2 * x\n\n"
        "def half(x):\n    return x / 2\n"
    )
    (tests / "test_double.py").write_text(
        "import pytest, subprocess, sys, time\n\nfrom longsum.sums.double import double, half\n\n"
        "def test_double():\n    assert double(3) == 6\n    assert double(-7) == 6 + half(0)\n\n"
        "CHILD = 'from longsum.sums.double import half; assert half(2) == 1'\n\n"
        "def test_child():\n"
        "    subprocess.run([sys.executable, '-c', CHILD], check=True)\n\n"
        "@pytest.mark.slow\ndef test_rest():\n    assert double(0) == 0\n\n"
        "@pytest.mark.slow\ndef test_rests():\n    double(0)\n    time.sleep(9)\n"
    )
    for module in (script, entered):
        monkeypatch.setattr(module, "ROOT", tmp_path)
        monkeypatch.setattr(module, "PACKAGE", tmp_path / "src" / "longsum")
    # Some faults never end; what does, ends in less than a second.
    monkeypatch.setattr(script.Attempt, "most", 3)
    for name in [each for each in sys.modules if each.partition(".")[0] == "longsum"]:
        monkeypatch.delitem(sys.modules, name)
    mapped = entered.mapped("sums", tmp_path)
    name, child = (f"tests/sums/test_double.py::test_{each}" for each in ("double", "child"))
    assert mapped[name]["functions"] == [f"src/longsum/sums/double.py:{line}" for line in (1, 6)]
    assert not mapped[child]["functions"]
    slow = entered.mapped("sums", tmp_path, 0.2)
    assert list(slow) == [name.replace("::test_double", "::test_rest")]
    attempts = [
        script.Attempt("sums", source, fault, mapped, 60) for fault in faults_of(source.read_text())
    ]

    def fates(attempts: list[script.Attempt], copies: str) -> dict[str, str]:
        for attempt in script.tried(attempts, 2, tmp_path / copies):
            assert list(attempt.tests) in ([name], [child], list(slow))
        return {each.difference(): each.fate for each in attempts}

    seen, unseen = "- return 2 * x\n+ return (3) * x", "- while x < 0:\n+ while (x <= 0):"
    elsewhere = "- return x / 2\n+ return (x * 2)"
    quick = fates(attempts, "quick")
    assert (quick[seen], quick[unseen]) == (script.KILLED, script.SURVIVED)
    found = {each.difference(): each.finders for each in attempts}
    assert (found[seen], found[elsewhere]) == ([name], [child])
    survivors = [each for each in attempts if each.fate == script.SURVIVED]
    for each in survivors:
        each.later = script.quickest(each.entering(slow), 60)
    assert fates(survivors, "slow")[unseen] == script.KILLED
    assert json.dumps([each.verdict() for each in attempts])
