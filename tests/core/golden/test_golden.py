"""Five systems give ten documents the same summaries as before, in every JSON field."""

import importlib.util
import json
import math
from itertools import islice
from pathlib import Path

import pytest

_HERE = Path(__file__).parent
_SPEC = importlib.util.spec_from_file_location("make_golden", _HERE / "make.py")
make = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(make)

# Importance on the boundary of two marks may get either, depending on the processor.
_ONE_MARK = str.maketrans(dict.fromkeys("·▁▂▄▆█", "█"))


def differences(expected, found, place: str = "") -> list[str]:
    """List the differences; numbers may differ as much as they do between processors."""
    if isinstance(expected, dict) and isinstance(found, dict):
        told = [f"{place}.{name}" for name in expected.keys() ^ found.keys()]
        for name in expected.keys() & found.keys():
            told += differences(expected[name], found[name], f"{place}.{name}")
        return told
    if isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            return [f"{place}: {len(expected)} and {len(found)}"]
        pairs = enumerate(zip(expected, found, strict=True))
        return [told for at, pair in pairs for told in differences(*pair, f"{place}[{at}]")]
    if isinstance(expected, float) and isinstance(found, float):
        close = math.isclose(expected, found, rel_tol=1e-3, abs_tol=1e-4)
        return [] if close else [f"{place}: {expected} and {found}"]
    if isinstance(expected, str) and isinstance(found, str):
        expected, found = (text.translate(_ONE_MARK) for text in (expected, found))
    return [] if expected == found else [f"{place}: {expected!r} and {found!r}"]


# These take longest; the last two are based on `stepwise`, which always runs on three documents.
SLOW = ("stepwise", "mls-stepwise", "books")


@pytest.mark.parametrize(
    ("name", "documents"),
    [
        ("stepwise", 3),
        *(
            pytest.param(name, 10, marks=[pytest.mark.slow] * (name in SLOW))
            for name in make.SYSTEMS
        ),
    ],
)
def test_summaries_are_the_same_as_before(name: str, documents: int) -> None:
    text = (_HERE / "summaries" / f"{name}.json").read_text(encoding="utf-8")
    expected = json.loads(text)
    found = {
        path.stem: made
        for path, (_, made) in zip(
            make.DOCUMENTS[:documents], islice(make.summaries(name), documents), strict=True
        )
    }
    assert len(found) == documents
    assert len(expected) == 10
    assert not differences({stem: expected[stem] for stem in found}, found)
