"""When the words that sentences are compared by are stemmed."""

import subprocess
import sys


def test_the_stemmer_is_imported_where_something_is_checked_alone() -> None:
    """It takes a second and 100 MB, and long documents import the checks for any summary."""
    program = "import sys, longsum.core.recursive.level_builder; sys.exit('nltk' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
