import sys
from unittest.mock import Mock

import pytest

import longsum
from longsum.common.errors import LongsumError
from longsum.core.own_systems import load_any_system
from longsum.core.systems.system import System

CODE = """
from dataclasses import dataclass

import helper_of_mine
import longsum


@dataclass
class Last:
    name: str = "last sentence"

    def summarize(self, document, budget, *, focus=None, seed=0):
        return longsum.summary_of(document, helper_of_mine.last(document), budget, system=self.name)


class Silent:
    def summarize(self, document, budget, *, focus=None, seed=0):
        return "a text"


def made():
    return longsum.load_system("systematic", interval=3)


number = 3


class Broken:
    def __init__(self):
        raise ValueError("no weights")
"""


@pytest.fixture
def code(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "modules", {**sys.modules})
    (tmp_path / "mine.py").write_text(CODE)
    (tmp_path / "helper_of_mine.py").write_text(
        "def last(document):\n    return document.sentences[-1].text\n"
    )
    return tmp_path / "mine.py"


def test_a_system_has_no_capability_by_default():
    flags = [name for name, value in vars(System).items() if isinstance(value, bool)]
    assert len(flags) == 10
    assert not any(getattr(System, name) for name in flags)


def test_a_class_in_a_file_can_summarize(code, small):
    summary = longsum.summarize(small, "10w", load_any_system(f"{code}:Last"))
    assert summary.system == "last sentence"
    source = summary.sentences[0].sources[0]
    assert (source.sentence, source.method) == (len(small.sentences) - 1, "copied")
    assert longsum.summary_of(small, "It rains.", "9s").budget == longsum.Budget(9, "sentences")


def test_a_module_a_function_or_a_name_makes_a_system(code, small, monkeypatch):
    monkeypatch.chdir(code.parent)
    assert load_any_system("mine:Last").summarize(small, longsum.Budget(10)).words > 0
    assert load_any_system(f"{code}:made").settings == {"interval": 3}
    assert load_any_system("lead").name == "lead"


def test_a_result_that_is_not_a_summary_is_refused(code, small):
    with pytest.raises(
        LongsumError, match=r"'Silent' returned a value of type str instead of a Summary"
    ):
        longsum.summarize(small, "10w", load_any_system(f"{code}:Silent"))


def test_a_system_without_a_name_goes_by_its_class(small):
    class Silent:
        summarize = Mock(return_value="nothing")

    for options, says in (
        ({}, "'Silent' returned a value of type str"),
        ({"shorten": True}, "'Silent' cannot shorten"),
        ({"fill": "strict"}, "'Silent' has no setting"),
    ):
        with pytest.raises(LongsumError, match=says):
            longsum.summarize(small, "10w", Silent(), **options)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mine.py:Lost", r"has no Lost.*Did you mean 'Last'"),
        ("mine.py:number", r"makes a int, which has no method summarize"),
        ("mine.py:Broken", r"cannot be loaded \(ValueError: no weights, mine.py line \d+\)"),
        ("theirs.py:Last", "There is no file"),
        ("mine.py:Last!", "There is no system 'mine.py:Last!'"),
        ("no_such_module:Last", r"cannot be loaded \(ModuleNotFoundError"),
    ],
)
def test_an_object_that_cannot_summarize_is_refused(code, name, says, monkeypatch):
    monkeypatch.chdir(code.parent)
    with pytest.raises(LongsumError, match=says):
        load_any_system(name)
