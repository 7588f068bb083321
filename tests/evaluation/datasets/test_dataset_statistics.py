from pathlib import Path

import pytest

from longsum.evaluation.datasets import statistics


def test_statistics_of_two_documents(tmp_path: Path, write_lines) -> None:
    records = [
        {
            "id": "a",
            "title": "Not counted",
            "sections": [
                {"level": 1, "title": "One", "paragraphs": ["Four words stand here."]},
                {"level": 2, "title": "Two", "paragraphs": ["And two."]},
            ],
            "summary": "Two words.",
        },
        {
            "id": "b",
            "sections": [{"level": 1, "title": "", "paragraphs": ["Twelve " * 12]}],
            "summary": "x",
            "summaries": ["One two three four.", "One two three four five six seven eight."],
        },
    ]
    write_lines(tmp_path / "qmsum/train.jsonl.xz", records)
    found = statistics("qmsum", "train", root=tmp_path)
    assert found.documents == 2
    # Documents of 4 + 2 = 6 and 12 words; summaries of 2 and (4 + 8) / 2 = 6.
    assert (found.document_words_mean, found.document_words_median) == (9, 9)
    assert (found.summary_words_mean, found.summary_words_median) == (4, 4)
    # Headed sections: 2 and 0.
    assert (found.sections_mean, found.deepest_level) == (1, 2)
    # (6/2 + 12/6) / 2
    assert found.compression == pytest.approx(2.5)
    assert found.summary_sentences_mean == 1
    # "two" and "words" stand apart in the first document: 2 of 2 tokens, (1² + 1²) / 2; the second
    # has nothing of its summaries.
    assert found.coverage == pytest.approx(0.5)
    assert found.density == pytest.approx(0.5)
