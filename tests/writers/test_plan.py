"""Every sentence reaches exactly one call, and every call fits the window."""

import random
from itertools import pairwise
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_views import document_of
from effort import examples
from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.documents.builder import DocumentBuilder
from longsum.writers.plan import Node, Piece, Plan, Sizes, _groups, _merged, make_plan
from longsum.writers.prompt import PROMPT_VERSION, Prompter, again, cited, neutral, numbered
from longsum.writers.tokens import TokenCount, Window, sample_of

PROMPTER = Prompter(b"secret")
COUNT = TokenCount()
WORDS = ["water", "the", "of", "mine", "energy", "§", "Überschuss", "2024,", "界", "report's"]


def tree(seed: int) -> Document:
    """Return a document of up to thirty sections of any size; titles may exceed a window."""
    builder = DocumentBuilder()
    chance = random.Random(seed)
    for number in range(chance.randint(1, 30)):
        title = "A Title " * (400 if chance.random() < 0.05 else 1) + str(number)
        builder.heading(chance.randint(1, 5), title)
        for _ in range(chance.randint(0, 4)):
            length = chance.choice([3, 12, 30, 30, 900])
            builder.paragraph(" ".join(chance.choices(WORDS, k=length)).capitalize() + ".")
    builder.paragraph("The last sentence stands here for all of it.")
    return builder.build()


def test_a_prompt_that_changes_has_another_version() -> None:
    """Stored replies belong to one version of a prompt."""
    prompters = [PROMPTER, Prompter(b"secret", "dams", structured=True, marked=True)]
    said = [
        [
            *(each.summary(["A"], ["[1] It is."], 9, merges=merges) for merges in (False, True)),
            again(each.question(["A"], ["It is."])),
        ]
        for each in prompters
    ]
    assert (PROMPT_VERSION, crc32(repr(said).encode())) == (1, 2901134217)


TREES = st.integers(0, 1 << 32).map(tree)


def planned(document: Document, window: int, words: int) -> Plan:
    sizes = Sizes.of(document, Window(window), COUNT, PROMPTER)
    return make_plan(document, words, sizes, COUNT)


def fits(node: Node, plan: Plan, window: int) -> bool:
    """Return whether a call fits with the longest answers below it and its own longest answer."""
    answer = plan.sizes.answer_for(node.target)
    lines = [numbered(piece.unit, piece.text) for piece in node.pieces]
    said = PROMPTER.summary(node.titles, lines, node.target, merges=bool(node.inputs))
    answer += sum(plan.sizes.answer_for(each.target) for each in node.inputs)
    return COUNT("\n".join(text for _, text in said)) + answer <= Window(window).usable


@settings(max_examples=examples(32))
@given(TREES, st.sampled_from([512, 768, 1_024, 4_096, 8_192, 131_072]), st.integers(1, 4_000))
def test_every_sentence_is_read_once_in_a_call_that_fits(document, window, words) -> None:
    try:
        plan = planned(document, window, words)
    except LongsumError:
        assert window == 512  # which is too small under the longest titles
        return
    pieces = [piece for leaf in plan.leaves for piece in leaf.pieces]
    read = ["".join(p.text for p in pieces if p.unit == n) for n in range(len(document.sentences))]
    assert read == [neutral(sentence.text) for sentence in document.sentences]
    assert [piece.unit for piece in pieces] == sorted(piece.unit for piece in pieces)
    # A sentence that is divided is divided between words.
    assert all(one.text.endswith(" ") for one, other in pairwise(pieces) if one.unit == other.unit)
    for level in plan.levels:
        assert all(fits(node, plan, window) for node in level)


@settings(max_examples=examples(24))
@given(TREES, st.sampled_from([768, 2_048]), st.integers(1, 2_000))
def test_a_merge_asks_for_less_than_it_reads_and_every_node_has_one_reader(
    document: Document, window: int, words: int
) -> None:
    plan = planned(document, window, words)
    nodes = [node for level in plan.levels for node in level]
    read = [each for node in nodes for each in node.inputs]
    assert sorted(map(id, [*read, *plan.roots])) == sorted(map(id, nodes))
    for node in nodes:
        if node.inputs and node not in plan.roots:
            assert node.target <= sum(each.target for each in node.inputs) / 2
    assert sum(root.target for root in plan.roots) <= max(words * 1.3, 50) + 20 * len(plan.roots)


def report(*sections: tuple[int, str, int]) -> Document:
    said = "The water of {} is clear and cold in the long summer. ".format
    blocks = ((f"{'#' * rank} {title}", count * said(title)) for rank, title, count in sections)
    return document_of(*blocks, title="Report")


