"""Trees whose questions and answers a scripted model writes."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from document_views import document_of
from longsum.common.errors import LongsumError
from longsum.core.summaries import Budget
from longsum.core.summaries.question_summary import QuestionSummary
from longsum.core.systems.system import TreeOptions
from longsum.core.tree_makers import load_tree_maker
from longsum.documents import Document
from longsum.documents.builder import DocumentBuilder
from longsum.writers.estimates import Estimate
from longsum.writers.question_trees import WrittenTreeMaker
from longsum.writers.reply import parse_question
from longsum.writers.tokens import TokenCount
from scripted_server import Answer, Body, Server, obedient, prompt_of, serving, shown

CARGO = ("grain", "salt")


def report() -> Document:
    """Two chapters, of two sections each, after an opening and before references."""
    builder = DocumentBuilder()
    builder.paragraph("The survey of the rivers began in the wet season of the year.")
    for chapter, rivers in (("North", ("Volga", "Loire")), ("South", ("Nile", "Delta"))):
        builder.heading(1, chapter)
        builder.paragraph(f"The {chapter} has two rivers with harbours for barges of every size.")
        for number, river in enumerate(rivers):
            builder.heading(2, river)
            for cargo in CARGO:
                builder.paragraph(
                    f"The {river} carried {17 + number} barges of {cargo} to the harbour in May."
                )
    builder.heading(1, "References")
    builder.paragraph("Adams, J. (2001). Barges of the world. Harbour Press, 12(3), 45–67.")
    return builder.build(title="Rivers")


def asks(body: Body) -> bool:
    return "Write the one question" in prompt_of(body)


def section(body: Body) -> str:
    """Return the last title above a prompt's data."""
    (line,) = (each for each in prompt_of(body).splitlines() if each.startswith("Section: "))
    return line.rpartition(" > ")[2]


def writing(question: str) -> Callable[[Body], Answer]:
    def answer(body: Body) -> Answer:
        return Answer(question.format(section(body))) if asks(body) else obedient(body)

    return answer


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(writing("What did the {} carry?")) as made:
        yield made


def tree_of(server: Server, length: str = "24w", **options: object) -> QuestionSummary:
    maker = load_tree_maker(server.address)
    return maker.make(report(), TreeOptions(Budget.parse(length), **options))


def test_every_section_has_a_question_whose_answer_cites_it(server: Server) -> None:
    tree = tree_of(server)
    nodes = [node for _, node in tree.root.walk()]
    assert [node.title for node in nodes[1:]] == [
        f"What did the {name} carry?"
        for name in ("Opening text", "North", "Volga", "Loire", "South", "Nile", "Delta")
    ]
    assert {node.kind for node in nodes} == {"question"}
    assert not any("wrote no question" in each for each in tree.warnings)
    assert (tree.maker, tree.system, tree.settings["model"]) == ("model", "m", "m")
    walked = tree.document.walk()
    for node in nodes[1:]:
        assert node.sentences
        assert node.words <= 24
        below = {each.number for each in walked[node.section].walk()}
        for sentence in node.sentences:
            for source in sentence.sources:
                assert tree.document.section_of(source.sentence).number in below
                assert tree.document.text[source.start : source.end].startswith(sentence.text[:20])


def test_each_sentence_is_read_once_and_again_only_if_it_is_cited(server: Server) -> None:
    tree = tree_of(server)
    answers = [body for body in server.calls if not asks(body)]
    read = [text for body in answers for text, _ in shown(body)]
    assert not any("Harbour Press" in text for text in read)
    assert tree.coverage.sentences_read == len({*read}) < len(tree.document.sentences)
    for place, sentence in enumerate(tree.document.sentences):
        if tree.document.section_of(place).title == "References":
            continue
        citing = [
            node
            for _, node in tree.root.walk()
            if any(source.sentence == place for one in node.sentences for source in one.sources)
        ]
        # For its own section, and for each section above an answer that cites it.
        assert 1 <= read.count(sentence.text) <= 1 + len(citing)


