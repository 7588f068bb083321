import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.common.errors import LongsumError
from longsum.evaluation.datasets.dataset_statistics import (
    Statistics,
    cumulative_shares,
    salient_positions,
    statistics,
)


def test_statistics_of_two_documents(tmp_path, write_lines) -> None:
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
            "summaries": ["One two three. Four.", "One two three four. Five. Six seven. Eight."],
        },
    ]
    records.append({**records[0], "id": "c"})
    write_lines(tmp_path / "qmsum/train.jsonl.xz", records)
    # Documents of 4 + 2 = 6, 12 and 6 words; summaries of 2, (4 + 8) / 2 = 6 and 2, whose sentences
    # are 1, (2 + 4) / 2 and 1. Headed sections: 2, 0 and 2. "two" and "words" stand apart in the
    # first and third: 2 of 2 tokens, (1² + 1²) / 2; the second has nothing of its summaries.
    assert statistics("qmsum", "train", root=tmp_path) == Statistics(
        documents=3,
        document_words_mean=pytest.approx(24 / 3),
        document_words_median=6,
        summary_words_mean=pytest.approx(10 / 3),
        summary_words_median=2,
        summary_sentences_mean=pytest.approx(5 / 3),
        sections_mean=pytest.approx(4 / 3),
        deepest_level=2,
        compression=pytest.approx((6 / 2 + 12 / 6 + 6 / 2) / 3),
        coverage=pytest.approx(2 / 3),
        density=pytest.approx(2 / 3),
    )


def test_texts_that_share_nothing_have_no_shares() -> None:
    assert cumulative_shares(["a", "b"], ["b", "a"], 2) is None
    assert cumulative_shares([], [], 1) is None


words = st.lists(st.sampled_from("abcde"), min_size=1, max_size=33)


@settings(max_examples=examples(100))
@given(words, words, st.integers(1, 2))
def test_it_is_the_definition(document: list[str], reference: list[str], n: int) -> None:
    """For each prefix of the document, count the distinct n-grams that are in the reference."""

    def salient(tokens: list[str]) -> set[tuple[str, ...]]:
        grams = {tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)}
        return grams & {tuple(reference[i : i + n]) for i in range(len(reference) - n + 1)}

    shares = cumulative_shares(document, reference, n)
    if not salient(document):
        assert shares is None
        return
    assert shares is not None
    for tenth, share in enumerate(shares, start=1):
        end = next((p for p in range(len(document)) if 10 * p >= tenth * len(document)), None)
        expected = len(salient(document[:end])) / len(salient(document))
        assert share == pytest.approx(expected)


def test_a_set_is_the_mean_of_its_documents_and_a_document_of_its_references(
    tmp_path, write_lines
) -> None:
    ten = "a b c d e f g h i j"
    records = [
        {"id": "1", "sections": [_section(ten)], "summary": "a b", "summaries": ["a b", "i j"]},
        {"id": "2", "sections": [_section(ten)], "summary": "i j"},
        {"id": "3", "sections": [_section(ten)], "summary": "a c"},
    ]
    write_lines(tmp_path / "qmsum/train.jsonl.xz", records)
    found = salient_positions("qmsum", "train", root=tmp_path)
    # The third shares no bigram.
    assert found.documents == 2
    # First: a in tenth 1, b in 2, or i in 9, j in 10; second: only the latter.
    means = [share.mean for share in found.shares["unigrams"]]
    assert means == pytest.approx([1 / 8] + [1 / 4] * 7 + [5 / 8, 1])
    means = [share.mean for share in found.shares["bigrams"]]
    assert means == pytest.approx([0] + [1 / 4] * 8 + [1])
    assert found.shares["bigrams"][5].low == 0
    write_lines(tmp_path / "qmsum/train.jsonl.xz", records[2:])
    with pytest.raises(LongsumError, match="choose another set"):
        salient_positions("qmsum", "train", root=tmp_path)


def _section(text: str) -> dict[str, object]:
    return {"level": 1, "title": "", "paragraphs": [text]}
