"""The oracle as a system: it knows the references of one document, and reads as much as allowed."""

import pytest

from longsum.common.errors import LongsumError
from longsum.core.loading import load_system
from longsum.core.summaries import Budget
from longsum.documents import Document
from longsum.evaluation.oracle_system import ORACLE, Oracle, OracleConfig

REFERENCE = "Trains carry coal along the railway, and dams make floods do less damage."


def places(system: Oracle, document: Document, words: int = 40) -> list[int]:
    return [
        each.sources[0].sentence for each in system.summarize(document, Budget(words)).sentences
    ]


def test_it_reads_references_if_it_is_given_some(small: Document) -> None:
    assert (ORACLE.settings, ORACLE.build) == (OracleConfig, Oracle)
    plain = Oracle("oracle", OracleConfig(fill=False))
    informed = plain.with_references([REFERENCE])
    assert places(informed, small) == [5, 7]
    with pytest.raises(LongsumError, match="only in 'longsum evaluate'"):
        plain.summarize(small, Budget(40))
    assert load_system("oracle").config == OracleConfig()
    assert places(informed.with_references(["Fishermen sell trout at the market."]), small) == [3]


def test_it_fills_the_length_by_default(small: Document) -> None:
    filled = places(Oracle("oracle", OracleConfig(), [REFERENCE]), small, 60)
    assert {5, 7} < set(filled)
    per_word = Oracle("oracle", OracleConfig(fill=False, per_word=True), [REFERENCE])
    assert {5, 7} <= set(places(per_word, small, 60))


def test_it_chooses_only_among_the_first_tokens(small: Document) -> None:
    limited = Oracle("oracle", OracleConfig(tokens=60), [REFERENCE])
    summary = limited.summarize(small, Budget(60))
    coverage = summary.coverage
    assert 0 < coverage.sentences_read < coverage.sentences_total == 9
    assert all(each.sources[0].sentence < coverage.sentences_read for each in summary.sentences)
    assert summary.finish_reason == "model_limit"
    whole = Oracle("oracle", OracleConfig(), [REFERENCE]).summarize(small, Budget(500))
    assert (whole.coverage.sentences_read, whole.finish_reason) == (9, "document")
    gains = [each.reasons["rouge"] for each in sorted(whole.sentences, key=lambda each: each.step)]
    # ROUGE-1 and ROUGE-2 add up to what all of the text has; what fills it takes some away.
    assert gains[0] == max(gains) > 0 > min(gains)
