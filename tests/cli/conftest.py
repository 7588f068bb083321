"""Running the program."""

import io
import sys
from collections.abc import Callable

import pytest

from longsum.cli import main


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., tuple[int, str, str]]:
    """Run the program in this process; return exit status, standard output, standard error."""

    def call(*arguments: object, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["longsum", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = 0
        try:
            main()
        except SystemExit as exit_:
            status = exit_.code or 0
        out, err = capsysbinary.readouterr()
        return status, out.decode(), err.decode()

    return call
