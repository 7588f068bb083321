"""The tests that need `datasets`, Inspect and lm-eval, with a Python that has them."""

import os
import re
import subprocess
import sysconfig
import venv
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NEWEST = {"datasets": "5.2.0", "inspect_ai": "0.3.285", "lm_eval": "0.4.13"}
"""The versions that they were last seen to pass with."""
TESTS = ("lab/comparison/test_inspect_tasks.py", "evaluation/datasets/test_exported_records.py")


def _run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(list(map(str, words)), cwd=ROOT, env=own, capture_output=True, text=True)


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """Return a Python that has these packages, and of all others those that are installed here."""
    folder = tmp_path_factory.mktemp("packages")
    venv.create(folder, with_pip=True)
    (library,) = folder.glob("lib/python3*/site-packages")
    here = sysconfig.get_path("purelib")
    (library / "here.pth").write_text(f"import site; site.addsitedir({here!r})\n")
    pip = (folder / "bin/python", "-m", "pip", "--disable-pip-version-check")
    wanted = [f"{name}=={version}" for name, version in NEWEST.items()]
    found = _run(*pip, "download", "-q", "--no-deps", "-d", folder / "found", wanted[-1])
    if found.returncode:
        pytest.skip(f"no package can be installed: {found.stderr.strip().splitlines()[-1]}")
    installed = _run(*pip, "install", "-q", *wanted)
    assert installed.returncode == 0, installed.stderr
    return folder / "bin/python"


@pytest.mark.slow
@pytest.mark.skipif(
    all(map(find_spec, NEWEST)), reason="they are installed, so that their tests run anyway"
)
def test_the_tests_of_other_packages_pass_with_them(python):
    files = [f"tests/{name}" for name in TESTS]
    done = _run(python, "-m", "pytest", "-n", "0", "-m", "slow", "-p", "no:cacheprovider", *files)
    assert done.returncode == 0, done.stdout
    assert re.search(r"\b4 passed\b", done.stdout)
    assert "skipped" not in done.stdout
