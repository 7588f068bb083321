"""What longsum settles before anything else loads."""

import os
import signal
import sys
from types import SimpleNamespace

import pytest

from longsum.common import beginning


@pytest.mark.parametrize(
    ("program", "given", "ends"),
    [
        ("/usr/bin/longsum", ["longsum"], True),
        ("longsum.exe", ["longsum.exe"], True),
        ("-m", ["python", "-m", "longsum", "systems"], True),
        ("-m", ["python", "-m", "pytest"], False),
        ("host.py", ["python", "host.py", "longsum"], False),
    ],
)
def test_only_our_program_ends_at_once(
    monkeypatch: pytest.MonkeyPatch, program: str, given: list[str], ends: bool
) -> None:
    told = {}
    monkeypatch.setattr(beginning, "signal", SimpleNamespace(SIGINT=2, signal=told.__setitem__))
    monkeypatch.setattr(sys, "argv", [program])
    monkeypatch.setattr(sys, "orig_argv", given)
    beginning.end_at_once()
    assert list(told) == [signal.SIGINT] * ends
    statuses: list[int] = []
    monkeypatch.setattr(os, "_exit", statuses.append)
    for handler in told.values():
        handler(signal.SIGINT, None)
    assert statuses == [130] * ends
