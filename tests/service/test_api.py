"""The addresses of the service, with workers that follow instructions in texts."""

import json
import re
from pathlib import Path

import pytest

import longsum
from longsum.documents.document_json import document_to_json
from longsum.service.api.admission import file_name
from service_calls import ask, events, is_problem, until


class TestSummaries:
    def test_a_text_is_answered_at_once(self, client) -> None:
        answer = ask(client, "Rivers\n\nThe river is wide.", length="9w")
        assert answer.status_code == 200
        told = answer.json()
        assert told["result"] == {"schema": "x"}
        assert told["job"]["state"] == "done"
        assert told["job"]["wanted"] == {"length": "9w"}
        assert answer.headers["location"] == f"/v1/jobs/{told['job']['id']}"
        about = client.get(f"/v1/documents/{told['job']['document']}").json()["about"]
        assert about["title"] == "Rivers"

    def test_a_file_is_stored_once_under_no_name_of_its_own(self, client) -> None:
        files = {"file": ("../../etc/passwd\n.md", b"A file.\n")}
        jobs = [
            client.post("/v1/summaries", files=files, data={"length": length}).json()["job"]
            for length in ("9w", "8w")
        ]
        assert jobs[0]["id"] != jobs[1]["id"]
        assert jobs[0]["document"] == jobs[1]["document"]
        document = client.get(f"/v1/documents/{jobs[0]['document']}").json()
        assert document["name"] == "passwd%0A.md"
        folder = client.app.state.service.store.folder  # type: ignore[attr-defined]
        assert not list(folder.rglob("*passwd*"))
        assert not list(folder.glob("upload-*"))

    @pytest.mark.parametrize(
        ("given", "name"),
        [
            ("C:\\a b.PDF ", "a b.PDF"),
            ("", "document"),
            ("/.md", "document.md"),
            ("a.toolongasuffix", "a.toolongasuffix"),
            (300 * "a" + ".docx", 195 * "a" + ".docx"),
            (300 * "a", 200 * "a"),
        ],
    )
    def test_a_document_is_called_by_the_last_part_of_its_name(self, given: str, name: str) -> None:
        assert file_name(given) == name

    def test_the_same_bytes_are_one_document_of_each_kind(self, client) -> None:
        def sent(name: str):
            return client.post("/v1/documents", files={"file": (name, b"Same.")}).json()["id"]

        assert sent("a.md") == sent("b.MD") != sent("a.txt")

    def test_several_documents_are_one_and_one_is_itself(self, client) -> None:
        def sent(text: str):
            body = {"text": text, "name": text[:150]}
            return client.post("/v1/documents", json=body).json()["id"]

        def together(*documents: str, **others):
            return client.post("/v1/summaries", json={"documents": documents, **others})

        one, two, three = sent("One."), sent("Two " + 200 * "2"), sent("3" * 90)
        assert together(one, one).json()["job"]["document"] == one
        both = together(one, two).json()["job"]["document"]
        view = client.get(f"/v1/documents/{both}").json()
        assert (view["members"], view["name"]) == ([one, two], f"One. · {'Two ' + 146 * '2'}")
        table = client.post("/v1/summaries", json={"document": both, "kind": "table"})
        assert is_problem(table, 422, "bad-request")
        assert table.json()["detail"] == "A report is made from one table; send only one."
        # What consists of others is them, each once; so a form has them.
        form = [("documents", (None, each)) for each in (both, three, one)]
        all_three = client.post("/v1/summaries", files=form).json()["job"]["document"]
        assert all_three == together(one, two, three).json()["job"]["document"] != both
        view = client.get(f"/v1/documents/{all_three}").json()
        assert view["members"] == [one, two, three]
        assert len(view["name"]) <= 200
        assert is_problem(together(one, two, kind="table"), 422, "bad-request")
        assert is_problem(together(one, document=two), 422, "bad-request")
        assert is_problem(together(one, "unknown"), 404, "unknown")
        content = f"/v1/documents/{both}/content"
        store = client.app.state.service.store  # type: ignore[attr-defined]
        for each, text in ((one, b"One."), (two, b"Two.")):
            assert is_problem(client.get(content), 409, "not-ready")
            read = json.dumps(document_to_json(longsum.read_bytes(text)))
            (store.place(each) / "read.json").write_text(read)
        assert re.findall("One.|Two.", client.get(content).json()["text"]) == ["One.", "Two."]

    def test_documents_are_listed_page_by_page(self, client) -> None:
        for text in ("First.", "Second.", "Third."):
            client.post("/v1/documents", json={"text": text})
        everything = client.get("/v1/documents?most=200").json()["documents"]
        seen, page = [], {"before": 1e12}
        while page["before"] is not None and len(seen) < len(everything):
            asked = f"/v1/documents?most=2&before={page['before']!r}"
            page = client.get(asked).json()
            seen += page["documents"]
        assert seen == everything

    def test_the_same_request_is_the_same_job(self, client) -> None:
        first, same, other = (
            ask(client, "Once.", length=length).json()["job"]["id"]
            for length in ("10 words", "10w", "11w")
        )
        assert first == same != other

    def test_an_expired_wait_returns_the_same_job(self, client) -> None:
        answers = [ask(client, "hang for a while", wait=0.05) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [202, 202]
        first, second = (answer.json()["job"]["id"] for answer in answers)
        assert first == second
        assert answers[0].json()["result"] is None
        assert int(answers[0].headers["retry-after"]) >= 1
        assert is_problem(client.get(f"/v1/jobs/{first}/result"), 409, "not-ready")
        client.delete(f"/v1/jobs/{first}")

    def test_a_document_sent_before_needs_no_second_upload(self, client) -> None:
        sent = {"files": {"file": ("a.txt", b"Kept.")}}
        wrong = client.post("/v1/documents", **sent, data={"b": "1", "a": "2"})
        assert "There is no field 'a' here;" in wrong.json()["detail"]
        kept = client.post("/v1/documents", **sent)
        assert (kept.status_code, kept.json()["about"]) == (201, None)
        named = client.post("/v1/documents", **sent, data={"name": "b.txt"}).json()
        assert (named["id"], named["name"]) == (kept.json()["id"], "a.txt")
        other = {"files": {"file": ("a.txt", b"Named.")}, "data": {"name": "b.txt"}}
        assert client.post("/v1/documents", **other).json()["name"] == "b.txt"
        assert "Send a document" in client.post("/v1/documents", json={}).json()["detail"]
        content = f"/v1/documents/{kept.json()['id']}/content"
        assert is_problem(client.get(content), 409, "not-ready")
        answer = client.post("/v1/summaries", json={"document": kept.json()["id"]})
        assert answer.status_code == 200
        assert client.get(f"/v1/jobs/{answer.json()['job']['id']}/result?form=text").text == "Kept."
        unmade = client.get(f"/v1/jobs/{answer.json()['job']['id']}/result?form=html")
        assert is_problem(unmade, 404, "unknown")
        assert "json, text" in unmade.json()["detail"]
        jobs = client.get(f"/v1/documents/{kept.json()['id']}/jobs").json()["jobs"]
        assert [job["id"] for job in jobs] == [answer.json()["job"]["id"]]
        store = client.app.state.service.store  # type: ignore[attr-defined]
        (store.place(kept.json()["id"]) / "read.json").write_text('{"as": "read"}')
        assert client.get(content).json() == {"as": "read"}

    def test_a_key_is_the_same_job_also_after_a_failure(self, client) -> None:
        with_key = {"headers": {"idempotency-key": "k1"}, "json": {"text": "please refuse"}}
        jobs = [client.post("/v1/summaries", **with_key).json()["job"] for _ in range(2)]
        assert jobs[0] == jobs[1]
        assert client.get(f"/v1/jobs/{jobs[0]}").json()["state"] == "failed"
        other = client.post("/v1/summaries", **(with_key | {"json": {"text": "another"}}))
        assert is_problem(other, 422, "bad-request")

    @pytest.mark.parametrize(
        ("text", "reason"), [("refuse it", "unreadable"), ("err", "fault"), ("die", "crash")]
    )
    def test_a_failed_job_states_the_reason(self, client, text, reason, caplog) -> None:
        answer = ask(client, text)
        logged = ["A job failed: Something went wrong (ValueError)."]
        assert caplog.messages == (logged if reason == "fault" else [])
        assert is_problem(answer, 422, reason)
        job = answer.json()["job"]
        assert client.get(f"/v1/jobs/{job}").json()["problem"]["reason"] == reason
        assert is_problem(client.get(f"/v1/jobs/{job}/result"), 422, reason)

    @pytest.mark.parametrize(
        ("fields", "said"),
        [
            ({"lenght": "9w"}, "There is no field 'lenght'"),
            ({"length": "some"}, "some"),
            ({"length": "-3w"}, "length"),
            ({"system": "/etc/passwd"}, "There is no system"),
            ({"system": "http://127.0.0.1:1/v1#x"}, "There is no system"),
            ({"system": "oracle"}, "There is no system"),
            ({"writer": "http://127.0.0.1:1/v1"}, "There is no writer"),
            ({"kind": "questions", "focus": "x"}, "takes no focus"),
            ({"levels": True, "at_once": True}, "at_once"),
            ({"as_written": True}, "as_written is for what a writer writes"),
            ({"system": "lead", "writer": "mine"}, "Give either a system or a writer"),
            ({"seed": -1}, "seed"),
            ({"document": "0" * 64}, "Send one document"),
            ({"focus": "\ud800"}, ""),
            ({"text": None}, "Send one document"),
        ],
    )
    def test_a_wrong_field_is_named(self, client, fields, said) -> None:
        answer = client.post(
            "/v1/summaries",
            content=json.dumps({"text": "A text.", **fields}),
            headers={"content-type": "application/json"},
        )
        assert is_problem(answer, 422, "bad-request")
        assert said in answer.json()["detail"]

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            (b"", 422),
            (b"{", 422),
            (b"[]", 422),
            (b'{"text": 3}', 422),
            (b'{"text": ""}', 422),
            (b"{}", 422),
            (b"[" * 100_000, 422),
            (b'{"text": "a", "seed": ' + b"9" * 10_000 + b"}", 422),
            (b'{"text": "' + b"a" * 100_001 + b'"}', 413),
            (b'{"text": "' + b"a" * 100_000 + b'", "seed": -1}', 422),
            (b'{"seed": -1'.ljust(1_148_575) + b"}", 422),
            (b'{"seed": -1'.ljust(1_148_576) + b"}", 413),
        ],
    )
    def test_a_wrong_body_is_refused(self, client, body: bytes, status: int) -> None:
        headers = {"content-type": "application/json"}
        answer = client.post("/v1/summaries", content=body, headers=headers)
        assert is_problem(answer, status, "too-large" if status == 413 else "bad-request")
        assert (answer.headers.get("connection") == "close") is (len(body) > 1_148_576)

    def test_a_body_that_does_not_say_its_length_is_counted(self, client) -> None:
        headers = {"content-type": "application/json"}
        body = (b"a" * 100_000 for _ in range(20))
        answer = client.post("/v1/summaries", content=body, headers=headers)
        assert is_problem(answer, 413, "too-large")

    def test_another_kind_of_body_is_refused_and_a_packed_one(self, client) -> None:
        packed = {"content-type": "application/json", "content-encoding": "gzip"}
        for headers, reason in (({}, "bad-request"), (packed, "encoded")):
            answer = client.post("/v1/summaries", content=b"\x1f\x8b", headers=headers)
            assert is_problem(answer, 415, reason)

    @pytest.mark.parametrize(
        ("parts", "said"),
        [
            ([("file", ("a.txt", b"x"))] * 2, "Too many files"),
            ([("other", ("a.txt", b"x"))], "Only the field 'file' holds a file"),
            ([("file", (None, b"no file"))], "Only the field 'file' holds a file"),
            ([(f"field{number}", (None, b"x")) for number in range(65)], "Too many fields"),
            (
                [(f"field{number}", (None, b"x")) for number in range(64)],
                "There is no field 'field0'",
            ),
            ([("length", (None, b"9w"))] * 2, "The field 'length' comes twice"),
            ([("length", (None, b"9" * 65_537))], "exceeded maximum size of 64KB"),
            ([("length", (None, b"9" * 65_536))], "at most 40 characters"),
            ([("file", ("a.txt", b""))], "The document is empty"),
            ([("name", (None, b"a"))], "A name can only be sent with a text"),
        ],
    )
    def test_a_wrong_form_is_refused(self, client, parts, said: str) -> None:
        answer = client.post("/v1/summaries", files=parts)
        assert is_problem(answer, answer.status_code, "bad-request")
        assert 400 <= answer.status_code < 500
        assert said in answer.json()["detail"]


