"""Calls to a server that plays the faults of real ones."""

import email.utils
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from longsum.common.errors import LongsumError
from longsum.writers.calls import Call, CallError, PromptTooLongError, Reply
from longsum.writers.client import Client, described
from longsum.writers.endpoint import KEY, WRITERS, Endpoint, named_writers, writer_at, writers_file
from longsum.writers.tokens import Window
from scripted_server import Answer, Body, Server, serving

CALL = Call((("system", "Do."), ("user", "Say it.")), 40, seed=3)
PAUSES: list[float] = []


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    PAUSES.clear()
    monkeypatch.setattr("longsum.writers.client.sleep", PAUSES.append)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


def client_of(server: Server, timeout: float = 5.0) -> Client:
    return Client(Endpoint.parse(server.address), timeout=timeout)


def by_turns(*answers: Answer) -> Callable[[Body], Answer]:
    left = [*answers]
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def test_a_call_sends_only_what_every_server_accepts(server: Server) -> None:
    server.answer = by_turns(Answer("It is.", prompt_tokens=7, finish="length"))
    assert client_of(server).complete(CALL) == Reply("It is.", False, 7, 9)
    messages = [{"role": "system", "content": "Do."}, {"role": "user", "content": "Say it."}]
    assert server.calls == [
        {"model": "m", "messages": messages, "max_tokens": 40, "temperature": 0.0, "seed": 3}
    ]
    # Counts beyond all windows are not believed.
    server.answer = by_turns(Answer("It is.", prompt_tokens=10**400))
    assert client_of(server).complete(CALL) == Reply("It is.", True, None, 9)


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_temporary_errors_are_tried_again(server: Server, status: int) -> None:
    server.answer = by_turns(Answer({"error": "busy"}, status), Answer("It is."))
    assert client_of(server).complete(CALL).text == "It is."
    assert len(server.calls) == 2
    assert 0.3 < PAUSES[0] < 0.7


def test_a_server_says_how_long_to_wait(server: Server) -> None:
    date = email.utils.formatdate(time.time() + 3, usegmt=True)
    server.answer = by_turns(
        Answer({}, 429, {"Retry-After": "2"}), Answer({}, 503, {"Retry-After": date}), Answer("It.")
    )
    client_of(server).complete(CALL)
    assert PAUSES[0] == 2
    assert 1 < PAUSES[1] <= 3


def test_a_wait_beyond_the_deadline_is_not_begun(server: Server) -> None:
    server.answer = by_turns(Answer("It is."), Answer({}, 429, {"Retry-After": "900"}))
    client = client_of(server)
    client.complete(CALL)
    with pytest.raises(CallError, match="the server answers 429"):
        client.complete(CALL)
    assert PAUSES == []


def test_tries_end(server: Server) -> None:
    server.answer = by_turns(Answer("It is."), Answer("It is.", cut=20))
    client = client_of(server)
    client.complete(CALL)
    with pytest.raises(CallError, match="the connection failed"):
        client.complete(CALL)
    assert len(server.calls) == 6
    # One that never answers is named.
    client = Client(Endpoint.parse("http://127.0.0.1:9/v1#m"), timeout=2)
    with pytest.raises(LongsumError, match=r"No answer came from http://127\.0\.0\.1:9/v1"):
        client.complete(CALL)


