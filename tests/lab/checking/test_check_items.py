from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from document_views import document_of
from longsum.evaluation.datasets import Example
from longsum.lab.checking.apes import BLANK, ClozeMaker
from longsum.lab.checking.check_items import (
    CLAIM_KINDS,
    ClaimPlan,
    _copied,
    claim_items,
    span_items,
)
from longsum.lab.checking.corruptions import PAPER_KINDS
from longsum.lab.checking.prepared_pairs import PreparedPairs, encode_claims, encode_spans


@pytest.fixture
def paid() -> Example:
    text = "Alice Smith was paid $40 by the town. Bob Jones was paid $55 by the county."
    summary = "Alice Smith was paid $40 by the town in 2017."
    return Example("paid", document_of(text), (summary,), "train", "", {})


def test_questions_have_their_answer_at_its_place(paid: Example) -> None:
    items = list(span_items(paid, ClozeMaker()))
    # 2017 is nowhere in the document.
    assert [item is None for item in items] == [False, False, True]
    found = [(item.context[item.start : item.end], item.question) for item in items if item]
    assert found[0] == ("Alice Smith", f"{BLANK} was paid $40 by the town in 2017.")
    assert found[1][0] == "$40"


def test_claims_of_each_kind_share_a_context(paid: Example) -> None:
    items = list(claim_items(paid, seed=0))
    assert [item.kind for item in items] == ["original", *PAPER_KINDS]
    assert len({item.context for item in items}) == 1
    assert items[0].claim == paid.references[0]
    assert len({item.claim for item in items}) == len(items)
    assert items == list(claim_items(paid, seed=0))
    # No word can be negated; its names and numbers can be exchanged.
    bare = replace(paid, references=("Alice Smith with $40 from the town in 2017.",))
    assert [item.kind for item in claim_items(bare, seed=0)] == ["original", *PAPER_KINDS[1:]]


def test_copied_sentences_are_claims_and_their_context_may_lack_them(paid: Example) -> None:
    plan = ClaimPlan(copies=2, unsupported=1.0, per_claim=1, sentences=1, own_contexts=True)
    items = list(claim_items(paid, 0, plan))
    kinds = [item.kind for item in items]
    assert kinds.count("original") == 3
    assert kinds.count("unsupported") == 2
    assert len(kinds) == 8
    given = claim_items(paid, 0, ClaimPlan(copies=2))
    assert "unsupported" not in [item.kind for item in given]
    for item in items:
        assert item.context in [sentence.text for sentence in paid.document.sentences]
        assert (item.claim == item.context) <= (item.kind == "original")
        if item.kind == "original":
            last = item
        if item.kind == "unsupported":  # the same claim before what lacks it
            assert (item.claim, item.context != last.context) == (last.claim, True)


def test_sentences_of_eight_to_45_words_are_copied(paid: Example) -> None:
    texts = [f"However, it paid {'very ' * (words - 6)}much to them." for words in (7, 8, 45, 46)]
    given = replace(paid, document=document_of([*texts, "12 30 44 51 60 71 80 91 100"]))
    assert _copied(given, ClaimPlan(copies=9), Random(0)) == [1, 2]
    # Half of them are shortened.
    items = [each for seed in range(9) for each in claim_items(given, seed, ClaimPlan(copies=9))]
    assert {texts[1], "It paid very very much to them."} <= {each.claim for each in items}


def test_tokens_of_the_answer_are_those_of_its_words(paid, tokenizer) -> None:
    encoded = [
        pair for pair in encode_spans(span_items(paid, ClozeMaker()), tokenizer, 200, 25) if pair
    ]
    assert len(encoded) == 2
    for pair, answer in zip(encoded, ("Alice Smith", "$40"), strict=True):
        first, last = pair.targets
        assert tokenizer.decode(pair.ids[first : last + 1]).strip() == answer
    assert list(encode_spans(span_items(paid, ClozeMaker()), tokenizer, 20, 2)) == [None] * 3


def test_pairs_are_saved_as_they_were(paid, tokenizer, tmp_path) -> None:
    pairs = list(encode_claims(claim_items(paid, 0), tokenizer, 60))
    prepared = PreparedPairs.of(pairs, left_out=3)
    prepared.save(tmp_path / "pairs.npz")
    # What reads like a mark is none; two are about the claim.
    marked = replace(next(claim_items(paid, 0)), claim=tokenizer.eos_token)
    (told,) = encode_claims([marked], tokenizer, 60)
    assert list(told.ids).count(tokenizer.eos_token_id) == 2
    loaded = PreparedPairs.load(tmp_path / "pairs.npz")
    assert len(loaded) == len(pairs) == 4
    assert int(loaded.left_out[0]) == 3
    assert int(PreparedPairs.of(pairs).left_out[0]) == 0
    assert loaded.lengths() == [len(pair.ids) for pair in pairs]
    for place, pair in enumerate(pairs):
        for name, column in zip(
            ("input_ids", "token_type_ids"), (pair.ids, pair.segments), strict=True
        ):
            assert np.array_equal(loaded[place][name], column)
    counts = Counter(CLAIM_KINDS[int(loaded[place]["targets"][0])] for place in range(4))
    assert counts == dict.fromkeys(["original", *PAPER_KINDS], 1)
    with pytest.raises(IndexError):
        loaded[4]