class TestJobs:
    def test_cancel_ends_the_process_that_works(self, client) -> None:
        job = ask(client, "hang 2", wait=0).json()["job"]["id"]
        workers = client.app.state.service.workers  # type: ignore[attr-defined]
        until(lambda: client.get(f"/v1/jobs/{job}").json()["stage"] == "summarizing")
        (process,) = [worker.process.pid for worker in workers._workers]
        assert client.delete(f"/v1/jobs/{job}").json()["state"] == "cancelled"
        until(lambda: not Path(f"/proc/{process}").exists(), 2)
        assert is_problem(client.get(f"/v1/jobs/{job}/result"), 410, "cancelled")

    def test_events_can_be_replayed_from_the_last_received(self, client) -> None:
        job = ask(client, "Told.").json()["job"]["id"]
        whole = events(client, job)
        ids = [identity for identity, _ in whole]
        assert ids == sorted(set(ids))
        assert [data["stage"] for _, data in whole][:3] == ["queued", "starting", "reading"]
        assert whole[-1][1]["state"] == "done"
        assert events(client, job, ids[2]) == whole[3:]
        assert events(client, job, ids[-1]) == events(client, job, 10**18 - 1) == []
        beyond = client.get(f"/v1/jobs/{job}/events", headers={"last-event-id": f"{2**63}"})
        assert is_problem(beyond, 422, "bad-request")
        other = ask(client, "Told otherwise.").json()["job"]["id"]
        assert {identity for identity, _ in events(client, other)}.isdisjoint(ids)

    def test_a_removed_result_has_gone_and_an_unknown_one_never_was(self, client) -> None:
        job = ask(client, "Removed.").json()["job"]["id"]
        assert client.delete(f"/v1/jobs/{job}").json()["state"] == "expired"
        assert is_problem(client.get(f"/v1/jobs/{job}/result"), 410, "expired")
        for path in ("", "/result", "/events"):
            assert is_problem(client.get(f"/v1/jobs/unknown{path}"), 404, "unknown")
        assert ask(client, "Removed.").json()["job"]["id"] != job

    def test_a_deleted_document_takes_its_jobs_along(self, client) -> None:
        told = ask(client, "Deleted.").json()["job"]
        address = f"/v1/documents/{told['document']}"
        assert client.delete(address).status_code == 204
        assert is_problem(client.get(address), 404, "unknown")
        assert is_problem(client.get(f"/v1/jobs/{told['id']}/result"), 410, "expired")
