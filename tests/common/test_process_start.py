"""Settings that longsum makes before anything else loads."""

import os
import signal
import sys
from importlib import import_module
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
    monkeypatch.setattr(sys, "argv", [program, *given[-1:]])
    monkeypatch.setattr(sys, "orig_argv", given)
    beginning.end_at_once()
    assert list(told) == [signal.SIGINT] * ends
    statuses: list[int] = []
    monkeypatch.setattr(os, "_exit", statuses.append)
    for handler in told.values():
        handler(signal.SIGINT, None)
    assert statuses == [130] * ends


HUB = """
class AutoConfig:
    def register(model_type, config):
        CONFIG_MAPPING[model_type] = config
CONFIG_MAPPING = {"longsum_tagger": "its own"}
"""


@pytest.mark.parametrize("there", [True, False])
def test_models_are_announced_when_others_ask_for_them(monkeypatch, tmp_path, there) -> None:
    (tmp_path / "a_hub.py").write_text(HUB)
    monkeypatch.setattr(beginning, "HOME", "a_hub")
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.syspath_prepend(tmp_path)
    if there:
        import_module("a_hub")
    beginning.announce()
    assert ("a_hub" in sys.modules) == there
    found = import_module("a_hub").CONFIG_MAPPING
    sys.modules.pop("a_hub")
    assert found == beginning.STAND_INS | {"longsum_tagger": "its own"}
