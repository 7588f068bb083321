"""Ratings of long summaries: read, joined with documents that a user has, and correlated."""

import json
import lzma
from argparse import Namespace
from pathlib import Path

import pytest

import long_summaries
from longsum.common.errors import LongsumError

TEXT = (
    "The port closed in May after a storm. It had cost the city 45 million dollars. "
    "The mayor, Ann Lee, called it a loss. Ships now go to Bristol."
)
# Invented summaries, the worse the more of them is not in the text.
SUMMARIES = (
    "The port closed in May after a storm. It had cost the city 45 million dollars.",
    "The port closed in May. It had cost the city 90 million dollars.",
    "The port of Hull closed in June. Bob Ray said that it cost 90 euros.",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ratings = []
    errors = []
    for document in ("ID_one", "ID_two"):
        for place, text in enumerate(SUMMARIES):
            score = 1.0 - 0.4 * place
            own = {"summary": text, "relevance_score": 0.5, "factual_score": score}
            rated = {"relevance": 0.5, "factual_consistency": score}
            ratings.append({"dataset_id": document, "model_summary": text, **rated})
            errors.append(dict.fromkeys(("a1", "a2", "a3"), own))
    write(tmp_path, ratings=ratings, errors=errors)
    return tmp_path


def write(folder: Path, **files: list[dict]) -> None:
    for name, rows in files.items():
        with lzma.open(folder / f"{name}.json.xz", "wt", encoding="utf-8") as file:
            json.dump(rows, file)


def sources(folder: Path, *names: str) -> Path:
    made = folder / "sources"
    made.mkdir()
    for name in names:
        made.joinpath(name).write_text(TEXT, encoding="utf-8")
    return made


def test_every_summary_has_its_ratings(folder: Path) -> None:
    rated = long_summaries.rated_summaries(folder)
    assert [each.document for each in rated] == ["ID_one"] * 3 + ["ID_two"] * 3
    assert rated[1].ratings == {"relevance": 0.5, "factual_consistency": 0.6}
    assert rated[1].own["factual_consistency"] == [0.6, 0.6, 0.6]
    write(folder, errors=[])
    with pytest.raises(LongsumError, match="not of the same summaries"):
        long_summaries.rated_summaries(folder)


def test_errors_correlate_with_the_ratings(folder, capsys) -> None:
    there = sources(folder, "ID_one.txt", "ID_two.md")
    files = long_summaries.source_files(there, ["ID_one", "ID_two", "ID_three"])
    assert {id: file.name for id, file in files.items()} == {
        "ID_one": "ID_one.txt",
        "ID_two": "ID_two.md",
    }
    rated = long_summaries.rated_summaries(folder)
    scores = long_summaries.with_sources(rated, files, None, None)
    # Without references nothing is compared with one.
    assert "rouge2" not in scores
    assert scores["coverage"][0] == 1
    assert scores["no doubt at all"][0] > scores["no doubt at all"][2]
    long_summaries.show_metrics(rated, {"coverage": scores["coverage"]})
    shown = capsys.readouterr().out
    assert "factual_consistency, 6 summaries of 2 documents" in shown
    assert "coverage                    +0." in shown


def test_with_references_summaries_are_compared_with_them(folder: Path) -> None:
    there = sources(folder, "ID_one.txt", "ID_one.reference.txt", "ID_two.txt")
    rated = long_summaries.rated_summaries(folder)
    files = long_summaries.source_files(there, ["ID_one", "ID_two"])
    with pytest.raises(LongsumError, match="give all references or none"):
        long_summaries.with_sources(rated, files, None, None)
    scores = long_summaries.with_sources(rated[:3], {"ID_one": files["ID_one"]}, None, None)
    assert scores["rouge2"] == sorted(scores["rouge2"], reverse=True)


def test_sources_that_do_not_fit_are_refused(folder: Path) -> None:
    ids = ["ID_one", "ID_two"]
    with pytest.raises(LongsumError, match="There is no folder"):
        long_summaries.source_files(folder / "nowhere", ids)
    with pytest.raises(LongsumError, match=r"none of the 2 documents; .* 'ID_one.txt'"):
        long_summaries.source_files(folder, ids)
    there = sources(folder, "ID_one.txt", "ID_one.html")
    with pytest.raises(LongsumError, match="of the same document"):
        long_summaries.source_files(there, ids)
    asked = Namespace(ratings=folder, sources=None, qa_model=Path("qa"), claim_model=None)
    with pytest.raises(LongsumError, match="add --sources FOLDER"):
        long_summaries.run(asked)
