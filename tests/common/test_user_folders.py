from pathlib import Path

import pytest

from longsum.common.user_folders import user_folder


@pytest.mark.parametrize(
    ("kind", "usual"), [("config", ".config"), ("cache", ".cache"), ("state", ".local/state")]
)
def test_folders_follow_xdg_or_are_in_the_home_folder(kind, usual, monkeypatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.delenv(f"XDG_{kind.upper()}_HOME", raising=False)
    assert user_folder(kind) == Path(f"/home/ann/{usual}/longsum")
    monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", "/elsewhere")
    assert user_folder(kind) == Path("/elsewhere/longsum")