def test_fields_that_a_server_refuses_are_left_out_from_then_on(server: Server) -> None:
    def picky(body: Body) -> Answer:
        for name in ("seed", "max_tokens"):
            if name in body:
                return Answer({"error": {"message": f"Unsupported parameter: {name}"}}, 422)
        return Answer("It is.")

    server.answer = picky
    client = client_of(server)
    assert client.complete(CALL).text == "It is."
    assert client.complete(CALL).text == "It is."
    assert client.dropped == {"seed", "max_tokens"}
    assert len(server.calls) == 4
    assert server.calls[-1]["max_completion_tokens"] == 40


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        (Answer({"error": {"type": "exceed_context_size_error"}}, 400), PromptTooLongError, "long"),
        (Answer({"error": "maximum context length is 4096"}, 400), PromptTooLongError, "4096"),
        (Answer({"error": "no"}, 400), CallError, "the server answers 400"),
        (Answer({"error": "no"}, 401), LongsumError, f"refuses the key.*{KEY}"),
        (Answer({"error": "no"}, 404), LongsumError, "has no model 'm'"),
        (Answer({}, 302, {"Location": "http://127.0.0.1:9/"}), LongsumError, "redirects elsewhere"),
        (Answer({"choices": []}), CallError, "not a chat completion"),
        (Answer("", raw="\n<!doctype html><p>It works!"), LongsumError, "answers with a web page"),
        (Answer({"choices": [{"message": {"content": [1]}}]}), CallError, "has no text"),
        (Answer([[[]]] * 9), CallError, "not a chat completion"),
    ],
)
def test_unusable_answers_are_reported(server, answer, error, says) -> None:
    server.answer = by_turns(answer)
    with pytest.raises(error, match=says):
        client_of(server).complete(CALL)
    assert len(server.calls) == 1


def test_the_key_is_sent_and_never_shown(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "canary-7f3a")
    server.answer = by_turns(Answer({"error": "bad key canary-7f3a\x1b[2J"}, 400))
    with pytest.raises(CallError) as caught:
        client_of(server).complete(CALL)
    assert server.keys == ["Bearer canary-7f3a"]
    assert "canary" not in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("key", ["kéy-7f3a", "canary\n7f3a", "\udced7f3a"])
def test_an_impossible_key_is_refused_without_showing_it(server, monkeypatch, key) -> None:
    monkeypatch.setenv(KEY, key)
    with pytest.raises(LongsumError, match=f"{KEY} holds more than a key") as caught:
        client_of(server)
    assert "7f3a" not in str(caught.value)


