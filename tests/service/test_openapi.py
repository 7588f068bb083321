"""The OpenAPI: nothing that it allows or forbids gives a 500, and a client made from it works."""

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from running_service import running


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Iterator:
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    folder = tmp_path_factory.mktemp("service") / "service"
    with running(folder, "--wait", "0.1", "--queue", "1000", "--seconds", "5") as service:
        service.wait_until_ready()
        service.ask("The river is wide.")
        yield schemathesis.openapi.from_url(f"{service.url}/openapi.json")


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_no_request_ends_in_a_500(schema, mode: str) -> None:
    generation = import_module("schemathesis").GenerationMode(mode)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 14
    seen: dict[int, int] = {}

    @settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def call(data) -> None:
        operation = data.draw(st.sampled_from(operations))
        try:
            case = data.draw(operation.as_strategy(generation_mode=generation))
        except ValueError as error:
            # A file that schemathesis drew, which it cannot compare with a schema itself.
            if "Binary" not in str(error):
                raise
            reject()
        answer = case.call()
        seen[answer.status_code] = seen.get(answer.status_code, 0) + 1
        assert answer.status_code < 500 or answer.status_code in (503, 507), answer.text
        if answer.status_code >= 400:
            assert answer.headers["content-type"][0] == "application/problem+json"

    call()
    assert len(seen) > 2, seen


@pytest.mark.slow
def test_a_client_that_is_made_of_it_gets_a_summary(tmp_path, monkeypatch, example_path) -> None:
    pytest.importorskip("openapi_python_client", reason="openapi-python-client is not installed")
    pytest.importorskip("httpx", reason="the client that is made needs httpx")
    with running(tmp_path / "service", "--workers", "1") as service:
        schema = tmp_path / "openapi.json"
        schema.write_bytes(service.client.get("/openapi.json").content)
        command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", str(schema)]
        options = ["--output-path", str(tmp_path / "made"), "--meta", "none"]
        environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        subprocess.run([*command, *options], check=True, env=environment, capture_output=True)
        monkeypatch.syspath_prepend(str(tmp_path))
        made = import_module("made")
        models, types = import_module("made.models"), import_module("made.types")
        summarize = import_module("made.api.summaries.summarize")
        client = made.Client(base_url=service.url, timeout=60)
        file = types.File(BytesIO(example_path.read_bytes()), example_path.name)
        body = models.SummarizeFilesSummaryRequestForm(file=file, length="60w")
        answer = summarize.sync(client=client, body=body)
        assert isinstance(answer, models.Answer), answer
        assert answer.job.state == "done"
        text = " ".join(each["text"] for each in answer.result["summary"]["sentences"])
        assert 20 < len(text.split()) <= 60
