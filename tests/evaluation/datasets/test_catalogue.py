import json
from dataclasses import asdict

import pytest

from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import datasets, load
from longsum.evaluation.datasets.catalogue import check_folders


def test_names_are_unique_and_entries_are_complete() -> None:
    infos = datasets()
    assert len({info.name for info in infos}) == len(infos)
    for info in infos:
        assert all((info.description, info.license, info.source)), info.name
        assert "\n" not in info.description
        assert info.ships in (True, False, "per record")
        # What is under share-alike or non-commercial terms does not ship.
        stated = info.license.lower()
        barred = any(word in stated for word in ("-nc", "-sa", "-nd", "none stated", "non-c"))
        assert not (barred and info.ships is True), info.name
        assert bool(info.splits) == (info.kind == "text"), info.name
        # A release of its own is found by the name of the set, or of what its parts share.
        if not info.variable:
            # It ships.
            assert next(load(info.name, info.splits[0])).references
            continue
        own = info.variable.removeprefix("LONGSUM_DATA").removeprefix("_").lower()
        assert info.name.startswith(own), info.name
        assert info.variable.startswith("LONGSUM_DATA")


def test_the_catalogue_is_the_same_as_before(as_before, tmp_path) -> None:
    lines = []
    for info in datasets():
        if not info.variable:
            continue
        lines.append(json.dumps(asdict(info), ensure_ascii=False))
        for split in info.splits:
            with pytest.raises(LongsumError) as missing:
                next(load(info.name, split, root=tmp_path))
            lines.append(str(missing.value).replace(str(tmp_path), "FOLDER"))
    as_before("data-sets", "\n".join(lines))


def test_examples_that_may_not_ship_are_left_out(tmp_path, write_lines) -> None:
    records = [
        {"id": license, "sections": [{"level": 1, "title": "", "paragraphs": ["One."]}]}
        | {"summary": "s", "license": license}
        for license in ("cc-by-nc-4.0", "cc-by-4.0")
    ]
    for count, name in ((2, "val"), (1, "test")):
        write_lines(tmp_path / "pmc_jats" / f"{name}.jsonl.xz", records[:count])
    found = load("pmc_jats", "val", root=tmp_path, shippable=True, limit=1)
    assert [example.id for example in found] == ["cc-by-4.0"]
    with pytest.raises(LongsumError, match=r"licences of 'pmc_jats' do not allow .* 'test'"):
        next(load("pmc_jats", "test", root=tmp_path, shippable=True))


@pytest.mark.parametrize(
    ("name", "split", "says"),
    [
        ("qmsun", "train", "no data set 'qmsun'; .* Did you mean 'qmsum'"),
        ("dialogsum", "train", "'dialogsum' has no split 'train'.*validation, test"),
        ("rotowire_extra", "test", "contains tables, not documents"),
        ("long_summaries_human", "test", "contains ratings, not documents"),
    ],
)
def test_an_unknown_data_set_or_split_is_refused(name: str, split: str, says: str) -> None:
    with pytest.raises(LongsumError, match=says):
        load(name, split)


@pytest.mark.parametrize(
    ("name", "variable"), [("qmsum", "LONGSUM_DATA"), ("govreport", "LONGSUM_DATA_GOVREPORT")]
)
def test_missing_data_name_the_variable(monkeypatch, tmp_path, name, variable) -> None:
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(LongsumError, match=f"set {variable} to the folder"):
        load(name, "test")
    with pytest.raises(LongsumError, match=f"is not a folder: set {variable}"):
        load(name, "test", root=tmp_path / "none")


def test_the_variable_names_the_folder(monkeypatch, tmp_path, write_lines) -> None:
    write_lines(tmp_path / "test.jsonl", [{"id": "1", "document": "One.", "summary": "s"}])
    monkeypatch.setenv("LONGSUM_DATA_GOVREPORT", str(tmp_path))
    assert [example.id for example in load("govreport", "test")] == ["1"]


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({"id": "1", "body": "One."}, "A record of 'govreport' does not have the form"),
        # SCROLLS publishes its test inputs without outputs.
        ({"id": "1", "input": "One.", "output": None}, "has no document with a summary"),
    ],
)
def test_a_record_without_an_example_gives_a_plain_error(
    tmp_path, write_lines, record, says
) -> None:
    write_lines(tmp_path / "test.jsonl", [record])
    with pytest.raises(LongsumError, match=says):
        list(load("govreport", "test", root=tmp_path))


def test_limit_counts_examples(tmp_path, write_lines) -> None:
    rows = [{"id": str(number), "document": "One.", "summary": "s"} for number in range(5)]
    write_lines(tmp_path / "train.jsonl", [rows[0] | {"summary": ""}, *rows[1:]])
    found = [example.id for example in load("govreport", "train", root=tmp_path, limit=2)]
    assert found == ["1", "2"]
    with pytest.raises(LongsumError, match="limit is 0"):
        load("govreport", "train", root=tmp_path, limit=0)
    # Reading stops there.
    (tmp_path / "train.jsonl").write_text(f"{json.dumps(rows[1])}\n{{broken")
    assert len(list(load("govreport", "train", root=tmp_path, limit=1))) == 1


def test_unset_folders_are_reported_before_anything_is_read(monkeypatch, tmp_path):
    monkeypatch.delenv("LONGSUM_DATA", raising=False)
    check_folders("planted+no-set-of-ours+cases.csv")
    with pytest.raises(LongsumError, match="'pmc_jats' is not set"):
        check_folders("planted+pmc_jats")
    monkeypatch.setenv("LONGSUM_DATA", str(tmp_path))
    check_folders("planted+pmc_jats")
