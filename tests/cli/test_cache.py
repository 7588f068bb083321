"""`--cache`, which every command that reads a document takes."""

from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("command", ["outline", "read"])
def test_a_folder_keeps_what_is_read(command: str, run: Run, tmp_path: Path) -> None:
    text = tmp_path / "a.md"
    text.write_text("# Rivers\n\nThe river is wide.\n")
    folder = tmp_path / "kept"
    first = run(command, text, "--cache", folder)
    (entry,) = folder.iterdir()
    changed = entry.read_bytes()
    assert run(command, text, "--cache", folder) == first == run(command, text)
    assert first[0] == 0
    assert entry.read_bytes() == changed
