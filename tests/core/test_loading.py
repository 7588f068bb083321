from types import SimpleNamespace

from longsum.core import loading


def test_another_package_adds_systems_but_takes_no_name_of_ours(monkeypatch) -> None:
    monkeypatch.setattr(loading, "registered", lambda _group: ["mls", "theirs"])
    monkeypatch.setattr(loading, "find", lambda *_: SimpleNamespace(title="Of another package"))
    titles = [(system.name, system.title) for system in loading.systems()]
    assert [name for name, _ in titles] == sorted({name for name, _ in titles})
    assert [name for name, title in titles if title == "Of another package"] == ["theirs"]