def test_without_a_usable_question_the_heading_is_kept(server: Server) -> None:
    server.answer = writing("What did Napoleon do?")
    tree = tree_of(server)
    assert [node.title for _, node in tree.root.walk()][2:4] == ["North", "Volga"]
    told = [each for each in tree.warnings if "wrote no question" in each]
    assert told == [
        "In 8 of 8 nodes the model wrote no question that can be used; they keep their headings."
    ]
    for said in ("See http://evil.example/{}?", "Why in May 1812?", "Who paid $9 million?"):
        server.answer = writing(said)
        assert any("wrote no question" in each for each in tree_of(server, depth=1).warnings)


def test_parts_that_are_not_written_are_extracted(server: Server) -> None:
    server.answer = lambda _: Answer("")
    tree = tree_of(server)
    assert all(node.sentences for _, node in tree.root.walk())
    (told,) = (each for each in tree.warnings if "their parts are extracted" in each)
    assert told.endswith("The same holds for 7 other nodes.")


def test_a_question_of_the_reader_is_the_root_and_the_focus(server: Server) -> None:
    tree = tree_of(server, question="How much salt did the Nile carry?")
    assert (tree.root.title, tree.root.kind) == ("How much salt did the Nile carry?", "question")
    answers = [body for body in server.calls if not asks(body)]
    assert all("How much salt did the Nile carry?" in prompt_of(body) for body in answers)
    assert tree.root.children


def test_topics_are_written_too(server: Server) -> None:
    rivers = ("Volga", "Loire", "Nile", "Delta")
    said = "The {0} has barge {1} of the {0} at its {0} quay in {0}ton.".format
    document = document_of(*(said(river, number) for river in rivers for number in range(12)))
    tree = load_tree_maker(server.address).make(document, TreeOptions(Budget(30)))
    topics = tree.root.children
    assert len(topics) > 1
    cited = [
        {source.sentence for one in node.sentences for source in one.sources} for node in topics
    ]
    assert all(max(one) < min(other) for one, other in pairwise(cited))
    assert all(one.origin == "generated" for node in topics for one in node.sentences)
    read = [text for body in server.calls if not asks(body) for text, _ in shown(body)]
    assert {sentence.text for sentence in tree.document.sentences} <= {*read}


def test_a_single_level_reads_everything_below_it(server: Server) -> None:
    tree = tree_of(server, depth=1)
    assert not tree.root.children
    assert tree.root.cut == 7
    read = [text for body in server.calls if not asks(body) for text, _ in shown(body)]
    assert {sentence.text for sentence in tree.document.sentences} <= {*read}


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("What is it?", "What is it?"),
        ("<think>Why?</think>\n\n- **“What is it?”**", "What is it?"),
        ("Here is the question:\nWhy is it so?\nOr so?", "Why is it so?"),
        ("何ですか？", "何ですか？"),
        ("It is.", None),
        ("<think>Why?", None),
        (f"{'why ' * 60}?", None),
    ],
)
def test_a_question_is_a_line_that_asks(said: str, question: str | None) -> None:
    assert parse_question(said) == question


def test_trees_are_counted_before_and_kept_for_the_next_run(server: Server, tmp_path) -> None:
    options = TreeOptions(Budget(24))
    maker = load_tree_maker(server.address)
    assert isinstance(maker, WrittenTreeMaker)
    found = maker.estimate(report(), options)
    assert isinstance(found, Estimate)
    assert server.calls == []
    steps: list[tuple[int, int, int]] = []
    tree = maker.resuming_in(tmp_path, lambda *step: steps.append(step)).make(report(), options)
    assert found.calls == len(server.calls) == 16
    read = sum(TokenCount()(prompt_of(body)) for body in server.calls)
    assert found.read == pytest.approx(read, rel=0.15)
    assert steps == [(1, done, 8) for done in range(1, 9)]
    server.calls.clear()
    again = maker.resuming_in(tmp_path, lambda *_: None).make(report(), options)
    assert server.calls == []
    assert again.root == tree.root


def test_settings_of_language_models_are_refused_by_other_models() -> None:
    with pytest.raises(LongsumError, match="Only language models take --parallel"):
        load_tree_maker(None, parallel=2)
