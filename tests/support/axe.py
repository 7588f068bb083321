"""axe-core, which finds barriers for people who cannot see, hear or point."""

import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

VERSION = "4"
SERIOUS = ("serious", "critical")


def axe_script(folder: Path) -> str:
    """Return the script, fetched from npm's registry once; the test is skipped without it."""
    if given := os.environ.get("LONGSUM_AXE"):
        return Path(given).read_text(encoding="utf-8")
    if shutil.which("npm") is None:
        pytest.skip("npm, which fetches axe-core, is not installed")
    command = ["npm", "pack", f"axe-core@{VERSION}", "--silent", "--pack-destination", str(folder)]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        pytest.skip("axe-core cannot be fetched from npm's registry")
    with tarfile.open(folder / done.stdout.decode().split()[-1]) as archive:
        script = archive.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


def serious_faults(page: Any, script: str) -> list[str]:
    """Return what axe-core finds serious on a page, whose context bypasses its policy.

    The page is looked at in light colours, and at its contrasts also in dark ones.
    """
    page.evaluate(script)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    page.emulate_media(color_scheme="dark")
    found += page.evaluate("axe.run(document, {runOnly: ['color-contrast']})")["violations"]
    page.emulate_media(color_scheme="light")
    return [
        f"{fault['id']}: {node['html'][:200]}"
        for fault in found
        if fault["impact"] in SERIOUS
        for node in fault["nodes"]
    ]
