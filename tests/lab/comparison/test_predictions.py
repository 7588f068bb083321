"""Foreign texts in place of a system."""

import pytest

from longsum.common.errors import LongsumError
from longsum.core.summaries import Budget
from longsum.lab.comparison.predictions import Predictions


def test_texts_are_scored_as_they_are(small, tmp_path):
    path = tmp_path / "theirs.csv"
    text = f"{small.sentences[0].text} Nobody said this of Peru."
    path.write_text(f'id,prediction\n{small.source.name},"{text}"\n')
    summary = Predictions.load(str(path)).summarize(small, Budget(3))
    assert summary.sentences[0].text == small.sentences[0].text
    assert summary.words > 3
    assert summary.sentences[0].sources[0].method == "copied"
    assert "Peru" in {doubt.text for doubt in summary.sentences[1].doubts}
    assert Predictions.load(f"ours={path}").name == "ours"


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ('{"id": "a"}', r"Record 1 of theirs.jsonl needs an id and a text .* it has id\."),
        ('{"text": "a"}', "needs an id"),
        ('{"id": 1, "text": "a"}\n{"id": "1", "text": "b"}', "two texts of '1'"),
    ],
)
def test_a_prediction_for_no_document_is_refused(lines, says, tmp_path):
    (tmp_path / "theirs.jsonl").write_text(lines)
    with pytest.raises(LongsumError, match=says):
        Predictions.load(str(tmp_path / "theirs.jsonl"))


def test_a_document_without_a_text_is_refused(small, tmp_path):
    (tmp_path / "theirs.jsonl").write_text('{"id": "other", "text": "a"}')
    with pytest.raises(LongsumError, match=r"'theirs' has no text of .* among 1 text;"):
        Predictions.load(str(tmp_path / "theirs.jsonl")).summarize(small, Budget(3))
    with pytest.raises(LongsumError, match="There is no file"):
        Predictions.load(str(tmp_path / "none.jsonl"))


def test_samples_that_lm_eval_logged_are_read(tmp_path):
    line = '{"doc_id": 0, "doc": {"id": "d1", "summary": "s"}, "filtered_resps": ["Dams hold."]}'
    (tmp_path / "samples_planted.jsonl").write_text(f"{line}\n")
    assert Predictions.load(str(tmp_path / "samples_planted.jsonl")).texts == {"d1": "Dams hold."}
