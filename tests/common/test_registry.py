"""Registered objects are found by name, ours before those of other packages."""

import json
from importlib.metadata import EntryPoint, PackageNotFoundError

import pytest

from longsum.common import registry
from longsum.common.beginning import STAND_INS
from longsum.common.errors import LongsumError
from longsum.common.views import views
from longsum.core.extractive.baselines import LEAD
from longsum.core.pages import cell

GROUP = "longsum.systems"


def test_registered_objects_are_found_by_name() -> None:
    assert registry.find("systems", "lead") is LEAD
    assert registry.find("systems", "no such system") is None


def test_other_packages_come_after_ours_and_take_no_name_of_them(monkeypatch) -> None:
    foreign = [EntryPoint(name, "other:SYSTEM", GROUP) for name in ("zebra", "lead", "ape")]
    monkeypatch.setattr(
        registry, "entry_points", lambda **asked: foreign * (asked["group"] == GROUP)
    )
    ours = registry._own("systems")
    found = registry.registered.__wrapped__("systems")
    assert list(found) == [*ours, "ape", "zebra"]
    assert found["lead"] == ours["lead"]
    named = {"zebra": EntryPoint("zebra", "json:dumps", GROUP)}
    monkeypatch.setattr(registry, "registered", lambda group: named if group == "systems" else {})
    assert registry.find("systems", "zebra") is json.dumps


def test_a_package_that_cannot_be_loaded_is_named_unless_it_is_ours() -> None:
    with pytest.raises(
        LongsumError, match=r"'x' of the package no_such.module cannot be loaded .*'no"
    ):
        registry.load(EntryPoint("x", "no_such.module:SYSTEM", GROUP))
    with pytest.raises(ModuleNotFoundError, match=r"longsum\.no_such"):
        registry.load(EntryPoint("x", "longsum.no_such:SYSTEM", GROUP))


def test_files_that_are_not_installed_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(registry, "distribution", missing)
    with pytest.raises(LongsumError, match="run pip install"):
        registry._own.__wrapped__("systems")


def test_a_stand_in_of_settings_has_the_name_of_the_class_that_is_registered() -> None:
    names = {name: each.__name__ for name, each in STAND_INS.items()}
    assert names == {name: each.attr for name, each in registry._own("architectures").items()}


def test_the_views_are_those_of_the_pages() -> None:
    assert views() is cell
