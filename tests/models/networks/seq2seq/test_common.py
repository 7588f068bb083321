"""The common model tests of `transformers`, from its source distribution, on our model."""

import os
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest
import transformers

pytestmark = pytest.mark.slow

SUITE = Path(__file__).parents[3] / "support" / "common_model_tests.py"
# What the tests import of folders that the distribution leaves out.
STUBS = {
    "generation/test_utils.py": "class GenerationTesterMixin: pass\n",
    "exporters/test_export.py": "class ExportTesterMixin: pass\n",
}


@pytest.fixture
def suite(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Lay out the tests of the release that is installed."""
    pytest.importorskip("parameterized")
    kept = request.config.cache.mkdir("transformers-source")
    name = f"transformers-{transformers.__version__}"
    archive = kept / f"{name}.tar.gz"
    if not archive.is_file():
        fetched = subprocess.run(
            [
                *(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(kept)),
                *("--no-binary", ":all:", "--no-build-isolation"),
                f"transformers=={transformers.__version__}",
            ],
            check=False,
            capture_output=True,
            timeout=300,
        )
        if fetched.returncode or not archive.is_file():
            pytest.skip(f"the source distribution of {name} cannot be had here")
    folder = tmp_path / "tests"
    with tarfile.open(archive) as packed:
        member = packed.extractfile(f"{name}/tests/test_modeling_common.py")
        assert member is not None
        for path, text in {**STUBS, "test_modeling_common.py": member.read().decode()}.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            (place.parent / "__init__.py").touch()
            place.write_text(text, encoding="utf-8")
    shutil.copy(SUITE, tmp_path / "test_longsum.py")
    return tmp_path


def test_the_common_model_tests_pass(suite: Path) -> None:
    report = suite / "report.xml"
    paths = [str(suite), str(SUITE.parent), os.environ.get("PYTHONPATH", "")]
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line"),
            *("--rootdir", str(suite), "-c", os.devnull, f"--junitxml={report}", "test_longsum.py"),
        ],
        cwd=suite,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "HF_HUB_OFFLINE": "1"},
        check=False,
        capture_output=True,
        text=True,
        timeout=1800,
    )
    cases = list(ET.parse(report).iter("testcase"))
    wrong = sorted(
        {case.get("name", "") for case in cases if case.find("failure") is not None}
        | {case.get("name", "") for case in cases if case.find("error") is not None}
    )
    assert not wrong, ran.stdout[-6000:]
    skipped = [case for case in cases if case.find("skipped") is not None]
    reasons = Counter(str(case[0].get("message"))[:70] for case in skipped)
    print(len(cases) - len(skipped), "pass,", len(skipped), "skip:", reasons.most_common())
    assert len(cases) - len(skipped) > 80
