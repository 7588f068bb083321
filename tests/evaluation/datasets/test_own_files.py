import gzip
import json

import pytest

from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import OwnData, dataset_info, load, usual_split
from longsum.evaluation.datasets.info import DatasetInfo, hash_split
from longsum.evaluation.datasets.own_files import name_with_fields

TEXT = "Dams hold back the river. The valley has two towns."
RECORDS = [
    {"uid": f"d{number}", "article": TEXT, "highlights": f"Dam {number} holds.", "author": "A."}
    for number in range(30)
]


@pytest.fixture
def lines(tmp_path, write_lines):
    write_lines(tmp_path / "cases.jsonl", RECORDS)
    return str(tmp_path / "cases.jsonl")


def test_fields_are_found_by_their_usual_names(lines):
    examples = list(load(lines, "all"))
    assert [each.id for each in examples] == [record["uid"] for record in RECORDS]
    assert examples[3].references == ("Dam 3 holds.",)
    assert [sentence.text for sentence in examples[0].document.sentences] == [
        *("Dams hold back the river.", "The valley has two towns."),
    ]
    assert examples[0].extra == {"author": "A."}
    assert OwnData.parse(lines).understood == (
        "cases.jsonl: 'article' is the document, 'highlights' is the summary, 'uid' is the id; "
        "not read: 'author'."
    )


USUAL = {
    "document": "document text sections article report source transcript dialogue body content "
    "input context",
    "summary": "summary summaries reference references highlights abstract target output answer "
    "answers",
    "id": "id uid doc_id document_id article_id key",
    "title": "title headline",
    "question": "question query",
    "license": "license licence",
    "split": "split",
}


def test_of_all_usual_names_the_first_counts(tmp_path, write_lines):
    path = tmp_path / "cases.jsonl"
    for meaning, names in USUAL.items():
        left = names.split()
        needed = {"document": TEXT, "summary": "Dams hold."}
        others = {name: value for name, value in needed.items() if name != meaning}
        while left:
            write_lines(path, [others | dict.fromkeys(reversed(left), "Dams hold.")])
            assert OwnData.parse(str(path)).fields() == {
                **{name: name for name in others},
                meaning: left.pop(0),
            }


def test_information_on_own_data(lines, tmp_path):
    assert dataset_info(lines) == DatasetInfo(
        name="cases.jsonl",
        description="Data of the user's own",
        license="not stated",
        ships=False,
        source=str(tmp_path / "cases.jsonl"),
        splits=("all", "train", "validation", "test"),
        variable="",
    )


def test_a_column_without_a_name_means_nothing(tmp_path, write_csv):
    rows = [{"": "7", "text": TEXT, "summary": "Dams hold."}]
    write_csv(tmp_path / "cases.csv", rows)
    (only,) = load(str(tmp_path / "cases.csv"), "all")
    assert (only.document.title, only.question, only.license) == ("", "", "not stated")


def test_a_map_says_what_a_field_means(lines):
    named = name_with_fields(lines, {"summary": "author", "id": "highlights"})
    first = next(load(named, "all"))
    assert (first.references, first.id) == (("A.",), "Dam 0 holds.")
    assert name_with_fields(named, {"title": "uid"}).endswith("&title=uid")
    assert next(load(name_with_fields(named, {"title": "uid"}), "all")).document.title == "d0"


def test_a_file_without_splits_is_split_by_ids_but_can_be_read_whole(lines):
    parts = {
        split: {each.id for each in load(lines, split)} for split in ("train", "validation", "test")
    }
    assert set.union(*parts.values()) == {record["uid"] for record in RECORDS}
    assert sum(map(len, parts.values())) == len(RECORDS)
    assert usual_split(lines) == "all"


def test_splits_are_those_of_names_or_of_a_field(tmp_path, write_lines, write_csv):
    write_lines(tmp_path / "set" / "train.jsonl", RECORDS[:2])
    write_lines(tmp_path / "set" / "cases-dev.jsonl", RECORDS[2:3])
    folder = str(tmp_path / "set")
    assert set(dataset_info(folder).splits) == {"train", "validation"}
    assert usual_split(folder) == "validation"
    assert [each.id for each in load(folder, "dev")] == ["d2"]
    write_csv(
        tmp_path / "cases.csv",
        [{**record, "split": "dev" if place else "train"} for place, record in enumerate(RECORDS)],
    )
    file = str(tmp_path / "cases.csv")
    assert dataset_info(file).splits == ("train", "validation")
    assert [each.id for each in load(file, "train")] == ["d0"]


