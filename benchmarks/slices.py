"""The sizes of the package's slices, and what the default summary imports.

Run: python benchmarks/slices.py

Prints files and lines of Python for each slice and its tests, and the number of longsum's modules
and their lines in memory after a summary of `examples/crypto-mining.md` by the default system.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
_SUMMARY = """
import sys, pathlib, longsum
longsum.summarize(pathlib.Path("examples/crypto-mining.md"), "60w")
files = [m.__file__ for name, m in sys.modules.items() if name.split(".")[0] == "longsum"]
print(len(files), sum(len(open(file).readlines()) for file in files))
"""


def main() -> None:
    """Print the table."""
    source = ROOT / "src" / "longsum"
    print(f"{'slice':<12}{'files':>6}{'lines':>8}{'tests':>8}")
    slices = sorted(entry.parent.name for entry in source.glob("*/__init__.py"))
    for name in slices:
        files, lines = size(source / name)
        print(f"{name:<12}{files:>6}{lines:>8,}{size(ROOT / 'tests' / name)[1]:>8,}")
    files, lines = size(source)
    print(f"{'all':<12}{files:>6}{lines:>8,}{size(ROOT / 'tests')[1]:>8,}")
    done = subprocess.run(
        [sys.executable, "-c", _SUMMARY], cwd=ROOT, capture_output=True, text=True, check=True
    )
    modules, lines = map(int, done.stdout.split())
    print(f"The default summary imports {modules} modules of {lines:,} lines.")


def size(folder: Path) -> tuple[int, int]:
    """Return the number of Python files below a folder, and of their lines."""
    files = list(folder.rglob("*.py"))
    return len(files), sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


if __name__ == "__main__":
    main()
