"""When the stemmer for comparisons is imported."""

import subprocess
import sys


def test_the_stemmer_is_imported_only_for_checks() -> None:
    """It takes a second and 100 MB, and every summary of a long document imports the checks."""
    program = "import sys, longsum.core.recursive.level_builder; sys.exit('nltk' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
