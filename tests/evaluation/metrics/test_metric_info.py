import subprocess
import sys

import pytest

from longsum.common.extras import requirement
from longsum.evaluation.metrics.metric_info import MetricInfo, ScoreInfo, find_score


def test_states_follow_from_requirements() -> None:
    made = {
        "ready": MetricInfo("m", "p", ()),
        "needs an extra": MetricInfo("m", "p", (), package="scipy"),
        "needs a model": MetricInfo("m", "p", (), package="torch", model="a folder"),
    }
    assert {state: info.state for state, info in made.items()} == {state: state for state in made}
    assert made["ready"].needs == ()
    assert made["needs an extra"].needs == ("longsum[statistics]",)
    assert made["needs a model"].needs == (requirement("torch"), "a folder")


def test_a_score_belongs_to_a_metric_by_its_name_or_its_pattern() -> None:
    plain, by_aspect = (
        ScoreInfo(name, "words", "0 to 1", "higher") for name in ("f1.5", "ASPECT_rouge1")
    )
    infos = {"one": MetricInfo("m", "p", (plain,)), "aspects": MetricInfo("m", "p", (by_aspect,))}
    assert find_score("f1.5", infos) == ("one", plain)
    assert find_score("results_rouge1", infos) == ("aspects", by_aspect)
    for name in ("f1x5", "rouge1", "f1.5 of"):
        with pytest.raises(KeyError, match=name):
            find_score(name, infos)


def test_heavy_packages_wait_for_the_first_call() -> None:
    script = (
        "import sys, pkgutil, longsum.evaluation.metrics as metrics;"
        "modules = pkgutil.iter_modules(metrics.__path__, 'longsum.evaluation.metrics.');"
        "[__import__(module.name) for module in modules];"
        "heavy = {'nltk', 'rouge_score', 'sklearn', 'scipy', 'torch', 'vaderSentiment', 'nupunkt'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
