"""What a first summary costs: the wheel, the installation, and the time to the first result.

Run: python benchmarks/install.py [--extras models] [--repeat N]

Builds the wheel, installs it into a new, empty environment as `pip install longsum` does, and runs
`longsum summarize` there on the report of the README. Packages come from pip's configured index and
cache, so that the first run on a machine is longer than a second one.
"""

import argparse
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "examples" / "crypto-mining.md"


def main() -> None:
    """Print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--extras", default="", help="such as models or models,train")
    parser.add_argument("--repeat", type=int, default=5, help="summaries; the median is printed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT)
        wheel = next(folder.glob("*.whl"))
        print(f"wheel: {wheel.stat().st_size / 2**20:.1f} MiB")
        home = folder / "environment"
        venv.create(home, with_pip=True)
        programs = home / ("Scripts" if sys.platform == "win32" else "bin")
        empty = size(home)
        wanted = f"{wheel}[{options.extras}]" if options.extras else str(wheel)
        taken = run(programs / "python", "-m", "pip", "install", "-q", wanted)
        print(f"installation: {taken:.0f} s, {size(home) - empty:.0f} MB beside pip")
        command = (programs / "longsum", "summarize", DOCUMENT, "--length", "200w")
        print(f"first result: {run(*command):.2f} s")
        times = [run(*command) for _ in range(options.repeat)]
        print(f"later results: {median(times):.2f} s (median of {len(times)})")


def run(*command: object) -> float:
    """Run a command without output and return how many seconds it took."""
    began = perf_counter()
    subprocess.run([*map(str, command)], check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - began


def size(folder: Path) -> float:
    """Return the disk space of a folder's files, in MB."""
    return sum(path.stat().st_blocks for path in folder.rglob("*") if path.is_file()) * 512 / 1e6


if __name__ == "__main__":
    main()
