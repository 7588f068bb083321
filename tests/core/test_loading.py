from types import SimpleNamespace

import pytest

from longsum.common.errors import LongsumError
from longsum.core import loading
from longsum.core.systems.system import System
from longsum.core.tree_makers import load_tree_maker


def test_another_package_adds_systems_but_cannot_replace_ours(monkeypatch) -> None:
    monkeypatch.setattr(loading, "registered", lambda _group: ["mls", "theirs"])
    monkeypatch.setattr(loading, "find", lambda *_: SimpleNamespace(title="Of another package"))
    titles = [(system.name, system.title) for system in loading.systems()]
    assert [name for name, _ in titles] == sorted({name for name, _ in titles})
    assert [name for name, title in titles if title == "Of another package"] == ["theirs"]


def test_the_address_of_a_language_model_loads_a_system_and_a_tree_maker() -> None:
    address = "http://127.0.0.1:9/v1#mine"
    model = loading.load_model(address)
    assert isinstance(model, System)
    assert model.name == "mine"
    assert load_tree_maker(address).resuming_in(None, lambda *_: None)


def test_a_system_cannot_contain_itself_but_may_contain_one_of_its_kind(tmp_path) -> None:
    magnified = tmp_path / "mine.yaml"
    magnified.write_text(
        f"name: mine\ntitle: Mine\npaper: none\nkind: magnifier\n"
        f"settings: {{prototype: {magnified}}}\n"
    )
    with pytest.raises(LongsumError, match=r"The system 'mine' is a part of itself; name"):
        loading.load_system(magnified)
    ours, theirs = tmp_path / "ours.yaml", tmp_path / "theirs.yaml"
    for file, chapters in ((ours, theirs), (theirs, ours)):
        settings = f"{{chapters: {chapters}, whole: lead}}"
        file.write_text(
            f"name: books\ntitle: Books\npaper: none\nkind: recursive\nsettings: {settings}\n"
        )
    for file in (ours, theirs):
        with pytest.raises(LongsumError, match=r"The system 'books' is a part of itself; name"):
            loading.load_system(file)
    inner = {"chapters": "lead", "whole": None}
    for _ in range(2):
        loading.load_system(ours, chapters_settings=inner)
