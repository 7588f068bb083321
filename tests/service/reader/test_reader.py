"""The addresses of the reader: pages, notes, search, files, and who may use them."""

import base64
import io
import json
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import docx
import lxml.html
import pytest
from fastapi.testclient import TestClient
from PIL import Image

import longsum
from longsum.common.errors import LongsumError
from longsum.core.systems.system import TreeOptions
from longsum.core.tree_makers import load_tree_maker
from longsum.documents import DocumentBuilder, Source
from longsum.documents.readers import ReadLimits, detect
from longsum.service.jobs import Wanted
from longsum.service.lines import Line
from longsum.service.reader import page_pictures
from longsum.service.reader.annotations import Annotation, Annotations, anchor
from longsum.service.reader.page_pictures import page_picture, sentence_boxes
from longsum.service.reader.pages import label, stage
from longsum.service.reader.pdf_pages import _lines, _where, boxes, picture
from longsum.service.reader.routes import _wanted
from longsum.service.reader.search import Search
from longsum.service.records import Job, Upload
from longsum.service.service import JobView
from pdf_writer import raw_pdf
from reader_pages import HOSTILE, Add, ladder, make_document, told
from service_calls import is_problem

JSON = {"accept": "application/json"}
KINDS = {"json": "application/json", "text": "text/plain; charset=utf-8"} | {
    kind: f"text/{kind}; charset=utf-8" for kind in ("markdown", "html")
}
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EXPORTED = KINDS | {"md": KINDS["markdown"], "docx": WORD}


def put(client: TestClient, job: str, line: int, **change):
    return client.put(f"/read/{job}/lines/{line}", json=change)


def placed(client: TestClient, job: str) -> list[tuple]:
    return [
        (each["line"], each["state"], each["note"]) for each in told(client, job)["annotations"]
    ]


