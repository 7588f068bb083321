import copy
import json

import jsonschema
import pytest

from longsum import read_bytes, summarize
from longsum.core.summaries.result_file import dump_json, summary_to_json
from longsum.documents.document_json import document_to_json
from longsum.documents.dossier import joined
from schemas import schema


def test_documents_follow_the_published_schema(small):
    schema("document-1").validate(json.loads(dump_json(document_to_json(small))))


def test_places_in_a_dossier_are_also_given_within_its_documents() -> None:
    given = (b"# Dam\n\nThe dam is old.", "a.md"), (b"It rains. Boats came.", "b.txt")
    read = [read_bytes(*each) for each in given]
    result = summary_to_json(summarize(joined(read), "9s", "lead"))
    names = "name", "file", "format", "section", "start", "first_sentence", "sentences", "sha256"
    rows = ("Dam", "a.md", "markdown", 0, 5, 0, 1), ("b.txt", "b.txt", "text", 1, 34, 1, 2)
    assert result["document"]["documents"] == [
        dict(zip(names, (*row, each.sha256), strict=True))
        for row, each in zip(rows, read, strict=True)
    ]
    origin = {"document": 1, "name": "b.txt", "sentence": 1, "start": 10, "end": 21}
    assert result["summary"]["sentences"][2]["sources"][0]["origin"] == origin
    counts = {"sentences_total": 2, "summary_sentences": 2, "summary_words": 4}
    told = result["coverage"]["documents"][1]
    assert told == {"name": "b.txt", "sentences_read": None, **counts}


def test_the_schema_refuses_what_is_wrong(small):
    right = summary_to_json(summarize(small, "40w"))
    for path, wrong in [
        (("schema",), "longsum/summary/2"),
        (("budget", "unit"), "pages"),
        (("summary", "sentences", 0, "sources", 0, "start"), -1),
        (("finish_reason",), "tired"),
    ]:
        broken = copy.deepcopy(right)
        place = broken
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = wrong
        with pytest.raises(jsonschema.ValidationError):
            schema("summary-1").validate(broken)


def test_reached_is_in_the_requested_unit(small):
    for length, unit, reached in (("3s", "sentences", 3), ("40w", "words", None)):
        result = summary_to_json(summarize(small, length))
        expected = result["summary"]["words"] if reached is None else reached
        assert result["budget"] == {"asked": float(length[:-1]), "unit": unit, "reached": expected}
    share = summary_to_json(summarize(small, "50%"))
    # 101 words in all.
    assert share["budget"]["reached"] == pytest.approx(
        100 * share["summary"]["words"] / 101, abs=1e-4
    )
