"""The documents that a run is trained on, from a data set with alternating licences."""

import json
import lzma
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import load
from longsum.models.tasks.prepared import Columns, PreparedSplit
from longsum.models.training.documents import (
    DataPart,
    PreparedCache,
    Tally,
    UsedData,
    load_part,
    load_used,
    parts_of,
)
from longsum.models.training.prepare_tokens import tokenized_split
from longsum.models.training.run_settings import DataConfig, ReaderSettings

FREE, CLOSED = "https://creativecommons.org/licenses/by/4.0/", "cc-by-nc-4.0"


@pytest.fixture
def pmc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Write a small pmc_jats with these licences, in their order."""
    monkeypatch.setenv("LONGSUM_DATA", str(tmp_path / "data"))

    def write(*licenses: str, split: str = "train", name: str = "pmc_jats") -> None:
        folder = tmp_path / "data" / name
        folder.mkdir(parents=True, exist_ok=True)
        records = [
            {
                "id": f"{split}-{number}",
                "text": f"Article {number} tells of rivers.\n\nThe river {number} has two banks.",
                "summary": f"Rivers have banks, says article {number}.",
                "license": license,
            }
            for number, license in enumerate(licenses)
        ]
        text = "".join(f"{json.dumps(record)}\n" for record in records)
        (folder / f"{split}.jsonl.xz").write_bytes(lzma.compress(text.encode()))

    return write


def numbers(part: DataPart) -> list[int]:
    return [int(example.id.rpartition("-")[2]) for example in load_part(part)]


def test_the_limit_counts_documents_that_may_ship(pmc: Callable[..., None]) -> None:
    pmc(CLOSED, FREE, CLOSED, FREE, FREE, CLOSED)
    assert numbers(DataPart("pmc_jats", "train", 2, shippable=True)) == [1, 3]
    assert numbers(DataPart("pmc_jats", "train", 9, shippable=True)) == [1, 3, 4]
    assert numbers(DataPart("pmc_jats", "train", None, shippable=True)) == [1, 3, 4]
    assert numbers(DataPart("pmc_jats", "train", 2)) == [0, 1]


def test_a_set_of_which_nothing_may_ship_is_refused(pmc: Callable[..., None]) -> None:
    pmc(CLOSED, CLOSED)
    with pytest.raises(LongsumError, match=r"licences of 'pmc_jats'.*data\.shippable=false"):
        numbers(DataPart("pmc_jats", "train", 1, shippable=True))
    with pytest.raises(LongsumError, match="limit is 0"):
        load("pmc_jats", "train", limit=0, shippable=True)


def test_only_training_documents_must_be_shippable() -> None:
    data = DataConfig("pmc_jats+qmsum", shippable=True, limit=3, validation_limit=2)
    assert parts_of(data, "train") == [
        DataPart("pmc_jats", "train", 3, shippable=True),
        DataPart("qmsum", "train", 3, shippable=True),
    ]
    assert parts_of(data, "validation") == [DataPart("pmc_jats", "validation", 2)]
    # A split of a set's own is learned from.
    data = DataConfig("pmc_jats+gov_reports_examples/examples", limit=3)
    part = parts_of(data, "train")[1]
    assert (part.name, part.split, part.limit) == ("gov_reports_examples", "examples", 3)
    assert [each.split for each in Tally([part]).used()] == ["train"]


def test_training_examples_are_counted_by_document_and_licence(pmc: Callable[..., None]) -> None:
    pmc(FREE, CLOSED, FREE, FREE)
    pmc("MIT", name="scitldr_a")
    tally = Tally([DataPart("pmc_jats", "train"), DataPart("scitldr_a", "train", 1)])
    # The first document gives none, the others as many as their number.
    made = (place for example in tally.documents() for place in range(int(example.id[6:])))
    assert len(list(tally.counted(made))) == 1 + 2 + 3
    first, second = tally.used()
    assert first == UsedData("pmc_jats", "train", 3, 6, 2, {FREE: 2, CLOSED: 1})
    assert (second.name, second.documents, second.lessons) == ("scitldr_a", 0, 0)


def prepared(
    folder: Path, tokenizer: Any, **data: Any
) -> tuple[PreparedSplit, dict[str, list[UsedData]]]:
    """Return the training split and the record of its documents."""
    settings = ReaderSettings(checkpoint=str(tokenizer), data=DataConfig("pmc_jats", **data))
    cache = PreparedCache(settings.data, folder / "prepared")
    return tokenized_split(settings, tokenizer, "train", cache), cache.used


def test_the_record_is_kept_beside_the_split(pmc, tokenizer, tmp_path) -> None:
    pmc(CLOSED, FREE, FREE)
    split, used = prepared(tmp_path, tokenizer, shippable=True, limit=1)
    assert len(split) == 1
    expected = [UsedData("pmc_jats", "train", 1, 1, 1, {FREE: 1})]
    assert used == {"train": expected}
    # A later run finds both, though the data are gone and the tokenizer has cut other texts since.
    pmc()
    tokenizer("Rivers have banks.", truncation=True, max_length=2)
    split, used = prepared(tmp_path, tokenizer, shippable=True, limit=1)
    assert len(split) == 1
    assert used == {"train": expected}
    # What has no record is not taken, for nobody knows what is in it.
    (record,) = (tmp_path / "prepared").glob("train-*.json")
    record.unlink()
    with pytest.raises(LongsumError, match="no document with a summary"):
        prepared(tmp_path, tokenizer, shippable=True, limit=1)


def test_a_split_that_may_ship_is_another(pmc, tokenizer, tmp_path) -> None:
    pmc(CLOSED, FREE, FREE)
    all_of_it, all_used = prepared(tmp_path, tokenizer)
    free, free_used = prepared(tmp_path, tokenizer, shippable=True)
    assert (len(all_of_it), len(free)) == (3, 2)
    assert [each.shippable for each in (*all_used["train"], *free_used["train"])] == [2, 2]


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "train-0.json"
    path.write_text('[{"name": "pmc_jats"}]')
    with pytest.raises(LongsumError, match=r"train-0\.json is not a record"):
        load_used(path)


@dataclass(frozen=True)
class _Numbers(Columns):
    numbers: Any


def test_planted_links_are_not_overwritten(tmp_path: Path) -> None:
    cache = PreparedCache(DataConfig("squality"), tmp_path / "shared")
    asked = (_Numbers, "train", "all", lambda _: _Numbers(np.arange(3)))
    cache.split(*asked)
    (tmp_path / "mine").write_text("mine")
    for planted in list((tmp_path / "shared").iterdir()):
        planted.unlink()
        if planted.suffix == ".json":
            planted.symlink_to(tmp_path / "mine")
    assert cache.split(*asked).numbers.tolist() == [0, 1, 2]
    assert (tmp_path / "mine").read_text() == "mine"


def test_files_of_ones_own_are_parts_with_their_fields_and_splits(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text('{"text": "Dams hold.", "gist": "Dams."}\n', encoding="utf-8")
    named = f"{path}?summary=gist"
    (train,) = parts_of(DataConfig(names=named, limit=3), "train")
    assert (train.name, train.split, train.limit) == (named, "train", 3)
    (measured,) = parts_of(DataConfig(names=named, validation=f"{named}/all"), "validation")
    assert (measured.name, measured.split, measured.role) == (named, "all", "validation")
    assert [example.references for example in load_part(measured)] == [("Dams.",)]
    (known,) = parts_of(DataConfig(names="pmc_jats/test"), "train")
    assert (known.name, known.split) == ("pmc_jats", "test")