class TestPages:
    def test_no_text_becomes_markup_on_any_page(self, client: TestClient, add: Add) -> None:
        document = make_document(HOSTILE)
        first, second = (
            add(ladder(document, (1, 11, 21), (1, 11, 21, 22)), system=name)
            for name in ("lead", "graph")
        )
        put(client, first, 0, note=HOSTILE)
        pages = ["/", "/?q=river", f"/read/{first}", f"/compare?left={first}&right={second}"]
        for address in pages:
            answer = client.get(address)
            assert answer.status_code == 200
            tree = lxml.html.document_fromstring(answer.text)
            assert not tree.xpath("//img | //iframe | //*[@onerror]")
            for script in tree.xpath("//script"):
                assert script.get("type") in ("module", "application/json")

    def test_pages_may_use_only_their_own_script_and_the_server(self, client, add) -> None:
        job = add(ladder(make_document(), (1, 11)))
        assert "/read/{job}" not in client.get("/openapi.json").text
        own = told(client, job)
        assert (own["lines"], own["editable"]) == (f"/read/{job}/lines", True)
        for address in ("/", f"/read/{job}"):
            page = client.get(address)
            assert page.headers["referrer-policy"] == "same-origin"
            policy = page.headers["content-security-policy"]
            assert policy.startswith("default-src 'none'; script-src 'sha256-")
            assert "unsafe" not in policy
            assert "http" not in policy
            assert policy.endswith("form-action 'self'; frame-ancestors 'none'")

    def test_pages_of_other_sites_change_nothing(self, client: TestClient, add: Add) -> None:
        job = add(ladder(make_document(), (1, 11)))
        document = client.get("/v1/documents").json()["documents"][0]["id"]
        for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}):
            for method, address in (
                ("POST", f"/documents/{document}/delete"),
                ("POST", f"/documents/{document}/summaries"),
                ("PUT", f"/read/{job}/lines/0"),
                ("POST", f"/read/{job}/export"),
            ):
                answer = client.request(method, address, json={}, headers=headers)
                assert answer.status_code == 403
        assert client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 200
        own = {"sec-fetch-site": "none"}
        assert client.put(f"/read/{job}/lines/0", json={}, headers=own).status_code == 200
        assert client.get(f"/v1/documents/{document}").status_code == 200

    def test_a_form_requests_what_its_options_say(self, client, add) -> None:
        add(ladder(make_document(), (1, 11)))
        store = client.app.state.service.store  # type: ignore[attr-defined]
        document = client.get("/v1/documents").json()["documents"][0]["id"]
        page = lxml.html.document_fromstring(client.get("/").text)
        lengths = {each.get("value"): each.text for each in page.xpath("//*[@name='length']")[0]}
        assert [lengths[each] for each in ("short", "medium", "long", "10%")] == [
            *("100 words", "250 words", "600 words", "a tenth")
        ]
        usual = [each.text for each in page.xpath("//option[@selected]")[:2]]
        assert usual == ["250 words", "stepwise"]
        system = {"system": "lead", "focus": "", "writer": ""}
        asked = {"length": "short", "kind": "questions", "system": "lead", "focus": "boats"}
        told = {"length": "50w", "kind": "questions", "question": "boats"}
        for sent, wanted in (
            *(
                (system | {"length": each}, {"length": each, "system": "lead", "lengths": True})
                for each in lengths
            ),
            (asked, told),
        ):
            answer = client.post(f"/documents/{document}/summaries", data=sent, headers=JSON)
            assert json.loads(store.job(answer.json()["job"]).wanted) == wanted
            page = f"/read/{answer.json()['job']}"
            assert (answer.status_code, answer.json()["page"]) == (201, page)
        assert _wanted({"system": "lead", "writer": "me", "seed": None}) == {
            **{"writer": "me", "lengths": True}
        }

    def test_an_unfinished_job_shows_its_progress(self, client: TestClient) -> None:
        files = {"file": ("a.md", b"# A\n\nThe river is wide.")}
        answer = client.post(
            "/documents", files=files, data={"length": "50w", "focus": ""}, follow_redirects=False
        )
        assert answer.status_code == 303
        page = client.get(answer.headers["location"]).text
        assert "next in the queue" in page
        assert "50 words · by stepwise" in page
        page = answer.headers["location"]
        cancelled = client.post(f"{page}/cancel", follow_redirects=False)
        assert (cancelled.status_code, cancelled.headers["location"]) == (303, page)
        cancelled = client.get(page)
        assert "cancelled" in cancelled.text
        assert "Summarize it again" in cancelled.text

    def test_a_page_has_fifty_documents_and_leads_to_those_before(self, client, tmp_path) -> None:
        store = client.app.state.service.store  # type: ignore[attr-defined]
        for number in range(51):
            store.clock = partial(float, 1e6 + 86400 * number)
            (tmp_path / "file").write_text("x")
            store.add(Upload(f"id-{number}", f"Report {number}", 1, tmp_path / "file"))
        tree = lxml.html.document_fromstring(client.get("/").text)
        assert [each.text for each in tree.xpath("//h3")][:50] == [
            f"Report {number}" for number in range(50, 0, -1)
        ]
        assert "1 bytes · 3 March 1970" in tree.text_content()
        listed = client.get("/v1/documents").json()
        assert (len(listed["documents"]), listed["before"]) == (50, 1e6 + 86400)
        (earlier,) = tree.xpath("//a[text()='Earlier ones']/@href")
        page = client.get(earlier).text
        assert "Report 0" in page
        assert "Report 1<" not in page
        assert "Earlier ones" not in page

    def test_a_summary_leads_to_the_twelve_latest_and_two_are_compared(self, client, add) -> None:
        document = make_document()
        jobs = [add(ladder(document, (1, 11))) for _ in range(13)] + [
            add(ladder(document, (1, 12), (1, 12, 2, 11), start=1))
        ]
        page = lxml.html.document_fromstring(client.get(f"/read/{jobs[0]}").text)
        others = page.xpath("//h3[text()='Other summaries']/following-sibling::ul[1]/li/a[1]/@href")
        assert others == [f"/read/{job}" for job in jobs[:1:-1]]
        page = client.get("/compare", params={"left": jobs[0], "right": jobs[-1]}).text
        tree = lxml.html.document_fromstring(page)
        assert "2 sentences in both." in page
        assert [each.text for each in tree.xpath("//thead//small")] == [
            *("2 sentences, 12 words", "4 sentences, 24 words")
        ]
        cells = [
            [
                (each.getparent().get("class"), each.get("href")[6:], each.text[6:9])
                for each in cell.xpath("p/a")
            ]
            for cell in tree.xpath("//tbody//td")
        ]
        left, right = (f"{job}#k-" for job in (jobs[0], jobs[-1]))
        assert cells == [
            [("shared", f"{left}0", "0.1")],
            [("shared", f"{right}0", "0.1"), (None, f"{right}1", "0.2")],
            [("shared", f"{left}1", "1.1")],
            [("shared", f"{right}2", "1.1"), (None, f"{right}3", "1.2")],
        ]
        # Sections stand in the order of the document, whichever summary has them.
        later = add(ladder(document, (21,)))
        page = client.get("/compare", params={"left": later, "right": jobs[0]}).text
        headings = lxml.html.document_fromstring(page).xpath("//tbody//th")
        assert [each.text_content()[:2] for each in headings] == ["§1", "§2", "§3"]
        other = add(ladder(make_document("Other"), (1,)))
        refused = client.get("/compare", params={"left": jobs[0], "right": other})
        assert (refused.status_code, "of the same document" in refused.text) == (422, True)

    def test_results_made_for_programs_are_shown_but_cannot_be_annotated(self, client, add) -> None:
        job = add(ladder(make_document(), (1, 11)), original=b"%PDF")
        store = client.app.state.service.store  # type: ignore[attr-defined]
        with store.transaction() as database:
            database.execute("DELETE FROM results WHERE form = 'lines'")
        assert told(client, job) == {"annotations": [], "editable": False}
        refused = put(client, job, 0, note="x")
        assert (refused.status_code, "make one in the library" in refused.text) == (404, True)

    def test_a_result_is_sent_with_its_media_type(self, client: TestClient, add: Add) -> None:
        job = add(ladder(make_document(), (1, 11)))
        assert client.get(f"/v1/jobs/{job}").json()["forms"] == [
            *("html", "json", "markdown", "text")
        ]
        for form, kind in KINDS.items():
            answer = client.get(f"/v1/jobs/{job}/result", params={"form": form})
            assert answer.headers["content-type"] == kind
            policy = answer.headers["content-security-policy"]
            start = "sandbox allow-scripts; default-src 'none'" if form == "html" else "default-src"
            assert policy.startswith(start)

    @pytest.mark.parametrize(
        ("state", "wanted", "said"),
        [
            ("expired", {}, "an expired summary"),
            ("done", {"kind": "table"}, "report of a table"),
            ("done", {}, "250 words · by stepwise"),
            ("done", {"length": "auto", "system": "lead"}, "as long as it needs · by lead"),
            ("done", {"length": "9w", "writer": "me"}, "9 words · by me"),
            ("done", {"length": "3s", "focus": "cats"}, "3 sentences · by stepwise · on “cats”"),
            (
                "done",
                {"kind": "questions", "question": "Who?"},
                "questions, 50 words each · by stepwise · on “Who?”",
            ),
        ],
    )
    def test_jobs_are_labelled(self, state, wanted: dict, said: str) -> None:
        assert label(Job.model_construct(state=state, wanted=json.dumps(wanted))) == said

    @pytest.mark.parametrize(
        ("view", "said"),
        [
            ({"state": "queued", "ahead": 0}, "next in the queue"),
            ({"state": "queued", "ahead": 1200}, "1,200 ahead in the queue"),
            ({"state": "running", "stage": "reading", "total": 0}, "reading"),
            ({"state": "running", "stage": "x", "done": 1, "total": 2000}, "x, 1 of 2,000"),
            ({"state": "failed", "problem": SimpleNamespace(detail="It is so.")}, "It is so."),
            ({"state": "failed", "problem": None}, "failed"),
            ({"state": "cancelled"}, "cancelled"),
            ({"state": "expired"}, "expired"),
        ],
    )
    def test_stages_are_described_in_words(self, view: dict, said: str) -> None:
        assert stage(JobView.model_construct(**view)) == said

    @pytest.mark.parametrize(
        "address", ["/read/none", "/compare?left=a&right=b", "/documents/no/pages/1.png"]
    )
    def test_unknown_addresses_are_reported(self, client: TestClient, address: str) -> None:
        refused = client.get(address)
        assert is_problem(refused, 404, "unknown")
        # Browsers ask for HTML, and people read it.
        page = client.get(address, headers={"accept": "text/html,*/*;q=0.8"})
        assert (page.status_code, page.headers["content-type"][:9]) == (404, "text/html")
        tree = lxml.html.document_fromstring(page.text)
        assert tree.findtext(".//p") == refused.json()["detail"]
        assert tree.xpath("//a/@href") == ["/"]

    def test_an_error_page_contains_no_markup_from_the_request(self, client: TestClient) -> None:
        accept = {"accept": "text/html"}
        page = client.get("/", params={"q": "x", "before": HOSTILE}, headers=accept)
        assert page.status_code == 422
        assert "<img" not in page.text

    def test_of_two_simultaneous_searches_one_adds_new_documents(
        self, client, add, monkeypatch
    ) -> None:
        add(ladder(make_document(), (1, 11)))
        search = Search(client.app.state.service.store)  # type: ignore[attr-defined]
        of_document = search._of_document

        def after_another(*given: str) -> Iterator[tuple[str, ...]]:
            monkeypatch.undo()
            search.refresh()
            return of_document(*given)

        monkeypatch.setattr(search, "_of_document", after_another)
        places = [(hit.kind, hit.text) for hit in search.find("river")]
        assert len(places) == len(set(places)) > 1

    @pytest.mark.parametrize("how", ["by its page", "by a client", "unused"])
    def test_nothing_is_left_of_a_deleted_document(self, client, add, how) -> None:
        job = add(ladder(make_document(), (1, 11)))
        put(client, job, 0, note="Mine.")
        assert "Nothing has all of" not in client.get("/?q=river+2.9").text
        store = client.app.state.service.store  # type: ignore[attr-defined]
        document = store.job(job).document
        if how == "unused":
            store.expire(job)
            store.clock = partial(float, store.clock() + store.keep + 1)
            store.sweep()
        elif how == "by a client":
            client.delete(f"/v1/documents/{document}")
        else:
            gone = client.post(f"/documents/{document}/delete", follow_redirects=False)
            assert gone.status_code == 303
        assert store.stored(document) == []
        for table in ("annotations", "found", "indexed"):
            assert store.rows(f"SELECT * FROM {table}") == []
        assert "Of rivers" not in client.get("/").text
        assert "Nothing has all of" in client.get("/?q=river").text
        add(ladder(make_document(), (1, 11)))
        assert "Nothing has all of" not in client.get("/?q=river+2.9").text
        assert placed(client, add(ladder(make_document(), (1, 12)))) == []


