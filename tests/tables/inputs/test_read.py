"""Files are read whether compressed or not, and unreadable ones are refused with the reason."""

import gzip
import json
import lzma

import pytest

from invented_games import GAMES
from longsum.common.errors import LongsumError
from longsum.documents.readers.limits import ReadLimits
from longsum.tables.games.rotowire import game_table
from longsum.tables.inputs.read import read_all_games, read_schema, read_table, read_text
from longsum.tables.inputs.table_schema import parse_schema

LIMITS = ReadLimits()
SCHEMA = "{entity: é, columns: {n: }}"
ROWS = "é;n\nA;1\n"


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_compressed_files_are_read_by_their_content(pack, tmp_path):
    path = tmp_path / "packed"
    path.write_bytes(pack(json.dumps(GAMES[:2]).encode()))
    assert read_text(path, LIMITS) == (json.dumps(GAMES[:2]), "packed")
    assert read_all_games(path, None, LIMITS) == ([*GAMES[:2]], [])
    assert read_all_games(path, "2", LIMITS) == ([GAMES[1]], [])
    assert read_table(path, game="2") == (game_table(GAMES[1]), [])
    path.write_bytes(pack(SCHEMA.encode()))
    assert read_schema(path, LIMITS) == parse_schema(SCHEMA)


def test_every_reader_reports_how_a_text_was_decoded(tmp_path):
    path = tmp_path / "file"
    records = json.dumps([{"entity": "é", "type": "n", "value": 1}], ensure_ascii=False)
    game = json.dumps(GAMES[0] | {"note": "é"}, ensure_ascii=False)
    for text, schema in ((ROWS, None), (ROWS, parse_schema(SCHEMA)), (records, None), (game, None)):
        path.write_bytes(text.encode("cp1252"))
        assert "not UTF-8" in read_table(path, schema=schema)[1][0]
    assert "not UTF-8" in read_all_games(path, None, LIMITS)[1][0]


@pytest.mark.parametrize(
    ("data", "how", "problem"),
    [
        (b" \n", {}, "file is empty"),
        (gzip.compress(b"", mtime=0), {}, "file is empty"),
        (gzip.compress(b"n;x\n1;2\n", mtime=0)[:-4], {}, "file is damaged"),
        (lzma.compress(b"n;x\n1;2\n")[:-4], {}, "file is damaged"),
        (b"n;x\n1;2\n", {"limits": ReadLimits(characters=7)}, "7 characters"),
        (gzip.compress(b"n;x\n1;2\n", mtime=0), {"limits": ReadLimits(unpacked=7)}, "7 bytes"),
        (b"n;x\n1;2\n", {"game": "1"}, "file is not a file of games; leave out --game"),
        (b"n;x\n1;2\n", {"game": "1", "schema": parse_schema(SCHEMA)}, "no games; leave out"),
        (b"[{}", {}, "file is not valid JSON"),
    ],
)
def test_unreadable_tables_are_refused(data, how, problem, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(LongsumError, match=problem):
        read_table(path, **how)


@pytest.mark.parametrize("limits", [ReadLimits(characters=8), ReadLimits(unpacked=8)])
def test_a_limit_may_be_reached(limits, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(b"n;x\n1;2\n"))
    table, _ = read_table(path, limits=limits)
    assert [each.name for each in table.rows] == ["row 1"]
