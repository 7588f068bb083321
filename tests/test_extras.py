"""The default needs none of the extras, and what needs one says which."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from longsum.errors import LongsumError
from longsum.extras import _EXTRAS, missing_extras_explained, require

ROOT = Path(__file__).parent.parent

# A program from which packages are hidden as if they were not installed.
PROGRAM = """
import sys
for package in {hidden!r}:
    sys.modules[package] = None
from longsum.cli import main
sys.argv = ["longsum", *{arguments!r}]
main()
"""
OF_EXTRAS = ["accelerate", "huggingface_hub", "matplotlib", "peft", "transformers"]


def run(arguments: list[str], hidden: list[str]) -> subprocess.CompletedProcess[str]:
    script = PROGRAM.format(hidden=hidden, arguments=arguments)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)


@pytest.mark.slow
def test_the_default_runs_without_any_extra() -> None:
    done = run(["summarize", "examples/crypto-mining.md", "--length", "30w"], OF_EXTRAS)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()


@pytest.mark.parametrize(
    ("arguments", "package", "extra"),
    [
        (
            ["summarize", "examples/crypto-mining.md", "--model", "owner/a-model"],
            "transformers",
            "models",
        ),
        (["convert", "src/longsum/weights/extractor", "out"], "transformers", "models"),
        (["train", "small", "-o", "out"], "accelerate", "train"),
    ],
)
def test_a_command_names_the_extra_that_it_needs(arguments, package, extra) -> None:
    done = run(arguments, [package])
    assert done.returncode == 2
    assert done.stderr == (
        f"longsum: This needs {package}, which is not installed; run pip install "
        f"'longsum[{extra}]'.\n"
    )
    assert not (ROOT / "out").exists()


def test_the_library_names_it_too(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "accelerate", None)
    with pytest.raises(LongsumError, match=r"pip install 'longsum\[train\]'"):
        require("accelerate")


def test_an_import_that_no_extra_would_mend_fails_as_it_is() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_package"), missing_extras_explained():
        import no_such_package  # noqa: F401


def test_every_extra_brings_what_it_is_said_to_bring() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    base = " ".join(declared["dependencies"])
    for package, extra in _EXTRAS.items():
        assert any(line.startswith(package) for line in declared["optional-dependencies"][extra])
        assert package not in base


def test_the_cpu_build_of_torch_is_within_bounds() -> None:
    """`uv pip install --torch-backend cpu` takes versions that are marked so."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    torch = next(line for line in declared["dependencies"] if line.startswith("torch"))
    assert Requirement(torch).specifier.contains("2.13.0+cpu")