class TestAnnotations:
    def test_they_come_back_and_can_be_taken_back(self, client: TestClient, add: Add) -> None:
        job = add(ladder(make_document(), (1, 11), (1, 11, 21)))
        made = put(client, job, 1, state="keep", note="Yes.").json()
        assert made["quote"] == "River 1.1 was measured in spring."
        assert made["where"].startswith("(§2 Part 1 <img")
        assert placed(client, job) == [(1, "keep", "Yes.")]
        assert told(client, job)["annotations"] == [made | {"line": 1}]
        changed = put(client, job, 1, state="drop", note="No.").json()
        assert changed["id"] == made["id"]
        assert placed(client, job) == [(1, "drop", "No.")]
        assert put(client, job, 1).json()["id"] is None
        assert placed(client, job) == []
        identity = put(client, job, 0, note="Again.").json()["id"]
        address = f"{told(client, job)['all']}/{identity}"
        assert client.delete(address).json() == {"removed": identity}
        assert client.delete(address).status_code == 404
        assert placed(client, job) == []

    def test_another_summary_has_annotations_at_the_same_sentence_or_reports_the_lack(
        self, client: TestClient, add: Add
    ) -> None:
        document = make_document()
        job = add(ladder(document, (1, 11, 21)))
        put(client, job, 0, note="First.")
        put(client, job, 2, state="keep")
        other = add(ladder(document, (0, 1, 5)))
        assert placed(client, other) == [(1, None, "First."), (None, "keep", "")]
        quoted = [each["quote"] for each in told(client, other)["annotations"]]
        assert quoted == [document.sentences[place].text for place in (1, 21)]

    def test_simultaneous_annotations_of_a_sentence_are_one(
        self, client: TestClient, add: Add, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        job = add(ladder(make_document(), (1, 11)))
        found = Annotations.of

        def slowly(annotations: Annotations, document: str) -> list[Annotation]:
            own = found(annotations, document)
            time.sleep(0.02)
            return own

        monkeypatch.setattr(Annotations, "of", slowly)
        with ThreadPoolExecutor(4) as users:
            for made in users.map(lambda user: put(client, job, 0, note=f"Of {user}."), range(4)):
                assert made.status_code == 200
        ((line, _, note),) = placed(client, job)
        assert (line, note[:3]) == (0, "Of ")

    def test_a_document_has_five_thousand_at_most(self, client: TestClient, add: Add) -> None:
        job = add(ladder(make_document(), (1, 11)))
        store = client.app.state.service.store  # type: ignore[attr-defined]
        own = store.job(job).document
        rows = [(str(n), own, 0.0, None, "Old.", "Gone.", "", None, "") for n in range(4999)]
        with store.transaction() as database:
            database.executemany("INSERT INTO annotations VALUES (?,?,?,?,?,?,?,?,?)", rows)
        assert put(client, job, 0, note="The last.").status_code == 200
        refused = put(client, job, 1, note="One more.")
        assert (refused.status_code, "5,000 notes" in refused.text) == (422, True)
        assert put(client, job, 0, note="Changed.").status_code == 200

    @pytest.mark.parametrize(
        ("lines", "found"),
        [
            # The same words; of several, those after the same text, then the nearest.
            ([("It rose by 3 %.", "x", 90), ("It fell.", "b", 50)], 0),
            ([("It rose by 3 %.", "x", 55), ("It rose by 3 %.", "b", 90)], 1),
            ([("It rose by 3 %.", "x", 90), ("It rose by 3 %.", "x", 40)], 1),
            ([("It rose by 3 %.", "x", None), ("It rose by 3 %.", "x", 90)], 1),
            # What comes from the same place.
            ([("It rose by 3 % again.", "x", 90), ("By 3 %.", "x", 50)], 1),
            # The same figures and more than four fifths of the words, the most of them.
            ([("it rose by 4 %.", "x", 90), ("So it rose by 3 %.", "x", 90)], 1),
            ([("So then it rose by 3 %.", "x", 90), ("So it rose by 3 %.", "x", 90)], 1),
            ([("So it rose by 3 %.", "x", 90), ("So then it rose by 3 %.", "x", 90)], 0),
            ([("So then there it rose by 3 %.", "x", 90)], None),
            ([], None),
        ],
    )
    def test_they_are_found_by_their_words_or_their_place(self, lines, found) -> None:
        noted = Annotation("i", "d", None, "Note.", "It rose by 3 %.", "b", 50, "")
        rest = {"citation": "", "heading": "", "rungs": [0], "words": 4}
        made = [
            Line(text=text, before=before, sources=[{"start": start}] * (start is not None), **rest)
            for text, before, start in lines
        ]
        assert anchor(noted, made) == found
        assert anchor(replace(noted, quote="Gone.", start=None), made) is None

    def test_wrong_annotations_are_refused(self, client: TestClient, add: Add) -> None:
        job = add(ladder(make_document(), (1, 11)))
        assert put(client, job, 9, note="x").status_code == 404
        assert put(client, job, 0, state="maybe").status_code == 422
        assert put(client, job, 0, note="x" * 10_001).status_code == 422


class TestSearch:
    def test_titles_sources_and_summaries_are_found(self, client: TestClient, add: Add) -> None:
        add(ladder(make_document(), (11,)))
        tree = lxml.html.document_fromstring(client.get("/?q=river+1.1+spri").text)
        places = {
            item.text.partition("<")[0].strip() for item in tree.xpath("//ul[@class='hits']//small")
        }
        assert places == {*(f"document · Part {part}" for part in range(3)), "summary · 1 sentence"}
        assert [each.text for each in tree.xpath("//article/h3")] == ["Of rivers"]
        links = tree.xpath("//ul[@class='hits']//a/@href")
        assert all("#find=" in link for link in links)
        (title,) = lxml.html.document_fromstring(client.get("/?q=rivers").text).xpath("//ul//li/a")
        assert title.text_content() == "Of rivers · rivers.md"
        assert "Nothing has all of" in client.get("/?q=oceans").text

    def test_hits_have_an_order_and_an_end(self, client: TestClient, add: Add) -> None:
        builder = DocumentBuilder()
        builder.heading(1, "Of wells")
        for number in range(70):
            builder.paragraph(f"The well number {number} {number * ' dry'} was dug.")
        builder.heading(1, "Of mills")
        builder.paragraph("A mill was built. It burned.")
        add(ladder(builder.build("Water", Source("wells.md", "markdown")), (3,)))

        def found(query: str):
            page = client.get("/", params={"q": query}).text
            return lxml.html.document_fromstring(page).xpath("//ul[@class='hits']/li")

        assert len(found("well")) == 60
        assert "Found: the best 60 places" in client.get("/?q=well").text
        assert "Found: 1 place<" in client.get("/?q=mill+built").text
        assert found("wells")[0].xpath("small")[0].text == "title"
        assert not found("wel ")
        assert "built. It burned." in found("mill built")[0].text_content()
        (hit,) = found("number 7 was")
        assert [each.text for each in hit.xpath(".//mark")] == ["number", "7", "was"]
        assert hit.xpath("small")[0].text == "document · Of wells"
        (link,) = hit.xpath("a/@href")
        assert link.partition("#")[2] == "find=number%207%20dry%20dry%20dry%20dry%20dry%20dry"
        # The sixteen first words count.
        assert len(found(15 * "well " + "wet dry")) == 0
        assert len(found(16 * "well " + "wet")) == 60

    @pytest.mark.parametrize("query", ['"', "NEAR(", "body:x", "\x00"])
    def test_no_query_is_too_strange(self, client: TestClient, add: Add, query: str) -> None:
        add(ladder(make_document(), (11,)))
        assert client.get("/", params={"q": query}).status_code == 200


class TestExports:
    @pytest.fixture
    def job(self, client: TestClient, add: Add) -> str:
        job = add(ladder(make_document(), (1, 11), (1, 11, 21)))
        put(client, job, 0, state="keep", note="Mine <&>.")
        return job

    def export(self, client: TestClient, job: str, kind: str, shown: str = ""):
        answer = client.post(f"/read/{job}/export", data={"kind": kind, "shown": shown})
        assert answer.status_code == 200
        named = f"attachment; filename*=UTF-8''rivers%20summary.{kind}"
        assert answer.headers["content-disposition"] == named
        assert answer.headers["content-type"] == EXPORTED[kind]
        return answer

    def test_markdown_has_sources_and_notes(self, client: TestClient, job: str) -> None:
        text = self.export(client, job, "md", "0,2").text
        assert "River 0.1 was measured in spring.[^1]" in text
        assert r"> Mine \<&\>." in text
        assert "River 2.1" in text
        assert "River 1.1" not in text
        assert self.export(client, job, "md", "0,2,0,9,x").text == text
        others = {f"other{number}": "x" for number in range(20)}
        unasked = client.post(f"/read/{job}/export", data=others)
        assert unasked.headers["content-type"] == KINDS["markdown"]
        assert unasked.text == self.export(client, job, "md", "0,1").text
        more = client.post(f"/read/{job}/export", data={**others, "more": "x"})
        assert is_problem(more, 400, "bad-request")
        assert "[^2]: (§3 Part 2" in text
        put(client, job, 1, note="Not shown.")
        put(client, job, 2, state="drop")
        text = self.export(client, job, "md", "0").text
        assert "- Noted: “River 1.1 was measured" in text
        assert "- Dropped: “River 2.1 was measured" in text

    def test_json_has_all_that_is_known(self, client: TestClient, job: str) -> None:
        put(client, job, 2, state="drop", note="Not this.")
        values = self.export(client, job, "json").json()
        (other,) = values.pop("elsewhere")
        assert other.pop("place").startswith("(§3 Part 2")
        said = "River 2.1 was measured in spring."
        assert other == {"state": "drop", "note": "Not this.", "quote": said}
        assert {name: value for name, value in values.items() if name != "sentences"} == {
            "schema": "longsum/reader/1",
            "title": "Of rivers",
            "system": "by hand",
            "made_by": f"longsum {longsum.__version__}",
        }
        assert [each["kept"] for each in values["sentences"]] == [True, False]
        assert values["sentences"][0]["note"] == "Mine <&>."
        assert values["sentences"][0]["sources"][0]["start"] > 0

    def test_word_reads_it(self, client: TestClient, job: str) -> None:
        data = self.export(client, job, "docx", "1,0").content
        assert zipfile.ZipFile(io.BytesIO(data)).testzip() is None
        document = detect.parse(data, "summary.docx", limits=ReadLimits()).text
        assert "River 1.1 was measured in spring." in document
        assert "Mine <&>." in document
        # What XML cannot hold is left out; of what is noted elsewhere the place comes first.
        put(client, job, 1, state="keep", note="Mine \x00too.")
        data = self.export(client, job, "docx", "1").content
        text = detect.parse(data, "summary.docx", limits=ReadLimits()).text
        assert "Mine too." in text
        other = text.partition("Kept: “River 0.1 was measured")[2]
        assert 0 < other.index("§1") < other.index("Mine <&>.")
        written = docx.Document(io.BytesIO(data))
        assert written.core_properties.author == ""
        styles = [each.style.name for each in written.paragraphs]
        assert styles == ["Title", "Heading 1", "Normal", "Quote", "Normal", "Quote"]
        said, cited = written.paragraphs[2].runs
        assert said.text == "River 1.1 was measured in spring. "
        assert str(cited.font.color.rgb) == "666666"

    def test_the_page_is_a_file_with_the_notes(self, client: TestClient, job: str) -> None:
        page = self.export(client, job, "html").text
        assert "connect-src" not in page
        host = json.loads(page.partition('id="host">')[2].partition("</script>")[0])
        assert host["editable"] is False
        assert host["annotations"][0]["note"] == "Mine <&>."
        refused = client.post(f"/read/{job}/export", data={"kind": "exe"})
        assert is_problem(refused, 422, "bad-request")
        assert refused.json()["detail"] == "The kinds of file are md, docx, json, html; choose one."

    def test_a_tree_of_questions_is_a_file_and_compared_with_nothing(self, client, job) -> None:
        service = client.app.state.service  # type: ignore[attr-defined]
        identity = service.store.job(job).document
        wanted = Wanted(kind="questions")
        tree = service.submit(identity, wanted)
        claimed = service.store.claim()
        made = load_tree_maker().make(make_document(), TreeOptions(wanted.budget))
        forms = {"markdown": str(made), "json": "{}", "html": made.to_html()}
        encoded = {form: text.encode() for form, text in forms.items()}
        service.store.finish(claimed.id, claimed.token, encoded)
        page = lxml.html.document_fromstring(client.get(f"/read/{tree.id}").text)
        assert page.xpath("//button[@name='kind']/@value") == ["md", "html", "json"]
        for kind in ("md", "html", "json"):
            text = self.export(client, tree.id, kind).text
            assert text == forms["markdown" if kind == "md" else kind]
        assert client.post(f"/read/{tree.id}/export", data={"kind": "docx"}).status_code == 404
        assert "/compare" not in client.get(f"/read/{job}").text
        assert "/compare" not in client.get("/").text


class TestPagePictures:
    def test_a_page_and_the_place_of_a_sentence(self, client: TestClient, add: Add) -> None:
        line = b"BT /F1 11 Tf 72 720 Td (So River 0.1 was) Tj 0 -14 Td (measured in spring.) Tj ET"
        # Its second page is as large as a wall.
        wall = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 4800 1200] >>"
        file = raw_pdf(line, kids=b"[3 0 R 6 0 R 3 0 R]", count=3, objects=[wall])
        made = ladder(make_document(pages=True), (1, 11, 21))
        (rung,) = made.summaries
        # What a sentence says in other words stands on the page as in its source.
        said = tuple(replace(each, text="Shorter.") for each in rung.sentences)
        made = replace(made, summaries=(replace(rung, sentences=said),))
        job = add(made, original=file)
        identity = client.get("/v1/documents").json()["documents"][0]["id"]
        for _ in range(2):  # made, and kept
            answer = client.get(f"/documents/{identity}/pages/2.png")
            assert answer.headers["content-type"] == "image/png"
            assert answer.headers["cache-control"] == "private, max-age=86400"
            assert Image.open(io.BytesIO(answer.content)).size == (2400, 600)
        for page in (0, 9, 10**300):
            assert client.get(f"/documents/{identity}/pages/{page}.png").status_code == 422
        found = client.get(f"/read/{job}/lines/0/boxes").json()
        assert (found["width"], found["height"]) == (612, 792)
        # After "So ", at 72 points and a little; its baselines are 792 - 720 and 14 more below.
        (left, top, width, height), (second, below, _, _) = found["boxes"]
        assert 85 < left < 92
        assert second == pytest.approx(72, abs=2)
        assert top < 72 < top + height + 1
        assert below == pytest.approx(top + 14, abs=3)
        assert 50 < width < 90
        assert found["picture"] == f"/documents/{identity}/pages/1.png"
        assert told(client, job)["pictures"] is True

    def test_a_page_is_drawn_by_its_number_at_the_size_of_paper(self) -> None:
        file, limits = raw_pdf(b"", kids=b"[3 0 R 3 0 R]", count=2), ReadLimits()
        for page in (1, 2):
            drawn = Image.open(io.BytesIO(base64.b64decode(picture(file, "", limits, page))))
            assert drawn.size == (1105, 1430)  # 8.5 and 11 inches of 130 dots
            assert boxes(file, "", limits, page, "None.") == {
                **{"width": 612, "height": 792, "boxes": []}
            }
        for page in (0, 3):
            with pytest.raises(LongsumError, match=f"has no page {page}; choose one of its 2"):
                picture(file, "", limits, page)
        with pytest.raises(LongsumError, match="not a PDF file that can be shown"):
            boxes(b"text", "", limits, 1, "None.")

    @pytest.mark.parametrize("answer", [None, "no Base64!", {"boxes": 1}])
    def test_answers_of_a_separate_process_are_not_trusted(
        self, tmp_path, monkeypatch, answer
    ) -> None:
        (tmp_path / "original").write_bytes(b"x")
        asked = []

        def apart(*given, **more) -> object:
            asked.append((*given, more))
            return answer

        monkeypatch.setattr(page_pictures, "done_apart", apart)
        with pytest.raises(LongsumError, match="damaged"):
            page_picture(tmp_path, 1)
        with pytest.raises(LongsumError, match="damaged"):
            sentence_boxes(tmp_path, 1, "It is.")
        assert not list(tmp_path.glob("page*"))
        limits = ReadLimits(seconds=20, memory=2**30)
        assert asked == [
            (b"x", "", limits, {"work": "page", "wanted": {"page": 1}}),
            (b"x", "", limits, {"work": "boxes", "wanted": {"page": 1, "text": "It is."}}),
        ]

    def test_ligatures_are_their_letters(self) -> None:
        asked = []
        layer = SimpleNamespace(
            get_text_range=lambda: "So. O\ufb03ces \ufb01nd \ufb02ax.",
            count_rects=lambda *given: asked.append(given) or 0,
        )
        page = SimpleNamespace(get_textpage=lambda: layer)
        assert list(_lines(page, "Offices find flax.")) == []
        assert asked == [(4, 13)]

    def test_a_file_that_is_not_a_pdf_has_no_pages(self, client: TestClient, add: Add) -> None:
        job = add(ladder(make_document(pages=True), (1, 11)), original=b"%PDF-1.4 nothing")
        assert client.get(f"/read/{job}/lines/0/boxes").status_code == 422
        plain = add(ladder(make_document("Other"), (1, 11)))
        assert client.get(f"/read/{plain}/lines/0/boxes").status_code == 404
        assert "pictures" not in told(client, plain)


def test_letters_are_found_whole_or_by_an_end() -> None:
    page = "thedamheldtheriverbackforayearandaday"
    assert _where(page, "heldtheriver") == (6, 18)
    assert _where(page, "ocean") is None
    # The end of it stands on the next page.
    assert _where(page, "riverbackforayearandadayandmore") == (13, 36)
    # And here, that of one that begins on the page before.
    assert _where(page, "nobodythedamheldtheriverbackfor") == (2, 25)
