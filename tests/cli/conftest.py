import io
import json
import lzma
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from longsum.cli import main
from page_fixtures import as_before  # noqa: F401
from scripted_server import Server, serving
from tiny_sizes import tiny_sizes


@pytest.fixture
def run(monkeypatch, capsysbinary) -> Callable[..., tuple[int, str, str]]:
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


@pytest.fixture
def refused(run) -> Callable[..., None]:
    """Assert that a command ends with status 2 and one sentence that contains a text."""

    def check(says: str, *arguments: object) -> None:
        status, out, err = run(*arguments)
        assert (status, out) == (2, ""), arguments
        assert err.startswith("longsum: ")
        assert says in err
        assert err.count("\n") == 1
        assert len(err) < 600

    return check


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


@pytest.fixture
def told() -> tuple[str, ...]:
    """Return the first sentences of the documents of `data`, which are their summaries."""
    return (
        "Dams hold back the river.",
        "Trains carry coal to the coast.",
        "Trout is sold in spring.",
    )


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: tuple[str, ...]) -> Path:
    """Make a folder in the form of the shared data sets, and use it in their place."""
    records = []
    for number, first in enumerate(told):
        text = f"{first} The valley has {number + 2} towns. Fields need water in summer."
        records.append({"id": f"d{number}", "text": text, "summary": first, "summaries": [first]})
    (tmp_path / "scitldr_a").mkdir()
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    (tmp_path / "scitldr_a" / "dev.jsonl.xz").write_bytes(lzma.compress(lines.encode()))
    monkeypatch.setenv("LONGSUM_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="session")
def folder(tokenizer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny encoder–decoder of random weights that reads 96 tokens."""
    import torch

    from longsum.models.networks.seq2seq import (
        LongsumForConditionalGeneration,
        LongsumSeq2SeqConfig,
    )

    torch.manual_seed(1)
    model = LongsumForConditionalGeneration(
        LongsumSeq2SeqConfig(
            **tiny_sizes(16, 2, 16, layers=1),
            **dict.fromkeys(("max_source_positions", "max_target_positions"), 96),
            vocab_size=len(tokenizer),
            decoder_start_token_id=0,
            forced_eos_token_id=None,
            init_std=0.4,
            cross_attention={"kind": "hepos", "stride": 2},
        )
    )
    path = tmp_path_factory.mktemp("models") / "tiny"
    model.save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path
