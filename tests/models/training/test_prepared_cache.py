"""Prepared data in a folder that others may write to."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from longsum.models.tasks.prepared import Columns
from longsum.models.training.documents import PreparedCache
from longsum.models.training.run_settings import DataConfig


@dataclass(frozen=True)
class _Numbers(Columns):
    numbers: Any


def test_what_others_link_is_not_overwritten(tmp_path: Path) -> None:
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
