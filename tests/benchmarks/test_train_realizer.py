"""What the script trains that makes realizers at scale."""

import sys
from argparse import Namespace
from pathlib import Path

import pytest

from longsum.core.recipes import load_recipe
from longsum.models.training.documents import parts_of
from longsum.models.training.run_seq2seq import SEQ2SEQ

sys.path.insert(0, str(Path(__file__).parents[2] / "gpu"))
import train_realizer


def options(folder: Path, **more: object) -> Namespace:
    given = {
        "output": folder,
        "recipe": "table-realizer-small",
        "generated": 50,
        "rotowire": False,
        "steps": 9,
        "settings": ["training.batch=3"],
    }
    return Namespace(**{**given, **more})


@pytest.mark.parametrize("recipe", ["table-realizer-small", "table-realizer"])
def test_the_held_out_games_are_measured_and_not_learned(tmp_path: Path, recipe: str) -> None:
    path = train_realizer.write_recipe(options(tmp_path, recipe=recipe))
    settings = SEQ2SEQ.settings_of(load_recipe(path), {})
    assert (settings.training.steps, settings.training.batch) == (9, 3)
    assert settings.task.kind == "realization"
    learned, measured = (
        {(part.name, part.split) for part in parts_of(settings.data, split)}
        for split in ("train", "validation")
    )
    assert measured == {("rotowire_games", "fold5")}
    assert len(learned) == 5
    assert not learned & measured


def test_rotowire_is_learned_from_where_asked(tmp_path: Path) -> None:
    settings = train_realizer.settings_of(options(tmp_path, rotowire=True))
    assert settings["data"]["names"].endswith("+rotowire")
