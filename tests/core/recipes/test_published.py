"""Published scores are as their sources print them, and say which ROUGE-L they are."""

import pytest

from longsum.cli import main
from longsum.common.errors import LongsumError
from longsum.core.recipes import recipe_names
from longsum.core.recipes.published import PublishedRow, all_published, published
from longsum.core.recipes.recipe import check, parse_recipe
from longsum.evaluation.datasets import datasets


def test_no_row_is_repeated_or_has_a_recipe() -> None:
    rows = [(row.system, row.data, row.source) for row in published()]
    assert len(rows) == len(set(rows)) > 20
    assert not {row.system for row in published()} & set(recipe_names())


def test_every_row_is_of_a_data_set_and_in_percent() -> None:
    known = {info.name for info in datasets()}
    for row in all_published():
        assert row.data in known
        assert row.source
        assert "rouge1" in row.scores
        assert 1 < row.scores.get("rouge2", 2) < row.scores["rouge1"]
        # On whole texts it is far below ROUGE-1, on sentences it is not.
        assert row.scores.get("rougeL", 0) < 0.7 * row.scores["rouge1"]
        assert row.scores.get("rougeLsum", 99) > 0.8 * row.scores["rouge1"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"scores": {"rougel": 20}}, "rougel"),
        ({"scores": {"rouge1": 120}}, "less than or equal to 100"),
        ({"scores": {"rouge1": -1}}, "greater than or equal to 0"),
        ({"table": "2"}, "no field 'table'"),
    ],
)
def test_a_wrong_row_is_refused(change: dict[str, object], says: str) -> None:
    row = {"system": "s", "data": "arxiv", "scores": {"rouge1": 40}, "source": "p"}
    assert check(PublishedRow, row, "The row").system == "s"
    with pytest.raises(LongsumError, match=says):
        check(PublishedRow, row | change, "The row")
    # Those of recipes are checked in the same way.
    text = "name: x\ntitle: t\npaper: p\nkind: lead\npublished:\n"
    with pytest.raises(LongsumError, match="published"):
        parse_recipe(f"{text}- {{table: '2', data: arxiv, scores: {{bleu: 3}}}}\n", "x")


def test_the_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["longsum", "systems", "--published"])
    with pytest.raises(SystemExit):
        main()
    heads = ["system", "rouge1", "rouge2", "rougeLsum", "rougeL", "source"]
    # A set's name, the table of its scores, the next set's name, and so on.
    parts = capsys.readouterr().out.split("\n\n")
    names, tables = parts[::2], parts[1::2]
    assert names == sorted({row.data for row in all_published()})
    found = dict(zip(names, (table.splitlines() for table in tables), strict=True))
    assert all(lines[0].split() == heads for lines in found.values())
    # Further lines of a source are below its first.
    rows = [line for lines in found.values() for line in lines[1:] if not line.startswith(" ")]
    assert len(rows) == len(list(all_published()))
    (row,) = (row for row in found["pubmed"] if row.startswith("hepos-lsh "))
    assert row.split()[1:5] == ["48.12", "21.06", "42.72", "-"]