def test_a_call_has_the_titles_that_its_sections_share() -> None:
    document = report((1, "A", 3), (1, "B", 3), (1, "C", 9), (2, "C1", 150), (2, "C2", 150))
    plan = planned(document, 4_096, 100)
    titles = [
        {document.section_of(piece.unit).title for piece in leaf.pieces} for leaf in plan.leaves
    ]
    assert titles == [{"A", "B", "C", "C1"}, {"C1"}, {"C2"}, {"C2"}]
    under = [("Report", "C", "C1"), ("Report", "C", "C2"), ("Report", "C", "C2")]
    assert [leaf.titles for leaf in plan.leaves] == [("Report",), *under]
    assert [len(level) for level in plan.levels] == [4, 1]


def test_the_text_of_a_section_changes_no_call_for_its_siblings() -> None:
    plain = report((1, "A", 60), (1, "B", 60), (1, "C", 60))
    other = report((1, "A", 60), (1, "B", 59), (1, "C", 60))
    calls = [
        {
            (leaf.titles, *(piece.text for piece in leaf.pieces), leaf.target)
            for leaf in planned(document, 2_048, 100).leaves
            if leaf.titles[-1] != "B"
        }
        for document in (plain, other)
    ]
    assert calls[0] == calls[1]


def test_a_long_summary_consists_of_parts_of_their_share() -> None:
    document = report((1, "A", 150), (1, "B", 50))
    plan = planned(document, 4_096, 900)
    assert len(plan.levels) == 1
    assert sum(root.target for root in plan.roots) == pytest.approx(900, rel=0.1)
    first = sum(root.target for root in plan.roots if root.titles[-1:] == ("A",))
    assert first == pytest.approx(675, rel=0.1)


def test_a_separate_part_has_fifty_words_and_none_has_fewer_than_twenty() -> None:
    document = report((1, "A", 150), (1, "B", 150))
    count = len(planned(document, 4_096, 50).leaves)
    for words, levels in ((50 * count - 1, 2), (50 * count, 1)):
        plan = planned(document, 4_096, words)
        assert (len(plan.leaves), len(plan.levels)) == (count, levels)
    (root,) = planned(report((1, "A", 3)), 4_096, 5).roots
    assert root.target == 20


def test_a_window_that_is_too_small_is_refused() -> None:
    with pytest.raises(LongsumError, match="A window of 300 tokens is too small"):
        planned(report((1, "A", 3)), 300, 50)


def test_tokens_are_counted_by_the_alphabet_or_as_the_server_does() -> None:
    assert cited("Water is [3] cold.", (4, 11)) == "Water is (3) cold. [5,12]"
    assert COUNT("a" * 33) == 10
    assert COUNT("界" * 10) == 15
    assert COUNT("\ud800" * 10) <= 15
    assert TokenCount.of("a" * 33, lambda _: 20)("a" * 330) == pytest.approx(210, abs=1)


def leaves(*titles: str, target: int = 40) -> list[Node]:
    return [
        Node(("T", title), (Piece(n, "It is."),), target=target) for n, title in enumerate(titles)
    ]


@pytest.mark.parametrize(
    ("titles", "room", "sizes"),
    [
        ("AAABBB", 10_000, [3, 3]),
        # Two before another section are too few for a call of their own.
        ("AABBB", 10_000, [5]),
        ("AAAAAA", 10_000, [6]),
        ("AAAAAA", 400, [3, 3]),
    ],
)
def test_a_merge_contains_the_parts_of_a_section(titles: str, room: int, sizes: list[int]) -> None:
    held = Sizes(room=room, answer=1_000, per_word=2.0, usable=9_999)
    groups = _groups(leaves(*titles), held)
    assert [len(group) for group in groups] == sizes


def test_answers_that_just_fit_a_call_are_merged_by_it() -> None:
    four = leaves(*"AAAA")
    held = Sizes(room=4 * (2 * 40 + 32), answer=1_000, per_word=2.0, usable=9_999)
    (root,) = _merged(four, 100, held)
    assert root.inputs == tuple(four)
    assert root.target == 100


def test_a_sample_has_whole_sentences_from_the_whole_text() -> None:
    assert sample_of(["One is here.", "Two is there."]) == "One is here.\nTwo is there."
    texts = [f"Sentence {number} says what it says." for number in range(10_000)]
    sample = sample_of(texts)
    assert 15_000 < len(sample) <= 40_000
    lines = sample.split("\n")
    assert set(lines[:-1]) <= set(texts)
    assert texts.index(lines[-2]) > 9_000
