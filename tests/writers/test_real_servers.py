"""Servers that others wrote, with a tiny model that is made here and taught one answer."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
import torch
from transformers import AutoModelForCausalLM, LlamaConfig

from chat_models import CHAT_ML, SIZES, teach, tokenizer
from longsum.core.loading import load_model
from longsum.core.summaries import Budget
from longsum.documents import Document
from longsum.documents.builder import DocumentBuilder
from longsum.writers.client import described
from longsum.writers.endpoint import Endpoint

pytestmark = pytest.mark.slow
ANSWER = "Big [2]"


def report() -> Document:
    builder = DocumentBuilder()
    for place in ("Delta", "Nile", "Tiber"):
        builder.heading(1, place)
        for barge in range(12):
            builder.paragraph(f"The {place} carried {31 + barge} barges in the wet season.")
    return builder.build(title="Rivers")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(LlamaConfig(**SIZES, tie_word_embeddings=False))
    said = tokenizer(CHAT_ML)
    teach(model, said, ANSWER)
    made = tmp_path_factory.mktemp("models") / "tiny"
    model.save_pretrained(made)
    said.save_pretrained(made)
    return made


@contextmanager
def serving_by(command: list[str], port: int, path: str) -> Iterator[str]:
    """Run a server until the block ends; yield its address once it answers."""
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        for _ in range(600):
            if server.poll() is not None:
                assert server.stderr is not None
                raise AssertionError(server.stderr.read().decode()[-2_000:])
            try:
                with urlopen(f"http://127.0.0.1:{port}{path}", timeout=1):
                    break
            except OSError:
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.kill()
        server.wait()


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        found: int = held.getsockname()[1]
        return found


def held_to(address: str, model: str, window: int | None) -> None:
    """Summarize with a server whose model says the same after any prompt."""
    document = report()
    system = load_model(f"{address}#{model}", context=window)
    made = system.summarize(document, Budget(30))
    assert made.words <= 30
    first = made.sentences[0]
    assert first.text == "Big"
    assert all(
        document.text[source.start : source.end] == document.sentences[source.sentence].text
        for each in made.sentences
        for source in each.sources
    )
    assert not [each for each in made.warnings if "failed" in each]


def test_transformers_serve_writes(folder: Path) -> None:
    pytest.importorskip("fastapi", reason="transformers serve needs fastapi")
    pytest.importorskip("uvicorn", reason="transformers serve needs uvicorn")
    pytest.importorskip("openai", reason="transformers serve needs openai")
    port = free_port()
    program = "from transformers.cli.transformers import main; main()"
    command = [sys.executable, "-c", program, "serve", str(folder)]
    options = ["--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    with serving_by([*command, *options], port, "/health") as address:
        found = described(Endpoint(address, str(folder), context=4_096))
        assert found["says what it read"] == "yes"
        held_to(address, str(folder), 4_096)
