"""The judge's pairs match their labels, and its training learns and resumes."""

import json
import sys
from random import Random

import judge_changes
import judge_pairs
import judge_runtime
import numpy as np
import pytest
import score_judge
import torch
import train_judge
from safetensors.numpy import save_file

from longsum import read_bytes
from longsum.common.errors import LongsumError
from longsum.core.extractive.extractor_options import shipped_tokenizer
from longsum.evaluation.datasets import Example

TEXTS = [
    "The dam was built by the Alpha Corporation in 1931.",
    "However, output rose by 12 percent after the repair (see below).",
    "The Department of Inland Waters (DIW) employs 40 engineers.",
    "The board may approve a second dam because of the flood.",
]


def changes() -> judge_changes.Changes:
    return judge_changes.Changes(TEXTS, judge_changes.Lexicon({}, {"repair": ["damage"]}))


@pytest.mark.parametrize(
    ("rule", "text", "said"),
    [
        (judge_changes.active, TEXTS[0], "The Alpha Corporation built the dam in 1931."),
        (
            judge_changes.without_lead,
            TEXTS[1],
            "Output rose by 12 percent after the repair (see below).",
        ),
        (judge_changes.lead_moved, "In 1931, the dam broke.", "The dam broke in 1931."),
        (judge_changes.number_words, "It has 3 doors.", "It has three doors."),
        (judge_changes.pair_turned, "It rains in Ohio and Iowa.", "It rains in Iowa and Ohio."),
    ],
)
def test_rewordings_keep_the_meaning(rule: judge_changes.Rule, text: str, said: str) -> None:
    found = rule(text.replace("built by", "designed by"), Random(0))
    assert found == said.replace("built", "designed")


@pytest.mark.parametrize(
    ("kind", "text"),
    [("direction", TEXTS[1]), ("negation", TEXTS[3]), ("certainty", TEXTS[3]), ("unit", TEXTS[1])],
)
def test_changes_change_one_place(kind: str, text: str) -> None:
    found = changes().changed(text, kind, Random(1))
    assert found is not None
    before, after = text.split(), found.split()
    assert before != after
    assert (before[0], before[-1]) == (after[0], after[-1])


def test_invented_sentences_have_both_labels_and_are_never_their_source() -> None:
    pairs = list(judge_pairs.invented(Random(0), 200))
    assert {each.label for each in pairs} == {judge_pairs.SAID, judge_pairs.DENIED}
    assert all(each.claim != each.source for each in pairs)


def test_claims_of_a_document_come_with_sources_that_do_not_copy_them() -> None:
    towns = ["Ohio", "Iowa", "Utah", "Texas", "Maine", "Idaho", "Nevada", "Kansas", "Oregon"]
    text = " ".join(
        f"Yet the council of {town} approved {number} dam after the floods of {1950 + number}."
        for number, town in enumerate(towns, start=3)
    )
    example = Example("e", read_bytes(text.encode()), ("",), "train", "CC0-1.0", {})
    lexicon = judge_changes.Lexicon({}, {})
    pairs = list(judge_pairs.of_document(example, "towns", lexicon, 9, Random(0)))
    assert {each.label for each in pairs} >= {judge_pairs.SAID, judge_pairs.DENIED}
    assert all(each.source and each.claim not in each.source for each in pairs)
    assert all(each.true == each.claim for each in pairs if each.label == judge_pairs.SAID)


def test_public_sets_are_read_if_present(tmp_path) -> None:
    assert list(judge_pairs.public(tmp_path)) == []
    (tmp_path / "snli.csv").write_text('premise,hypothesis,label\n"A, b.",A.,entailment\n')
    (tmp_path / "conjnli.tsv").write_text('\ufeffPremise\tHypothesis\tLabel\nA "b.\tC.\tneutral\n')
    found = [(each.source, each.label) for each in judge_pairs.public(tmp_path)]
    assert found == [("A, b.", judge_pairs.SAID), ('A "b.', judge_pairs.UNSAID)]


def test_paraphrases_by_people_are_changed_in_one_place() -> None:
    said = judge_pairs.Pair(
        "The dam leaks since May.", "Since May the dam has had leaks.", 0, "mnli"
    )
    lexicon = judge_changes.Lexicon({}, {})
    found = judge_pairs.turned_false([said, said._replace(label=2)], lexicon, Random(0))
    assert found
    assert all(each.label == judge_pairs.DENIED for each in found)
    assert all(each.true == said.claim != each.claim for each in found)


