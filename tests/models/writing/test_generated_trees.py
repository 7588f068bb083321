from collections.abc import Callable
from types import SimpleNamespace

import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.core.questions.linearisation import pieces
from longsum.core.questions.question_tree import Question, QuestionTree
from longsum.core.summaries import Budget, Notice
from longsum.core.systems.system import TreeOptions
from longsum.core.tree_makers import load_tree_maker
from longsum.documents import Document
from longsum.models.tasks.tokens import encode_pieces
from longsum.models.writing.generated_trees import GeneratedTreeMaker, _output_notices
from longsum.models.writing.generating import GeneratingWriter
from longsum.models.writing.writer import Writing
from system_fixtures import trained

Make = Callable[..., GeneratedTreeMaker]
QUESTION = "What does the river do?"
TREE = QuestionTree(
    (
        Question(
            QUESTION,
            "Water from the river feeds the fields of the valley. Nobody swims in 1999.",
            (
                Question("Who sells trout?", "Fishermen sell river trout at the market."),
                Question("What of floods?", "", (Question("Who built dams?", "Engineers did."),)),
            ),
        ),
    )
)


@pytest.fixture
def make(make_model, tokenizer, tmp_path) -> Make:
    """Save a tiny model with the task settings of its training, and load it."""

    def load(**task) -> GeneratedTreeMaker:
        folder = tmp_path / "model"
        make_model().save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        trained(folder, "hibrids", **{"kind": "question_hierarchy", "source_tokens": 192, **task})
        maker = load_tree_maker(str(folder))
        assert isinstance(maker, GeneratedTreeMaker)
        return maker

    return load


@pytest.fixture
def maker(make: Make) -> GeneratedTreeMaker:
    return make(target_tokens=60)


def writes(monkeypatch: pytest.MonkeyPatch, tree: QuestionTree, first_question: bool) -> None:
    """Let every model write one tree."""

    def write(self: GeneratingWriter, *_, **__) -> Writing:
        ids = encode_pieces(pieces(tree, first_question), self.tokenizer, 1000)
        return Writing(torch.tensor([0, *ids]), (), (), unfinished=False)

    monkeypatch.setattr(GeneratingWriter, "write", write)


def test_the_tree_is_the_one_written_with_sources_and_doubts(make, small, monkeypatch) -> None:
    maker = make(target_tokens=1000)
    writes(monkeypatch, TREE, first_question=False)
    tree = maker.make(small, TreeOptions(Budget(50), question=QUESTION))
    found = [(level, node.title, node.text, node.kind) for level, node in tree.root.walk()]
    assert found == [(level, q.question, q.answer, "question") for level, q in TREE.walk()]
    first, second = tree.root.sentences
    assert first.sources[0].sentence == 1
    assert not second.verified
    assert tree.made_by == "Written by hibrids."
    assert "weights_sha256" in tree.settings
    assert not any("repaired" in each or "wrote nothing" in each for each in tree.warnings)


def test_answers_are_cut_to_the_length_and_the_tree_to_the_depth(maker, small, monkeypatch) -> None:
    writes(monkeypatch, TREE, first_question=False)
    tree = maker.make(small, TreeOptions(Budget(1, "sentences"), 2, QUESTION))
    assert [len(node.sentences) for _, node in tree.root.walk()] == [1, 1, 0]
    assert [node.cut for _, node in tree.root.walk()] == [0, 0, 1]
    alone = maker.make(small, TreeOptions(Budget(50), 1, QUESTION))
    assert alone.root.cut == 3


def test_several_first_questions_stand_under_the_title(make, small, monkeypatch) -> None:
    maker = make(question_given=False)
    several = QuestionTree((*TREE.questions, Question("And railways?", "They run to the coast.")))
    writes(monkeypatch, several, first_question=True)
    tree = maker.make(small, TreeOptions(Budget(50)))
    assert (tree.root.title, tree.root.kind) == ("The valley", "heading")
    assert [node.title for node in tree.root.children] == [QUESTION, "And railways?"]
    assert maker.make(small, TreeOptions(Budget(50), 1)).root.cut == 5
    with pytest.raises(LongsumError, match="asks its own questions"):
        maker.make(small, TreeOptions(Budget(50), question=QUESTION))


def test_text_from_a_model_contains_no_hidden_characters(make, small, monkeypatch) -> None:
    maker = make(target_tokens=1000, question_given=False)
    answer = "Water from the\u200b river feeds the fields\x1b[2J of the valley."
    writes(monkeypatch, QuestionTree((Question("Who\u202e is it?", answer),)), True)
    node = maker.make(small, TreeOptions(Budget(50))).root
    assert node.title == "Who is it?"
    assert node.text == "Water from the river feeds the fields of the valley."


