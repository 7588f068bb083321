"""Tests that need `datasets`, Inspect and lm-eval, run by a Python that has them."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NEWEST = {"datasets": "5.2.0", "inspect_ai": "0.3.285", "lm_eval": "0.4.13"}
"""The versions that they were last seen to pass with."""
NEEDED = """
    agent-client-protocol==0.12.1 botocore==1.43.117 dataproperty==1.1.1 dill==0.4.1
    docstring-parser==0.18.0 fsspec==2026.6.0 ijson==3.6.0 jmespath==1.1.0 jsonlines==4.0.0
    jsonpatch==1.48 jsonpointer==3.12 linkify-it-py==2.2.0 mbstrdecoder==1.1.5 mmh3==5.3.1
    multiprocess==0.70.19 nest-asyncio2==1.7.4 pandas==3.1.1 pathvalidate==3.3.1
    platformdirs==4.14.8 pytablewriter==1.2.1 python-dateutil==2.9.0.post0 python-dotenv==1.2.4
    pytz==2026.6 semver==3.1.2 shortuuid==1.0.13 sniffio==1.3.1 tabledata==1.3.5 tcolorpy==0.1.7
    tenacity==9.2.1 textual==8.2.8 typepy==1.3.5 xxhash==4.1.0 zipfile-zstd==0.0.4
    zstandard==0.25.0
"""
"""What these tests import of what they depend on, which is half; what longsum has comes with it."""
TESTS = ("lab/comparison/test_inspect_tasks.py", "evaluation/datasets/test_exported_records.py")


def _run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(list(map(str, words)), cwd=ROOT, env=own, capture_output=True, text=True)


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """Return a Python that has these packages, and all others that are installed here."""
    folder = tmp_path_factory.mktemp("packages")
    venv.create(folder)
    (library,) = folder.glob("lib/python3*/site-packages")
    here = sysconfig.get_path("purelib")
    (library / "here.pth").write_text(f"import site; site.addsitedir({here!r})\n")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    wanted = [f"{name}=={version}" for name, version in NEWEST.items()]
    found = _run(*pip, "download", "-q", "--no-deps", "-d", folder / "found", wanted[-1])
    if found.returncode:
        pytest.skip(f"no package can be installed: {found.stderr.strip().splitlines()[-1]}")
    # Of 13,000 modules few are imported, so that few need compiling.
    quickly = ("--no-deps", "--no-compile", "--only-binary", ":all:", "--target", library)
    installed = _run(*pip, "install", "-q", *quickly, *wanted, *NEEDED.split())
    assert installed.returncode == 0, installed.stderr
    # It reads the 14,000 files of its own tasks before it runs one of another's.
    for tasks in (library / "lm_eval/tasks").iterdir():
        if tasks.is_dir():
            shutil.rmtree(tasks)
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
