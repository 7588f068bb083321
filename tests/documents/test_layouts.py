"""The same content, in any layout, is read as the same sentences and headings, and as before.

Where a reader is meant to read a layout otherwise, `python tests/documents/test_layouts.py` writes
anew what is expected, if it is within the bar; its difference shows what has changed. Each layout
is tried with three of the works, which differ from layout to layout.
"""

import json
import sys
from difflib import unified_diff
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
import layouts
from layout_markup import markup_layouts
from layout_packed import packed_layouts
from layout_plain import plain_layouts
from layout_works import Layout, Work, own_work
from longsum.documents.readers.detect import parse
from told_readings import told

WORKS = ("patent", "minutes")
EVERY_WORK = (*WORKS, "pleading", "law", "play")
EXPECTED = Path(__file__).parent / "layouts.json"
LAYOUTS = [*markup_layouts(), *plain_layouts(), *packed_layouts()]


@cache
def reading(layout: Layout, work: Work) -> list[str]:
    return told(parse(layout.write(work), f"a{layout.suffix}"))


def readings(layout: Layout) -> dict[str, list[str]]:
    """Return what is read of each work: all from Markdown, differences from other formats."""
    found = {}
    first = LAYOUTS.index(layout)
    for work in (own_work(EVERY_WORK[(first + after) % len(EVERY_WORK)]) for after in range(3)):
        whole = [] if layout is LAYOUTS[0] else reading(LAYOUTS[0], work)
        lines = unified_diff(whole, reading(layout, work), n=0, lineterm="")
        found[work.name] = [line for line in lines if line[:2] not in ("--", "++", "@@")]
    return found


@pytest.mark.parametrize("layout", [pytest.param(each, id=each.name) for each in LAYOUTS])
def test_a_layout_changes_no_sentence(layout: Layout) -> None:
    expected = json.loads(EXPECTED.read_text(encoding="utf-8"))[layout.name]
    assert readings(layout) == expected


def hold_to_the_bar() -> None:
    references = [layouts.reference_of(own_work(name)) for name in WORKS]
    for layout in LAYOUTS:
        total = layouts.Score()
        for reference in references:
            total.add(layouts.score_of(reference, layout, layout.write(reference.work)))
        if total.faults(layout):
            sys.exit("\n".join([layout.name, *total.first]))


if __name__ == "__main__":
    hold_to_the_bar()
    written = {layout.name: readings(layout) for layout in LAYOUTS}
    EXPECTED.write_text(f"{json.dumps(written, ensure_ascii=False, indent=1)}\n", encoding="utf-8")