def test_training_resumes_and_onnx_runtime_computes_the_trained_model(
    tmp_path, monkeypatch
) -> None:
    pairs = list(judge_pairs.invented(Random(0), 24))
    path, output = tmp_path / "pairs.jsonl", tmp_path / "judge"
    path.write_text("".join(json.dumps(each._asdict()) + "\n" for each in pairs))
    monkeypatch.setattr(train_judge, "HELD_OUT", 4)
    common = ["train_judge", str(output), str(path), "--batch", "4", "--rank", "2", "--fp32"]
    for steps in ("1", "2"):
        monkeypatch.setattr(sys, "argv", [*common, "--steps", steps])
        train_judge.main()
    logged = [json.loads(line) for line in (output / "log.jsonl").read_text().splitlines()]
    assert [each["step"] for each in logged] == [1, 2]

    network = train_judge.JudgeNetwork(2, torch.float32)
    optimizer = torch.optim.AdamW(network.parameters())
    assert train_judge.resume(network, optimizer, output / train_judge.STATE) == 2
    moments = next(iter(optimizer.state.values()))
    assert moments["step"] == 2
    read = [(each.source, each.claim) for each in pairs[:3]]
    encoded = [(ids, 0, "", ids) for ids in judge_runtime.pair_tokens(shipped_tokenizer(), read)]
    tokens, lengths, *_ = train_judge.padded(encoded)
    with torch.no_grad():
        expected = network(tokens, lengths)[0].numpy()
    assert np.abs(judge_runtime.Entailer(output).logits(read) - expected).max() < 0.1


@pytest.mark.parametrize(
    "changes",
    [
        {"head.weight": (3, 16)},
        {"layers.0.attention.query.up": (384, 2)},
        {"layers.0.attention.query.up": (16, 2), "layers.0.attention.query.down": (2, 384)},
        {"layers.9.attention.query.up": (384, 2), "layers.9.attention.query.down": (2, 384)},
    ],
)
def test_a_judge_of_another_encoder_is_refused(tmp_path, changes) -> None:
    shapes = {"head.weight": (3, 384), "head.bias": (3,), **changes}
    arrays = {name: np.zeros(shape, np.float16) for name, shape in shapes.items()}
    save_file(arrays, tmp_path / judge_runtime.FILE)
    with pytest.raises(LongsumError, match="train the judge again"):
        judge_runtime.Entailer(tmp_path)


def test_changed_tokens_are_marked() -> None:
    tokenizer = shipped_tokenizer()
    (ids,) = judge_runtime.pair_tokens(
        tokenizer, [("The dam broke.", "The dam never broke in May.")]
    )
    true = tokenizer.encode("The dam broke in June.", add_special_tokens=False).ids
    marks = train_judge.marks_of(ids, true, tokenizer.token_to_id("[SEP]"))
    assert [tokenizer.id_to_token(each) for each in ids[marks == 1]] == ["never", "may"]
    assert (marks[8:] == -1).all()
    assert (train_judge.marks_of(ids, [], tokenizer.token_to_id("[SEP]")) == -1).all()


def test_scores_are_for_documents_outside_the_fit() -> None:
    rng = np.random.default_rng(0)
    changed = np.arange(200) % 2 == 0
    documents = np.arange(200) // 10
    clear = changed + rng.normal(0, 0.2, 200)
    scores = score_judge.held_out_scores(clear[:, None], changed, documents)
    assert score_judge.area(scores, changed) > 0.95
    assert score_judge.recall(scores, changed, 0.1) > 0.9
    # What is known of each document alone says nothing of another.
    alone = np.eye(20)[documents] * changed[:, None]
    blind = score_judge.held_out_scores(alone, changed, documents)
    assert score_judge.area(blind, changed) < 0.6


def test_ties_count_half_and_a_share_of_true_claims_may_pass() -> None:
    changed = np.array([True, True, False, False])
    assert score_judge.area(np.array([1.0, 0.0, 0.0, 0.0]), changed) == 0.75
    assert score_judge.recall(np.array([3.0, 1.0, 2.0, 0.0]), changed, 0.0) == 0.5
    assert score_judge.recall(np.array([3.0, 1.0, 2.0, 0.0]), changed, 0.5) == 1.0
