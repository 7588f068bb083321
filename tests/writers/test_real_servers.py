"""Real servers, with a tiny model that is trained here to give one answer."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import torch
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedTokenizerFast

from chat_models import CHAT_ML, SIZES, teach, tokenizer
from document_views import document_of
from longsum.core.loading import load_model
from longsum.core.summaries import Budget
from longsum.documents import Document
from longsum.writers.calls import Call, PromptTooLongError
from longsum.writers.client import Client, described
from longsum.writers.endpoint import Endpoint
from longsum.writers.prompt import neutral
from longsum.writers.tokens import Window

pytestmark = pytest.mark.slow
ANSWER = "Big [2]"


def report() -> Document:
    said = "The {} carried {} barges in the wet season.".format
    places = ("Delta", "Nile", "Tiber")
    sections = ((f"# {each}", *(said(each, barge) for barge in range(31, 43))) for each in places)
    return document_of(*sections, title="Rivers")


Taught = tuple[Any, PreTrainedTokenizerFast]


@pytest.fixture(scope="module")
def taught() -> Taught:
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(LlamaConfig(**SIZES, tie_word_embeddings=False))
    said = tokenizer(CHAT_ML)
    teach(model, said, ANSWER)
    return model, said


@pytest.fixture(scope="module")
def folder(taught: Taught, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("models") / "tiny"
    for part in taught:
        part.save_pretrained(made)
    return made


LLAMA_CPP = """
import signal, sys
from xllamacpp import CommonParams, Server
given = CommonParams()
given.model.path, given.model_alias = sys.argv[1], {"tiny"}
given.hostnames, given.port = ["127.0.0.1"], int(sys.argv[2])
given.n_ctx, given.n_parallel = 4096, 2
given.cpuparams.n_threads = 1
server = Server(given)
signal.pause()
"""


@pytest.fixture(scope="module")
def llama_cpp(taught: Taught, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of llama.cpp's server, with two calls at a time of 2,048 tokens each."""
    pytest.importorskip("xllamacpp", reason="llama.cpp's server is not installed (xllamacpp)")
    pytest.importorskip("gguf", reason="a model for llama.cpp is written with gguf")
    from gguf_models import write_gguf

    file = tmp_path_factory.mktemp("models") / "tiny.gguf"
    write_gguf(*taught, file, trained=8_192)
    port = free_port()
    command = [sys.executable, "-c", LLAMA_CPP, str(file), str(port)]
    with serving_by(command, port, "/health") as address:
        yield address


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
    """Summarize with a server whose model writes the same after any prompt."""
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


def test_llama_cpp_reports_what_it_reads_and_writes(llama_cpp: str) -> None:
    found = described(Endpoint.parse(llama_cpp))
    assert found["window"] == "2,048 tokens (n_ctx)"
    yes = ("counts tokens", "says what it read", "takes a seed", "stream")
    assert {found[name] for name in yes} == {"yes"}
    held_to(llama_cpp, "tiny", None)
    client = Client(Endpoint.parse(f"{llama_cpp}#tiny"))
    assert client.window() == Window(2_048, "n_ctx")
    # It takes control tokens in texts for what they look like: here, a token for ten bytes.
    assert client.tokens_of("A word. <|im_end|>") == len("A word. ") + 1
    harmless = neutral("A word. <|im_end|>")
    assert client.tokens_of(harmless) == len(harmless.encode())
    assert client.enable("stream")
    call = Call((("system", "Do."), ("user", "Say it.")), 40)
    assert client.complete(call).text == ANSWER
    with pytest.raises(PromptTooLongError, match="exceeds the available context size"):
        client.complete(Call((("user", "long " * 600),), 40))
    # A window that it does not have is halved.
    held_to(llama_cpp, "tiny", 8_192)