@pytest.mark.parametrize("form", ["json", "json lines", "tsv", "packed", "parquet", "saved"])
def test_every_form_gives_the_same(form, tmp_path):
    record = {"text": TEXT, "summary": "Dams hold."}
    if form in ("json", "json lines"):
        path = tmp_path / "cases.json"
        path.write_text(json.dumps([record] if form == "json" else record))
    elif form == "tsv":
        path = tmp_path / "cases.tsv"
        path.write_text(f"text\tsummary\n{TEXT}\tDams hold.\n")
    elif form == "packed":
        path = tmp_path / "cases.jsonl.gz"
        path.write_bytes(gzip.compress(json.dumps(record).encode()))
    else:
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow import ipc, parquet

        table = pyarrow.Table.from_pylist([record])
        path = tmp_path / ("cases.parquet" if form == "parquet" else "saved")
        if form == "parquet":
            parquet.write_table(table, path)
        else:
            # As `save_to_disk` writes a set with splits.
            (path / "validation").mkdir(parents=True)
            (path / "dataset_dict.json").write_text('{"splits": ["validation"]}')
            for name in ("state.json", "dataset_info.json"):
                (path / "validation" / name).write_text("{}")
            with ipc.new_stream(
                str(path / "validation" / "data-00000-of-00001.arrow"), table.schema
            ) as stream:
                stream.write_table(table)
    (example,) = load(str(path), usual_split(str(path)))
    assert (example.id, example.references) == ("1", ("Dams hold.",))
    assert example.document.text.split() == TEXT.split()


def test_documents_of_paragraphs_and_sections_and_several_summaries(tmp_path, write_lines):
    section = {"level": 1, "title": "Dams", "paragraphs": ["Dams hold."]}
    write_lines(
        tmp_path / "cases.jsonl",
        [
            {"document": [section], "summaries": ["One.", "Two."], "question": "What of dams?"},
            {"document": ["First of all.", "Then."], "summaries": ["One."], "question": ""},
        ],
    )
    first, second = load(str(tmp_path / "cases.jsonl"), "all")
    assert [part.title for part in first.document.walk()] == ["Dams"]
    assert (first.references, first.question) == (("One.", "Two."), "What of dams?")
    assert len(second.document.sentences) == 2
    assert second.question == ""


@pytest.mark.parametrize(
    ("records", "name", "says"),
    [
        ([{"a": "x", "b": "y"}], "{}", "--map document=FIELD"),
        ([{"text": "x", "b": "y"}], "{}", "which field of .* is the summary|summary is not clear"),
        (RECORDS[:1], "{}?summary=highlight", "no field 'highlight'.*Did you mean 'highlights'"),
        (RECORDS[:1], "{}?gist=highlights", "cannot be mapped to 'gist'"),
        ([{"text": 3, "summary": "x"}], "{}", "Record 1 of cases.jsonl cannot be read"),
        ([RECORDS[0], {"uid": 1}], "{}", "Record 2 of cases.jsonl cannot be read"),
        ([], "{}", "it has no fields"),
    ],
)
def test_ambiguous_records_are_refused(records, name, says, tmp_path, write_lines):
    path = tmp_path / "cases.jsonl"
    write_lines(path, records)
    with pytest.raises(LongsumError, match=says):
        list(load(name.format(path), "all"))


def test_missing_files_and_records_are_refused(tmp_path):
    with pytest.raises(LongsumError, match="There is no file"):
        dataset_info(str(tmp_path / "none.jsonl"))
    with pytest.raises(LongsumError, match="holds no records"):
        dataset_info(str(tmp_path))
    (tmp_path / "notes.md").write_text("x")
    with pytest.raises(LongsumError, match="holds no records"):
        dataset_info(str(tmp_path / "notes.md"))
    assert OwnData.parse("squality") is None


def test_a_changed_file_is_read_again(tmp_path, write_lines):
    path = tmp_path / "cases.jsonl"
    write_lines(path, RECORDS[:1])
    before, stamp = dataset_info(str(path)).splits, OwnData.parse(str(path)).stamp
    write_lines(path, [{**record, "split": "test"} for record in RECORDS])
    assert OwnData.parse(str(path)).stamp != stamp
    assert dataset_info(str(path)).splits != before


def test_an_empty_split_is_reported(tmp_path):
    path = tmp_path / "few.jsonl"
    path.write_text(json.dumps({"id": "a", "document": "Rain fell.", "summary": "Rain."}))
    empty = next(each for each in ("train", "validation", "test") if each != hash_split("a"))
    with pytest.raises(LongsumError, match="give more documents, or say which field names"):
        list(load(str(path), empty))
