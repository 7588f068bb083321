"""Readers and classifiers as tiny checkpoints of Hugging Face."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import (
    BertConfig,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    pipeline,
)

from longsum.common.errors import LongsumError
from longsum.lab.checking import chat_judge, checkers
from longsum.lab.checking.chat_judge import ChatJudge
from longsum.lab.checking.checkers import MAX_ANSWER, ClaimScorer, SpanAnswerer, consistent_label
from longsum.lab.checking.inference import InferenceJudge
from longsum.writers.calls import CallError
from settings_files import change
from tiny_sizes import bert_sizes

QUESTION = "The river @placeholder the valley."
CONTEXT = "The river floods the valley every spring, and the railway crosses it on a bridge."


@pytest.fixture
def settings(tokenizer) -> BertConfig:
    return BertConfig(
        vocab_size=len(tokenizer),
        **bert_sizes(),
        max_position_embeddings=128,
        pad_token_id=tokenizer.pad_token_id,
        initializer_range=0.5,
    )


@pytest.fixture
def reader(settings: BertConfig, tokenizer, tmp_path: Path) -> Path:
    torch.manual_seed(0)
    BertForQuestionAnswering(settings).save_pretrained(tmp_path / "reader")
    tokenizer.save_pretrained(tmp_path / "reader")
    return tmp_path / "reader"


@pytest.fixture
def classifier(settings: BertConfig, tokenizer, tmp_path: Path) -> Path:
    torch.manual_seed(0)
    settings.id2label = {0: "INCORRECT", 1: "CORRECT"}
    settings.label2id = {"INCORRECT": 0, "CORRECT": 1}
    BertForSequenceClassification(settings).save_pretrained(tmp_path / "classifier")
    tokenizer.save_pretrained(tmp_path / "classifier")
    return tmp_path / "classifier"


def test_an_answer_is_the_best_span_by_definition(reader: Path) -> None:
    answerer = SpanAnswerer.load(reader)
    found = answerer.answer(QUESTION, CONTEXT)
    read = answerer.tokenizer(QUESTION, CONTEXT, return_tensors="pt", return_offsets_mapping=True)
    offsets = read.pop("offset_mapping")[0].tolist()
    with torch.no_grad():
        output = answerer.model(**read)
    places = [place for place, one in enumerate(read.sequence_ids(0)) if one == 1]
    _, first, last = max(
        (float(output.start_logits[0, i] + output.end_logits[0, j]), i, j)
        for i in places
        for j in places
        if i <= j < i + MAX_ANSWER
    )
    assert found == CONTEXT[offsets[first][0] : offsets[last][1]]


def test_spans_are_no_longer_than_answers_and_stay_in_the_context(monkeypatch) -> None:
    monkeypatch.setattr(checkers, "MAX_ANSWER", 2)
    inside = torch.tensor([[False, True, True, True]])
    scores = checkers._span_scores(
        torch.tensor([[1.0, 2, 4, 8]]), torch.tensor([[1.0, 3, 5, 7]]), inside
    )
    found = {tuple(place[1:]): float(scores[*place]) for place in (scores > -9).nonzero().tolist()}
    assert found == {(1, 1): 5, (1, 2): 7, (2, 2): 9, (2, 3): 11, (3, 3): 15}
    assert checkers._highest(scores) == (0, 3, 3)
    assert [checkers.window_stride(tokens) for tokens in (128, 512, 4096)] == [16, 64, 128]


def test_questions_and_contexts_may_be_long_empty_or_have_marks(reader: Path) -> None:
    answerer = SpanAnswerer.load(reader)
    assert answerer.tokens == 128
    context = " ".join(f"{CONTEXT[:-1]} {number}." for number in range(30))
    found = answerer.answer(QUESTION, context)
    assert found
    assert found in context
    assert answerer.answer(QUESTION * 50, CONTEXT) in CONTEXT
    shortened = answerer._shortened(QUESTION * 50)
    read = answerer.tokenizer(shortened, add_special_tokens=False)["input_ids"]
    assert len(read) == answerer.tokens // 2
    assert answerer._shortened(QUESTION) == QUESTION
    assert answerer.answer(QUESTION, "") == ""
    # Marks in a text are text.
    assert answerer.answer(QUESTION, f"</s> {CONTEXT} <s>") in f"</s> {CONTEXT} <s>"


def test_a_pooler_that_is_not_used_is_no_problem(reader: Path) -> None:
    file = reader / "model.safetensors"
    weights = load_file(file)
    before = SpanAnswerer.load(reader).answer(QUESTION, CONTEXT)
    weights["bert.pooler.dense.weight"] = torch.zeros(16, 16)
    save_file(weights, file, metadata={"format": "pt"})
    assert SpanAnswerer.load(reader).answer(QUESTION, CONTEXT) == before
    weights["bert.surplus"] = torch.zeros(16)
    save_file(weights, file, metadata={"format": "pt"})
    with pytest.raises(LongsumError, match=r"no place for bert\.surplus"):
        SpanAnswerer.load(reader)


def test_the_label_is_the_checkpoints(classifier: Path) -> None:
    scorer = ClaimScorer.load(classifier)
    probability = scorer.consistency("The river floods.", CONTEXT)
    judge = pipeline("text-classification", model=str(classifier), top_k=None)
    labels = {
        each["label"]: each["score"]
        for each in judge({"text": CONTEXT, "text_pair": "The river floods."})
    }
    assert probability == pytest.approx(labels["CORRECT"], abs=1e-6)
    turned = {"0": "CORRECT", "1": "INCORRECT"}
    change(classifier / "config.json", id2label=turned, label2id={"CORRECT": 0, "INCORRECT": 1})
    turned = ClaimScorer.load(classifier).consistency("The river floods.", CONTEXT)
    assert turned == pytest.approx(1 - probability, abs=1e-6)


def test_a_judge_gives_the_most_probable_label_of_its_checkpoint(
    settings: BertConfig, tokenizer, tmp_path: Path
) -> None:
    settings.id2label = {0: "Neutral", 1: "ENTAILMENT", 2: "contradiction"}
    torch.manual_seed(1)
    BertForSequenceClassification(settings).save_pretrained(tmp_path / "judge")
    tokenizer.save_pretrained(tmp_path / "judge")
    judge = InferenceJudge.load(tmp_path / "judge")
    assert (judge.name, judge.labels) == ("judge", ("neutral", "entailment", "contradiction"))
    said = pipeline("text-classification", model=str(tmp_path / "judge"))
    for claim in ("The river floods.", "Trains cross it.", "the railway crosses it on a bridge"):
        expected = said({"text": CONTEXT, "text_pair": claim})
        found = judge.opinion(CONTEXT, claim)
        assert found.label == expected["label"].lower()
        assert found.score == pytest.approx(expected["score"], abs=1e-6)


@pytest.mark.parametrize("names", [["neutral", "entailment"], ["neutral", "entailment", "other"]])
def test_a_judge_of_other_labels_is_refused(names, settings, tokenizer, tmp_path) -> None:
    settings.id2label = dict(enumerate(names))
    BertForSequenceClassification(settings).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(LongsumError, match=f"\\({', '.join(names)}\\) are not entailment"):
        InferenceJudge.load(tmp_path)


def test_the_sentences_of_a_context_are_those_of_its_settings(classifier: Path) -> None:
    assert ClaimScorer.load(classifier).sentences is None
    change(classifier / "config.json", context_sentences=3)
    assert ClaimScorer.load(classifier).sentences == 3
    change(classifier / "config.json", context_sentences="all")
    with pytest.raises(LongsumError, match="'all' for context_sentences"):
        ClaimScorer.load(classifier)


def test_a_long_text_is_cut_and_not_the_claim(classifier: Path) -> None:
    scorer = ClaimScorer.load(classifier)
    one, other = (
        scorer.consistency(claim, CONTEXT * 40)
        for claim in ("The river floods.", "Trains cross it.")
    )
    assert one != other


@pytest.mark.parametrize("labels", [{0: "LABEL_0", 1: "LABEL_1"}, {0: "SUPPORTED", 1: "CORRECT"}])
def test_labels_that_do_not_tell_are_refused(labels: dict[int, str]) -> None:
    with pytest.raises(LongsumError, match="id2label"):
        consistent_label(labels, "folder")


def test_a_model_of_the_wrong_kind_is_refused(
    reader: Path, classifier: Path, tmp_path: Path
) -> None:
    with pytest.raises(LongsumError, match="is not a …ForQuestionAnswering but BertForSequence"):
        SpanAnswerer.load(classifier)
    with pytest.raises(LongsumError, match="is not a …ForSequenceClassification"):
        ClaimScorer.load(reader)
    with pytest.raises(LongsumError, match="no folder"):
        SpanAnswerer.load(tmp_path / "none")
    with pytest.raises(LongsumError, match="no folder"):
        ClaimScorer.load("owner/name")


def test_a_chat_model_gets_source_and_claim_by_lines_and_its_last_label_counts() -> None:
    asked = []
    said = SimpleNamespace(text="Not neutral: Entailment")
    model = SimpleNamespace(name="any", complete=lambda call: asked.append(call) or said)
    opinion = ChatJudge(model).opinion("It rains.", "It pours.")
    assert opinion is not None
    assert opinion.label == "entailment"
    (_, rules), (_, data) = asked[0].messages
    mark, *lines, last = data.splitlines()
    assert lines == ["Source: It rains.", "Claim: It pours."]
    assert mark == last
    assert mark in rules


def test_a_chat_model_without_a_label_or_an_answer_has_no_opinion(monkeypatch) -> None:
    def fail(_: object) -> None:
        raise CallError("busy")

    silent = SimpleNamespace(name="any", complete=lambda _: SimpleNamespace(text="Perhaps."))
    monkeypatch.setattr(chat_judge, "load_chat", lambda name, allow_net: (name, allow_net))
    assert ChatJudge(silent).opinion("It rains.", "It pours.") is None
    silent.complete = fail
    judge = ChatJudge(silent)
    assert (judge.name, judge.opinion("It rains.", "It pours.")) == ("any", None)
    assert ChatJudge.load("x").model == ("x", False)
    assert ChatJudge.load("x", allow_net=True).model == ("x", True)
