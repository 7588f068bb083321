"""Importing the metrics loads nothing heavy."""

import subprocess
import sys


def test_heavy_packages_wait_for_the_first_call() -> None:
    script = (
        "import sys, longsum.evaluation.metrics;"
        "heavy = {'nltk', 'rouge_score', 'sklearn', 'scipy', 'torch', 'vaderSentiment', 'nupunkt'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