def test_reasoning_beside_an_answer_is_no_answer_and_one_without_end_is_left(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = {"content": None, "reasoning_content": "Let me think."}
    server.answer = by_turns(
        Answer({"choices": [{"message": message, "finish_reason": "length"}], "usage": {}})
    )
    assert client_of(server).complete(CALL) == Reply("", False)
    monkeypatch.setattr("longsum.writers.client._LONGEST", 1_000)
    server.answer = by_turns(Answer("word " * 9_000))
    with pytest.raises(CallError, match="has no end"):
        client_of(server).complete(CALL)


@pytest.mark.parametrize(
    ("pages", "window"),
    [
        ({"/v1/models": {"data": [{"id": "m", "max_model_len": 900}]}}, (900, "max_model_len")),
        ({"/props": {"default_generation_settings": {"n_ctx": 700}}}, (700, "n_ctx")),
        ({"/props": {"n_ctx": 600, "n_ctx_train": 9_000}}, (600, "n_ctx")),
        ({"/props": {"n_ctx_train": 9_000}}, (4_096,)),
        ({"/api/ps": {"models": [{"name": "m", "context_length": 8}]}}, (8, "context_length")),
        ({"/api/ps": {"models": [{"name": "other", "context_length": 800}]}}, (4_096,)),
        ({"/props": [], "/api/ps": {"models": None}}, (4_096,)),
        # Beyond what anything holds.
        ({"/props": {"n_ctx": 10**400}, "/api/ps": {"models": 5}}, (4_096,)),
    ],
)
def test_the_context_window_is_that_of_the_server(server: Server, pages, window) -> None:
    server.pages = pages
    assert client_of(server).window() == Window(*window)
    stated = Endpoint(Endpoint.parse(server.address).base, "m", context=5_000)
    assert Client(stated).window() == Window(5_000, "the user")


def test_tokens_are_requested_in_both_formats(server: Server) -> None:
    assert client_of(server).tokens_of("one two") is None
    server.pages["/tokenize"] = lambda body: {"tokens": body["content"].split()}
    assert client_of(server).tokens_of("one two") == 2
    server.pages["/tokenize"] = lambda body: {"count": len(body["prompt"])}
    assert client_of(server).tokens_of("one two") == 7


def test_a_single_model_need_not_be_named(server: Server) -> None:
    nameless = Endpoint.parse(server.address.removesuffix("#m"))
    assert Client(nameless).find_model().endpoint.model == "m"
    assert described(nameless)["window"] == "4,096 tokens (max_model_len)"
    # What cannot be written in an address is no name.
    server.pages["/v1/models"] = {"data": [{"id": "m"}, {"id": "n"}, {"id": "\x1b"}, {"id": 1}]}
    with pytest.raises(LongsumError, match="has these models: m, n; name one"):
        Client(nameless).find_model()
    server.pages = {}
    with pytest.raises(LongsumError, match="lists no model"):
        described(nameless)


def test_properties_and_features_of_a_server_are_described(server: Server) -> None:
    sentences = Answer('{"sentences": [{"text": "It is.", "cites": [1]}]}', prompt_tokens=7)
    refused = Answer({"error": "unknown parameter: seed"}, 422)
    server.answer = lambda body: refused if "seed" in body else sentences
    server.pages["/tokenize"] = lambda body: {"count": len(body["prompt"])}
    named = Endpoint.parse(server.address)
    assert described(named) == {
        **{"address": str(named), "models": "m", "window": "4,096 tokens (max_model_len)"},
        **{"counts tokens": "yes", "says what it read": "yes", "takes a seed": "no"},
        **{"stream": "no", "json_schema": "yes"},
    }
    server.answer = lambda _: Answer({"error": "no"}, 400)
    assert described(named)["answers"].startswith("no: the server answers 400")
    server.pages["/v1/models"] = {"data": [{"id": "m"}, {"id": "n"}]}
    nameless = Endpoint.parse(server.address.removesuffix("#m"))
    assert described(nameless) == {"address": str(nameless), "models": "m, n"}


@pytest.mark.parametrize(
    ("address", "base", "model", "local"),
    [
        ("http://127.0.0.1:8080/v1#a b", "http://127.0.0.1:8080/v1", "a b", True),
        ("http://localhost:1", "http://localhost:1/v1", "", True),
        ("http://[::1]:1/v1/", "http://[::1]:1/v1", "", True),
        ("https://api.example/v1/chat/completions#x", "https://api.example/v1", "x", False),
        ("http://127.0.0.1.example/v1", "http://127.0.0.1.example/v1", "", False),
        ("http://192.168.0.2/v1", "http://192.168.0.2/v1", "", False),
    ],
)
def test_addresses_are_read(address: str, base: str, model: str, local: bool) -> None:
    found = Endpoint.parse(address)
    assert (found.base, found.model, found.is_local) == (base, model, local)
    if not local:
        with pytest.raises(LongsumError, match=f"sent to {found.host}.*--allow-net"):
            Client(found)


@pytest.mark.parametrize(
    "address",
    [
        *("http://", "http://[::1", "http://x:99999999/", "http://a:b@c/", "http://a/?key=b"),
        *("http://a\x01.example/", "http://a/v1#\udced", "http://ｌocalhost/"),
    ],
)
def test_wrong_addresses_are_refused(address: str) -> None:
    with pytest.raises(LongsumError, match=r"not the address of a server|must not hold a key"):
        Client(Endpoint.parse(address), allow_net=True)


def test_writers_are_named_in_a_file(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "writers.yaml"
    monkeypatch.setenv(WRITERS, str(file))
    assert named_writers() == {}
    file.write_text("local: {url: 'http://127.0.0.1:1#m', context: 900, key_from: MINE}\n")
    assert writer_at("local") == Endpoint("http://127.0.0.1:1/v1", "m", "MINE", 900)
    with pytest.raises(LongsumError, match="'other' is neither an address"):
        writer_at("other")
    for name in (WRITERS, "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert writers_file() == tmp_path / ".config" / "longsum" / "writers.yaml"
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("os.getuid", lambda: 1 << 30)
    assert named_writers() == {}  # nobody knows where that user is at home
    monkeypatch.setenv(WRITERS, str(file))
    for text, says in (
        ("[1]", "not a table of names"),
        ("a: {}", "writers.a"),
        ("a: {url: 'http://x', key: 1}", "key"),
        (f"a: {{url: 'http://x', context: 1{'0' * 99}}}", "give at most 1,000,000,000"),
        ("{", "cannot be read"),
    ):
        file.write_text(text)
        with pytest.raises(LongsumError, match=says):
            named_writers()


def test_an_answer_that_comes_drop_by_drop_ends_with_the_time_of_its_call() -> None:
    def drip(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            for _ in range(1000):
                connection.sendall(b" ")
                time.sleep(0.02)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=drip, args=(listening,), daemon=True).start()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/v1#m"
        client = Client(Endpoint.parse(address), timeout=0.2)
        begun = time.monotonic()
        with pytest.raises(LongsumError, match="in time"):
            client.complete(Call((("user", "x"),), 5))
    assert time.monotonic() - begun < 5


# What some servers have besides.


def streaming(*parts: object, end: str = "data: [DONE]\n\n") -> Answer:
    return Answer("", raw="".join(f"data: {json.dumps(part)}\n\n" for part in parts) + end)


def delta(text: str | None = None, reason: str | None = None) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": reason}]}


WHOLE = (
    delta("It "),
    delta("is."),
    delta(None, "stop"),
    {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}},
)


def test_streaming_is_used_if_a_test_call_streams(server: Server) -> None:
    server.answer = by_turns(streaming(*WHOLE))
    client = client_of(server)
    assert client.complete(CALL).text == "It is."
    assert "stream" not in server.calls[0]
    assert client.enable("stream")
    assert client.complete(CALL) == Reply("It is.", True, 7, 3)
    assert server.calls[-1]["stream_options"] == {"include_usage": True}
    assert client.enable("stream")
    assert len(server.calls) == 3


def test_a_part_of_a_stream_may_have_breaks_of_lines_of_other_alphabets(server: Server) -> None:
    told = json.dumps(delta("It\u2028 is."), ensure_ascii=False)
    parts = f": keeps it open\r\n\r\nevent: message\r\ndata:{told}\r\n\r\ndata: [DONE]\r\n\r\n"
    server.answer = by_turns(Answer("", raw=parts))
    assert client_of(server).complete(CALL) == Reply("It\u2028 is.")


@pytest.mark.parametrize(
    "answer",
    [Answer("It is."), streaming(*WHOLE[:3]), Answer({"error": "stream?"}, 400), streaming()],
    ids=["whole", "no usage", "refused", "empty"],
)
def test_streaming_is_not_used_without_counts_of_tokens(server: Server, answer: Answer) -> None:
    server.answer = by_turns(answer)
    client = client_of(server)
    assert not client.enable("stream")
    server.answer = by_turns(Answer("It is."))
    client.complete(CALL)
    assert "stream" not in server.calls[-1]


@pytest.mark.parametrize(
    "half",
    [
        streaming(*WHOLE[:2], end=""),
        streaming(*WHOLE[:2], {"error": {"message": "out of memory"}}),
        Answer("", raw="data: " + json.dumps(delta("It ")) + "\n\n", cut=30),
    ],
    ids=["ends", "error", "cut"],
)
def test_an_incomplete_stream_is_requested_again(server: Server, half: Answer) -> None:
    server.answer = by_turns(streaming(*WHOLE), half, streaming(*WHOLE))
    client = client_of(server)
    assert client.enable("stream")
    assert client.complete(CALL).text == "It is."
    assert len(server.calls) == 3


def test_a_schema_is_sent_if_a_test_call_follows_it(server: Server) -> None:
    client = client_of(server)
    server.answer = by_turns(Answer("It is."))
    assert not client.enable("json_schema")
    server.answer = by_turns(Answer('{"sentences": [{"text": "It is.", "cites": [1]}]}'))
    client = client_of(server)
    assert client.enable("json_schema")
    client.complete(CALL)
    assert server.calls[-1]["response_format"]["type"] == "json_schema"
    # Refused later, it is left out from then on.
    server.answer = lambda body: (
        Answer({"error": "response_format"}, 400) if "response_format" in body else Answer("Yes.")
    )
    assert client.complete(CALL).text == "Yes."
    assert client.dropped == {"response_format"}
