"""What `import longsum` gives, and what it does besides."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import longsum

# As the program imports it, which then ends at once on Ctrl-C.
IMPORT = """
import json, os, signal, sys
sys.argv = ["/usr/bin/longsum"]
import longsum
print(json.dumps({
    "modules": [name for name in sys.modules if name.startswith("longsum.")],
    "telemetry": os.environ.get("HF_HUB_DISABLE_TELEMETRY"),
    "ends": signal.getsignal(signal.SIGINT) is not signal.default_int_handler,
    "waits": [type(each).__module__ for each in sys.meta_path],
}))
"""


def test_importing_it_loads_little_reports_nothing_and_waits_for_models() -> None:
    clean = {name: value for name, value in os.environ.items() if "TELEMETRY" not in name}
    done = subprocess.run([sys.executable, "-c", IMPORT], env=clean, capture_output=True, text=True)
    found = json.loads(done.stdout)
    assert (found["telemetry"], found["ends"]) == ("1", True)
    assert "longsum.models.networks.announce" in found["waits"]
    rooms = {"longsum.core", "longsum.documents", "longsum.evaluation", "longsum.cli"}
    assert rooms.isdisjoint(found["modules"])


def test_its_names_are_those_of_their_homes() -> None:
    stated = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert longsum.__version__ == stated["version"]
    assert set(longsum.__all__) <= set(dir(longsum))
    for name in longsum.__all__:
        if name != "__version__":
            assert getattr(longsum, name).__name__ == name
            assert getattr(longsum, name).__module__.startswith("longsum.")
    summary = longsum.summarize("Dams hold back the river. Fields need water.", length="1s")
    assert summary.text in summary.to_html()


def test_a_name_that_it_lacks_is_answered_with_the_nearest() -> None:
    with pytest.raises(AttributeError, match="module 'longsum' has no attribute 'sumarize'") as it:
        longsum.sumarize  # noqa: B018
    assert (it.value.name, it.value.obj) == ("sumarize", longsum)


def test_it_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "longsum", "--version"], capture_output=True)
    assert done.stdout.decode() == f"longsum {longsum.__version__}\n"
