"""What longsum settles before anything else loads."""

import os
import re
import signal
import sys
from pathlib import Path
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
def test_only_our_program_ends_at_once(monkeypatch, program, given, ends) -> None:
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


def test_reports_are_off_as_the_page_says_and_a_users_own_setting_stays(monkeypatch) -> None:
    page = (Path(__file__).parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
    said = dict(re.findall(r"\| `([A-Z_]+)=(\w+)` \|", page))
    assert len(said) == 3
    monkeypatch.setattr(os, "environ", {"RAY_USAGE_STATS_ENABLED": "1"})
    beginning.report_nothing()
    assert os.environ == said | {"RAY_USAGE_STATS_ENABLED": "1"}
