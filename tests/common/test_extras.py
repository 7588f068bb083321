"""The default needs none of the extras, and whatever needs one says which."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from every_recipe import RECIPES
from longsum.cli.train import train
from longsum.common.errors import LongsumError
from longsum.common.extras import _EXTRAS, missing_extras_explained, require, requirement
from longsum.core.extractive.extractor_options import shipped_folder
from longsum.core.loading import Needs, load_system, needs

ROOT = Path(__file__).parents[2]
TRAINED = [recipe for recipe in RECIPES if needs(recipe) != Needs()]

# The beginning of a program from which packages are hidden as if they were not installed.
HIDDEN = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {hidden!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Hidden())
"""
PROGRAM = """
from longsum.cli import main
sys.argv = ["longsum", *{arguments!r}]
main()
"""
EVERY_COMMAND = """
from longsum.cli import main
for arguments in {commands!r}:
    sys.argv = ["longsum", *arguments]
    try:
        main()
    except SystemExit as end:
        if end.code:
            raise
    print("\\x1e", flush=True)
"""
EVERY_SYSTEM = """
import longsum
text = "Rivers carry water to the sea. Floods of rivers damaged two bridges. Dams hold floods."
for name in {names!r}:
    system = longsum.load_system(name)
    if system.reads_references:
        system = system.with_references(["Dams hold the floods of rivers."])
    assert longsum.summarize(text, "8w", system).text, name
from longsum.evaluation.metrics.representativeness import coherence_difference, topic_divergence
topic_divergence("Dams hold floods.", text)
coherence_difference("Dams hold floods. Rivers carry water.", text)
"""
OF_EXTRAS = [
    *("accelerate", "huggingface_hub", "matplotlib", "onnx", "peft", "scipy", "torch"),
    "transformers",
]
OF_BENCHMARKS = ["sklearn"]


def run_script(script: str, hidden: list[str]) -> subprocess.CompletedProcess[str]:
    whole = HIDDEN.format(hidden=hidden) + script
    return subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, cwd=ROOT)


def run(arguments: list[str], hidden: list[str]) -> subprocess.CompletedProcess[str]:
    return run_script(PROGRAM.format(arguments=arguments), hidden)


DOCUMENT = "examples/crypto-mining.md"


@pytest.mark.slow
def test_the_default_runs_without_any_extra(opening_path: Path) -> None:
    """Neither does any system that is listed as needing nothing."""
    lines = (
        "summarize DOCUMENT --length 30w",
        "summarize DOCUMENT --length 30w --focus electricity --format json",
        "summarize DOCUMENT --length 30w -s mls-stepwise",
        "summarize DOCUMENT --length 30w -s kernels",
        "summarize DOCUMENT --length auto --format html",
        "questions DOCUMENT",
        "outline DOCUMENT --summaries",
        "table examples/tables/planets.csv",
        "systems",
        "metrics",
    )
    commands = [line.replace("DOCUMENT", str(opening_path)).split() for line in lines]
    names = [recipe.name for recipe in RECIPES if needs(recipe) == Needs()]
    assert {"stepwise", "books", "kernels", "mls-stepwise", "oracle"} <= set(names)
    script = EVERY_COMMAND.format(commands=commands) + EVERY_SYSTEM.format(names=names)
    done = run_script(script, [*OF_EXTRAS, *OF_BENCHMARKS])
    assert done.returncode == 0, done.stderr
    *written, _ = done.stdout.split("\x1e")
    assert [bool(text.strip()) for text in written] == [True] * len(lines)


def test_training_asks_for_the_extra_that_it_needs(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "accelerate", None)
    for recipe in TRAINED:
        with pytest.raises(LongsumError) as refused:
            train(recipe.name, ROOT / "out")
        assert f"'{needs(recipe).to_train}'" in str(refused.value)
        with pytest.raises(LongsumError):
            load_system(recipe.name)


@pytest.mark.parametrize("kind", ["extraction", "words"])
@pytest.mark.slow
def test_a_trained_model_asks_for_the_extra_that_it_needs(kind, pointer, tmp_path) -> None:
    folder = tmp_path / "extractor" if kind == "extraction" else pointer
    if kind == "extraction":
        shutil.copytree(shipped_folder(), folder, ignore=shutil.ignore_patterns("*.onnx"))
    done = run(["summarize", DOCUMENT, "--model", str(folder)], ["torch"])
    assert done.returncode == 2
    for recipe in TRAINED:
        if recipe.kind == kind:
            assert f"'{needs(recipe).to_run}'" in done.stderr


def test_the_library_names_it_too(monkeypatch) -> None:
    require("safetensors")
    monkeypatch.setitem(sys.modules, "accelerate", None)
    with pytest.raises(LongsumError, match=r"pip install 'longsum\[train\]'"):
        require("accelerate")


def test_a_part_of_a_package_is_of_its_extra() -> None:
    said = r"needs torch, .*longsum\[models\]"
    with pytest.raises(LongsumError, match=said), missing_extras_explained():
        raise ModuleNotFoundError(name="torch.nn")
    with pytest.raises(ModuleNotFoundError), missing_extras_explained():
        raise ModuleNotFoundError


def test_an_import_that_no_extra_would_mend_fails_as_it_is() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_package"), missing_extras_explained():
        import no_such_package  # noqa: F401


def test_every_extra_installs_the_packages_listed_for_it() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    base = {Requirement(line).name for line in declared["dependencies"]}
    brought = {
        (Requirement(line).name, extra)
        for extra in {*_EXTRAS.values()}
        for line in declared["optional-dependencies"][extra]
    }
    assert {(package, requirement(package)) for package in _EXTRAS} == {
        (package, f"longsum[{extra}]")
        for package, extra in brought
        if package not in ("longsum", "huggingface-hub")
    }
    assert not base & set(_EXTRAS)


def test_the_cpu_build_of_torch_is_within_bounds() -> None:
    """`uv pip install --torch-backend cpu` installs versions that are marked as such."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    models = declared["optional-dependencies"]["models"]
    torch = next(line for line in models if line.startswith("torch"))
    assert Requirement(torch).specifier.contains("2.13.0+cpu")
