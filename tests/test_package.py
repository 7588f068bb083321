"""What `import longsum` provides, and its side effects."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import longsum


@pytest.fixture(autouse=True)
def homes() -> set[str]:
    """The modules that its names are taken from."""
    names = [name for name in longsum.__all__ if name != "__version__"]
    assert {getattr(longsum, name).__name__ for name in names} == set(names)
    return {getattr(longsum, name).__module__ for name in names}


def test_importing_it_loads_little_and_waits_for_models(homes: set[str]) -> None:
    code = "import longsum, sys; print(*sys.modules, *(type(e).__module__ for e in sys.meta_path))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    found = done.stdout.decode().split()
    assert found.count("longsum.common.beginning") == 2
    assert (homes | {"torch", "transformers"}).isdisjoint(found)


def test_reports_are_off_as_the_page_says_unless_a_user_turned_them_on():
    page = (Path(__file__).parents[1] / "docs" / "limits.md").read_text(encoding="utf-8")
    off = dict(re.findall(r"\| `([A-Z_]+)=(\w+)` \|", page))
    assert len(off) == 3
    code = f"import longsum, os; print(*map(os.environ.get, {[*off]}))"
    for set_by_user in ({}, dict.fromkeys(off, "mine")):
        others = {name: value for name, value in os.environ.items() if name not in off}
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env={**others, **set_by_user}, capture_output=True)
        assert done.stdout.decode().split() == list((set_by_user or off).values())


@pytest.mark.parametrize("arguments", [["/usr/bin/longsum"], ["notebook"]])
def test_an_interrupt_while_the_program_loads_shows_no_traceback(arguments):
    """A library leaves the interrupts of other programs alone."""
    code = (
        f"import os, signal, sys; sys.argv = {arguments}\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name.endswith('common.views'): os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupt()); import longsum"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    alone = Path(arguments[0]).name == "longsum"
    assert (done.returncode == 130, b"Traceback" in done.stderr) == (alone, not alone)


def test_its_names_are_those_of_their_homes() -> None:
    stated = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert longsum.__version__ == stated["version"]
    assert {*longsum.__all__, "__file__", "__version__"} <= set(dir(longsum))
    summary = longsum.summarize("Dams hold back the river. Fields need water.", length="1s")
    assert summary.text in summary.to_html()


def test_a_name_that_it_lacks_is_answered_with_the_nearest() -> None:
    with pytest.raises(AttributeError, match="module 'longsum' has no attribute 'sumarize'") as it:
        longsum.sumarize  # noqa: B018
    assert (it.value.name, it.value.obj) == ("sumarize", longsum)


def test_it_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "longsum", "--version"], capture_output=True)
    assert done.stdout.decode() == f"longsum {longsum.__version__}\n"
