"""A service without workers, and summaries put into its store as by workers."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from longsum.core.summaries import (
    Budget,
    Coverage,
    NestedSummaries,
    SourceSpan,
    Summary,
    SummarySentence,
)
from longsum.documents import Document, DocumentBuilder, Source
from longsum.documents.document_json import document_to_json
from longsum.service.api.app import create_app
from longsum.service.jobs import Wanted
from longsum.service.reader.routes import router
from longsum.service.records import Upload
from longsum.service.service import Service
from longsum.service.service_settings import Settings
from longsum.service.work import about, summary_forms

HOSTILE = '<img src=x onerror="alert(1)"></script><script>alert(2)</script>'
Add = Callable[..., str]


def make_document(title: str = "Of rivers", pages: bool = False) -> Document:
    """Return a document of three sections with ten sentences each."""
    builder = DocumentBuilder()
    for part in range(3):
        builder.heading(1, f"Part {part} {HOSTILE if part == 1 else ''}")
        for number in range(10):
            page = part + 1 if pages else None
            builder.paragraph(f"River {part}.{number} was measured in spring.", page=page)
    return builder.build(
        title, Source("rivers.pdf" if pages else "rivers.md", "pdf" if pages else "markdown")
    )


def ladder(document: Document, *rungs: tuple[int, ...], start: int = 0) -> NestedSummaries:
    """Return summaries of the sentences at these positions, those chosen first named first."""
    made = []
    for rung in rungs:
        sentences = tuple(
            SummarySentence(
                document.sentences[place].text,
                (SourceSpan.of(document, place),),
                1.0 / (step + 1),
                {"topics": 1.0 / (step + 1)},
                step,
            )
            for place, step in sorted((place, step) for step, place in enumerate(rung))
        )
        whole = Coverage.whole(document)
        made.append(Summary(document, sentences, Budget(len(rung), "sentences"), whole, "by hand"))
    return NestedSummaries(tuple(made), start)


@pytest.fixture
def client(tmp_path) -> Iterator[TestClient]:
    app = create_app(Settings(folder=tmp_path / "service", workers=1), others=[router])
    client = TestClient(app, "http://127.0.0.1", raise_server_exceptions=False)
    yield client
    app.state.service.store.close()


@pytest.fixture
def add(client: TestClient, tmp_path) -> Add:
    """Put a summary of a document into the store; return its job."""
    service: Service = client.app.state.service  # type: ignore[attr-defined]
    count = 0

    def put(nested: NestedSummaries, original: bytes = b"x", system: str = "lead") -> str:
        nonlocal count
        count += 1
        document = nested.summaries[0].document
        identity = f"{document.sha256[:16]}"
        file = tmp_path / f"original-{count}"
        file.write_bytes(original)
        service.store.add(Upload(identity, document.source.name, len(original), file))
        values = json.dumps(document_to_json(document)).encode()
        (service.store.place(identity) / "read.json").write_bytes(values)
        service.store.tell_about(identity, about(document))
        wanted = Wanted(lengths=True, system=system, seed=count)
        job = service.submit(identity, wanted)
        claimed = service.store.claim()
        assert claimed is not None
        service.store.finish(claimed.id, claimed.token, summary_forms(wanted, nested))
        return job.id

    return put


def told(client: TestClient, job: str) -> Any:
    """Return what a page tells its script about the server."""
    page = client.get(f"/read/{job}").text
    return json.loads(page.partition('id="host">')[2].partition("</script>")[0])
