"""Info files: nodes, menus, indexes, cross-references."""

import pytest

from linear_time import assert_linear
from longsum.documents import Source
from longsum.documents.readers.plain.info_files import as_info
from longsum.documents.readers.plain.text import read_text

_INFO = """\
This is rivers.info, produced by makeinfo version 6.8 from rivers.texi.

INFO-DIR-SECTION Nature
START-INFO-DIR-ENTRY
* Rivers: (rivers).            All about rivers.
END-INFO-DIR-ENTRY

\x1f
File: rivers.info,  Node: Top,  Next: Floods,  Prev: (dir),  Up: (dir)

Rivers
******

Rivers carry water to the sea, and many of them flood.

* Menu:

* Floods::              When rivers rise.
* Index::

\x1f
File: rivers.info,  Node: Floods,  Next: Index,  Prev: Top,  Up: Top

1 Floods
********

A river floods when more water comes than its bed can hold, see *note
Dams::.  *Note Bridges: (engineering)Bridges, for what they do to bridges.

1.1 Dams
========

'dam' is the word for a wall across a river (*note Walls::).

\x1f
File: rivers.info,  Node: Index,  Prev: Floods,  Up: Top

Index
*****

\x00\x08[index\x00\x08]
* Menu:

* dam:                                   Floods.              (line 10)
\x1f
Tag Table:
Node: Top\x7f203
\x1f
End Tag Table
"""


def test_nodes_are_text_and_menus_are_left_out():
    document = read_text(_INFO, Source("rivers.info", "text"))
    assert [(s.level, s.title) for s in document.walk()] == [
        (1, "Rivers"),
        (1, "1 Floods"),
        (2, "1.1 Dams"),
    ]
    assert [sentence.text for sentence in document.sentences] == [
        "Rivers carry water to the sea, and many of them flood.",
        "A river floods when more water comes than its bed can hold, see Dams.",
        "See Bridges, for what they do to bridges.",
        "'dam' is the word for a wall across a river (see Walls).",
    ]
    kinds = [part.kind for part in document.omitted]
    assert kinds == ["notice", "menu", "index line"]
    assert "When rivers rise." in document.omitted[1].text
    assert document.sentences[-1].kind == "prose"


def test_other_texts_are_none():
    assert as_info("A text.\x1fFile: none") is None
    assert as_info("File: a.info,  Node: Top\n\nText.") is None


@pytest.mark.parametrize(
    "unit", ["x", " ", "*note ", "*note a:" + " " * 90, "see *note a: (b)c ", "-\n"]
)
def test_in_linear_time(unit: str) -> None:
    node = "\x1f\nFile: a.info,  Node: Top,  Up: (dir)\n\n"
    assert_linear(lambda size: as_info(node + unit * size), 10_000)