def test_whatever_a_model_writes_is_a_tree(maker: GeneratedTreeMaker, small: Document) -> None:
    first, second = (maker.make(small, TreeOptions(Budget(9), question=QUESTION)) for _ in range(2))
    assert first == second
    assert first.root.title == QUESTION
    assert all(node.words <= 9 for _, node in first.root.walk())
    assert "The model reached the most it can write, so the tree may be cut off." in first.warnings
    assert first.coverage.sentences_read < first.coverage.sentences_total


@pytest.mark.parametrize("repairs", [(), ("a mark",), ("a mark", "an end")])
def test_repairs_of_an_output_are_noted(repairs) -> None:
    def noted(questions, stopped):
        parsed = SimpleNamespace(tree=QuestionTree(questions), repairs=repairs)
        return list(_output_notices(SimpleNamespace(parsed=parsed, stopped=stopped)))

    places = {1: "one place", 2: "2 places"}.get(len(repairs))
    text = f"The model's tree was repaired in {places}; the first: a mark"
    told = [Notice("verification", text)] if repairs else []
    nothing = Notice("length", "The model wrote nothing; try another model.")
    stopped = "The model reached the most it can write, so the tree may be cut off."
    assert noted(TREE.questions, False) == told
    assert noted((), True) == [nothing, *told, Notice("length", stopped)]


def test_limits_of_models_are_reported(make, folder, small: Document) -> None:
    with pytest.raises(LongsumError, match="ask one with --question"):
        make().make(small, TreeOptions(Budget(50)))
    with pytest.raises(LongsumError, match="makes no trees"):
        load_tree_maker(str(folder))
    with pytest.raises(LongsumError, match="no question to select them by"):
        make(aligned=True, question_given=False)


def test_a_model_of_follow_up_questions_is_given_an_answer_too(make, small, monkeypatch) -> None:
    maker = make(kind="child_questions")
    follow = QuestionTree((Question("", "Who sells trout?"), Question("", "Who buys it?")))
    writes(monkeypatch, follow, first_question=False)
    asked = f"{QUESTION} {TREE.questions[0].answer}"
    tree = maker.make(small, TreeOptions(Budget(50), question=asked))
    assert (tree.root.title, tree.root.text) == (QUESTION, TREE.questions[0].answer)
    assert tree.root.sentences[0].sources[0].sentence == 1
    assert [node.title for node in tree.root.children] == ["Who sells trout?", "Who buys it?"]
    assert not any("repaired" in warning for warning in tree.warnings)
    with pytest.raises(LongsumError, match="give both with --question"):
        maker.make(small, TreeOptions(Budget(50)))


RAILWAYS = "Which trains carry passengers and coal along the railway?"


def told(make: Make, monkeypatch: pytest.MonkeyPatch, **task) -> tuple:
    """Make a tree maker whose model writes one sentence, and a list that records what it reads."""
    maker = make(target_tokens=1000, **task)
    tree = QuestionTree((Question(RAILWAYS, "Trains carry passengers and coal."),))
    writes(monkeypatch, tree, first_question=False)
    seen: list[Document] = []
    read = GeneratingWriter.read

    def watched(self: GeneratingWriter, document: Document, *given):
        seen.append(document)
        return read(self, document, *given)

    monkeypatch.setattr(GeneratingWriter, "read", watched)
    return maker, seen


@pytest.mark.parametrize("kind", ["question_hierarchy", "child_questions"])
def test_a_model_of_aligned_sections_reads_those_of_the_question(
    make, small, monkeypatch, kind
) -> None:
    maker, seen = told(make, monkeypatch, kind=kind, aligned=True)
    question = f"{RAILWAYS} Trains carry passengers and coal."
    tree = maker.make(small, TreeOptions(Budget(50), question=question))
    # Of nine sentences in three sections, the last three stand under "Railways".
    (part,) = seen
    assert [sentence.text for sentence in part.sentences] == [
        sentence.text for sentence in small.sentences[6:]
    ]
    assert [section.title for section in part.walk()] == ["Railways"]
    assert tree.document is small
    # What was said is found where it stands in the whole.
    assert tree.root.sentences[0].sources[0].sentence == 7
    assert tree.coverage.sentences_total == 9
    assert tree.coverage.sentences_read == 3
    assert tree.coverage.unread_sections == tuple(
        section.number for section in small.walk() if section.title in ("Rivers", "Floods")
    )
    notices = [each.kind for each in tree.notices if "given 3 of 9 sentences" in each.text]
    assert notices == ["reading"]


@pytest.mark.parametrize(("aligned", "question"), [(False, RAILWAYS), (True, "Xyzzy?")])
def test_the_whole_is_read_by_models_for_it_and_for_unrelated_questions(
    make, small, monkeypatch, aligned, question
) -> None:
    maker, seen = told(make, monkeypatch, aligned=aligned)
    tree = maker.make(small, TreeOptions(Budget(50), question=question))
    assert seen == [small]
    assert not any("was given" in warning for warning in tree.warnings)
