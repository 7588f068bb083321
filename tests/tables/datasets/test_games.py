"""Games as data sets."""

import json
import lzma

import pytest

from invented_games import GAMES
from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import dataset_info, load
from longsum.models.training.documents import DataPart, load_part
from longsum.tables.datasets.games import FOLDS, example_of


def test_generated_games_are_read_from_a_folder_of_their_own(monkeypatch):
    first, second = load("generated_games", "train", limit=2)
    assert first.extra["game"]["generated"]
    assert first.references != second.references
    (measured,) = load("generated_games", "validation", limit=1)
    assert measured.document.text != first.document.text
    with pytest.raises(LongsumError, match="no split 'test'"):
        load("generated_games", "test")
    monkeypatch.delenv("LONGSUM_DATA_GENERATED_GAMES")
    with pytest.raises(LongsumError, match="set LONGSUM_DATA_GENERATED_GAMES to the folder"):
        load("generated_games", "train")


def test_a_game_is_the_strings_of_its_records():
    example = example_of(dataset_info("rotowire"), GAMES[0], "g", "train")
    texts = [sentence.text for sentence in example.document.sentences]
    points = GAMES[0]["home_line"]["TEAM-PTS"]
    home = f"{GAMES[0]['home_line']['TEAM-CITY']} {GAMES[0]['home_line']['TEAM-NAME']}"
    assert any(text.startswith(f"team points scored of {home} is {points} which") for text in texts)
    assert len(texts) <= 512


def test_the_full_download_is_read_by_split(tmp_path):
    folder = tmp_path / "rotowire"
    folder.mkdir()
    for name, some in (("train", GAMES[:3]), ("valid", GAMES[3:5])):
        (folder / f"{name}.json").write_text(json.dumps(some))
    found = {split: list(load("rotowire", split, root=tmp_path)) for split in ("train", "val")}
    assert [len(each) for each in found.values()] == [3, 2]
    assert found["val"][0].extra["game"]["day"] == GAMES[3]["day"]
    with pytest.raises(LongsumError, match=r"test\.json"):
        list(load("rotowire", "test", root=tmp_path))


def test_the_folds_have_each_shared_game_once(tmp_path):
    folder = tmp_path / "rotowire_shared_task"
    folder.mkdir()
    with lzma.open(folder / "train.jsonl.xz", "wt", encoding="utf-8") as lines:
        for number, game in enumerate(GAMES):
            lines.write(json.dumps({**game, "id": f"S{number:03}"}) + "\n")
    ids = [each.id for fold in FOLDS for each in load("rotowire_games", fold, root=tmp_path)]
    assert sorted(ids) == [f"S{number:03}" for number in range(len(GAMES))]


def test_a_fold_is_learned_from_like_a_split_of_its_own(monkeypatch):
    monkeypatch.delenv("LONGSUM_DATA", raising=False)
    with pytest.raises(LongsumError, match="LONGSUM_DATA"):
        list(load_part(DataPart("rotowire_games", "fold1")))
