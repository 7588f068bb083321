from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from document_views import document_of
from effort import examples
from longsum import read_bytes
from longsum.common.arrays import Array
from longsum.common.errors import LongsumError
from longsum.core.extractive.extractor_options import ExtractorConfig, shipped_folder
from longsum.core.extractive.part_extractor import PartExtractor, PartRequest
from longsum.core.extractive.summarizer import Ranked
from longsum.core.loading import load_model
from longsum.core.section_trees import section_trees
from longsum.core.section_trees.heading_kinds import heading_kind
from longsum.core.section_trees.section_trees import SectionTreeMaker
from longsum.core.summaries import Budget
from longsum.core.summaries.question_summary import QuestionNode
from longsum.core.systems.system import TreeOptions
from longsum.core.tree_makers import load_tree_maker
from longsum.documents import Document, DocumentBuilder
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.torch_network import TorchNetwork
from summary_views import picked
from system_fixtures import tiny_hibert

SUBJECTS = ("river", "dam", "field", "railway", "harbour", "mountain", "school", "forest")


def extractor(summary_layers: int = 1, stepwise: bool = True) -> PartExtractor:
    vocabulary = {word: place for place, word in enumerate(["[PAD]", "[CLS]", "[SEP]", "[UNK]"])}
    vocabulary |= {word: place for place, word in enumerate(SUBJECTS, start=4)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, "[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    config = ExtractorConfig(precision="fp32")
    made = TorchNetwork(tiny_hibert(64, stepwise, summary_layers), "cpu", "fp32")
    return PartExtractor("tiny", config, made, tokenizer)


@pytest.fixture(scope="module")
def maker() -> SectionTreeMaker:
    return SectionTreeMaker(extractor())


def places_of(sections: list[tuple[int, str, int]], title: str = "The whole") -> Document:
    """Make a document of (rank, title, number of sentences)."""
    builder = DocumentBuilder()
    for number, (rank, heading, count) in enumerate(sections):
        builder.heading(rank, heading)
        if count:
            builder.sentences(
                f"The {SUBJECTS[(number + at) % 8]} of place {number} has {at} {SUBJECTS[at % 8]}s."
                for at in range(count)
            )
    return builder.build(title)


documents = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from(["A", "Why B?", ""]), st.integers(0, 4)),
    min_size=1,
    max_size=9,
).filter(lambda sections: any(count for _, _, count in sections)).map(places_of)  # fmt: skip


def below(document: Document, section: int) -> set[int]:
    """Return the sections from one down."""
    return {found.number for found in document.walk()[section].walk()}


def lineages(node: QuestionNode, above: tuple[QuestionNode, ...] = ()) -> Any:
    yield node, above
    for child in node.children:
        yield from lineages(child, (*above, node))


class TestProperties:
    @settings(max_examples=examples(24))
    @given(document=documents, words=st.integers(1, 40), depth=st.integers(1, 4) | st.none())
    def test_sources_budgets_and_depth(self, maker, document, words, depth) -> None:
        tree = maker.make(document, TreeOptions(Budget(words), depth))
        for level, node in tree.root.walk():
            assert depth is None or level <= depth
            assert node.words <= words
            assert picked(node) == sorted(set(picked(node)))
            for sentence in node.sentences:
                source = sentence.sources[0]
                assert document.text[source.start : source.end] == sentence.text
                if node.section is not None:
                    assert source.section in below(document, node.section)
        assert tree.coverage.sentences_read == len(document.sentences)

    @settings(max_examples=examples(16))
    @given(document=documents, words=st.integers(8, 40))
    def test_sentences_of_ancestors_are_repeated_only_if_there_are_no_others(
        self, maker, document, words
    ) -> None:
        tree = maker.make(document, TreeOptions(Budget(words)))
        for node, above in lineages(tree.root):
            given_above = {sentence for parent in above for sentence in picked(parent)}
            if node.section is not None and given_above & set(picked(node)):
                part = {
                    place
                    for place in range(len(document.sentences))
                    if document.section_of(place).number in below(document, node.section)
                }
                assert part <= given_above

    def test_equal_sentences_are_not_repeated_below_their_ancestors(self, maker) -> None:
        texts = [f"The {subject} of the valley is large." for subject in SUBJECTS[:4]]
        document = document_of(
            "# All",
            [*texts],
            *((f"## Part {number}", [*texts[number:], *texts[:number]]) for number in range(4)),
        )
        tree = maker.make(document, TreeOptions(Budget(3, "sentences")))
        for node in tree.root.children:
            assert len(node.sentences) == 1
            assert not {s.text for s in node.sentences} & {s.text for s in tree.root.sentences}

    @settings(max_examples=examples(16))
    @given(document=documents, depth=st.integers(1, 4))
    def test_a_smaller_depth_cuts_the_tree_and_changes_nothing_above(
        self, maker, document, depth
    ) -> None:
        def cut(node: QuestionNode, levels: int) -> QuestionNode:
            children = tuple(cut(child, levels - 1) for child in node.children)
            if levels > 1:
                return replace(node, children=children)
            count = sum(1 for _ in node.walk()) - 1
            return replace(node, children=(), cut=count)

        whole = maker.make(document, TreeOptions(Budget(20)))
        found = maker.make(document, TreeOptions(Budget(20), depth))
        assert found.root == cut(whole.root, depth)
        # Every section with sentences of its own has one node.
        shown = [node.section for _, node in whole.root.walk() if node.section is not None]
        assert len(shown) == len(set(shown))
        assert {s.number for s in document.walk() if s.sentences} <= set(shown)


class TestShape:
    @pytest.mark.parametrize("length", [1, 3])
    def test_a_sentence_that_refers_to_the_one_before_is_chosen_with_it(
        self, maker, length
    ) -> None:
        builder = DocumentBuilder()
        for rank, subject in enumerate(SUBJECTS):
            builder.heading(1 + rank % 2, subject)
            told = (f"The {subject} of {other} is old. This is no {other}." for other in SUBJECTS)
            builder.paragraph(" ".join(told))
        tree = maker.make(builder.build("All"), TreeOptions(Budget(length, "sentences")))
        for _, node in tree.root.walk():
            chosen = picked(node)
            assert chosen
            assert all(place % 2 == 0 or place - 1 in chosen for place in chosen)
        said = "The dams stand in the long valley of the old river. This is no railway."
        left = maker.make(document_of(said), TreeOptions(Budget(5)))
        assert not left.root.sentences
        (told,) = (notice for notice in left.notices if "no sentence fits" in notice.text)
        assert told.kind == "length"

    @pytest.mark.parametrize(
        ("sections", "shown"),
        [
            # One without sentences gives way to its only child, or is summarized by its children.
            (
                [(1, "Part", 0), (2, "Only", 2), (1, "Empty", 0), (1, "Last", 2)],
                [(2, "Only"), (2, "Last")],
            ),
            (
                [(1, "", 2), (1, "Part", 0), (2, "Why A?", 3), (2, "B", 3)],
                [(2, "Opening text"), (2, "Part"), (3, "Why A?"), (3, "B")],
            ),
            # A section that contains everything is the root.
            ([(1, "Report", 2), (2, "A", 2), (2, "B", 2)], [(2, "A"), (2, "B")]),
            ([(1, "", 5)], []),
        ],
    )
    def test_sections_become_nodes(self, maker: SectionTreeMaker, sections, shown) -> None:
        document = places_of(sections)
        tree = maker.make(document, TreeOptions(Budget(20)))
        assert [(level, node.title) for level, node in tree.root.walk()] == [
            *((1, "The whole"), *shown)
        ]
        for _, node in tree.root.walk():
            assert node.sentences
            assert node.kind == ("question" if node.title == "Why A?" else "heading")
        assert (tree.root.section is None) == (len(document.sections) > 1)
        alone = "The document has no sections, so there is one summary, of the whole."
        assert tree.warnings == (() if shown else (alone,))

    def test_nodes_in_which_no_sentence_fits_are_counted(self, maker: SectionTreeMaker) -> None:
        document = places_of([(1, "A", 2), (1, "B", 2)])
        tree = maker.make(document, TreeOptions(Budget(2)))
        assert not any(node.sentences for _, node in tree.root.walk())
        assert "In 3 of 3 nodes no sentence fits in 2w" in tree.warnings[0]

    def test_a_percentage_refers_to_the_text_of_each_node(self, maker: SectionTreeMaker) -> None:
        # All sentences have 8 words: half of 8 sentences, of 6 and of 2.
        document = places_of([(1, "A", 6), (1, "B", 2)])
        tree = maker.make(document, TreeOptions(Budget(50, "percent")))
        assert [len(node.sentences) for _, node in tree.root.walk()] == [4, 3, 1]


class TestQuestion:
    def test_the_root_is_the_question_above_the_most_relevant_sections(self) -> None:
        maker = SectionTreeMaker(extractor())
        document = places_of([(1, SUBJECTS[place], 4) for place in range(8)])
        question = "The dam of place 1 has 0 rivers."
        tree = maker.make(document, TreeOptions(Budget(20), question=question))
        assert (tree.root.title, tree.root.kind) == (question, "question")
        assert "focus" in tree.root.sentences[0].reasons
        assert 1 <= len(tree.root.children) <= 5
        for child in tree.root.children:
            assert {s.sources[0].section for s in child.sentences} == {child.section}
        shallow = maker.make(document, TreeOptions(Budget(20), 1, question))
        assert shallow.root.cut == len(tree.root.children)
        assert shallow.root.sentences == tree.root.sentences


class Told:
    """An extractor with given likenesses of sentences to a question, and given repetitions.

    The terms of a focus are square roots of the likeness, since the maker squares them.

    It takes the first sentence that is left, but those of a pair never both: what was chosen is
    known to its ranking alone. Each ranking that it makes keeps a list of all it was told.
    """

    name = "told"
    settings: ClassVar[dict[str, Any]] = {}

    def __init__(self, likeness: Sequence[float], twins: Mapping[int, int] | None = None) -> None:
        self.likeness, self.twins = np.array(likeness), twins or {}
        self.told: list[list[int]] = []

    def check(self, document: Document, focus: str | None) -> None:
        pass

    def rank(self, request: PartRequest) -> Ranked:
        count, part = len(self.likeness), request.part
        told: list[int] = []
        self.told.append(told)
        likeness, twins = self.likeness, self.twins

        class Ranking:
            def scores(self) -> tuple[Array, dict[str, Array]]:
                scores = -np.arange(count, dtype=float)
                scores[told] = -np.inf
                scores[[twins[each] for each in told if each in twins]] -= 1000.0
                return scores, {"focus": np.sqrt(likeness)} if request.focus else {"told": scores}

            def choose(self, sentence: int) -> None:
                told.append(sentence)

        candidates = np.zeros(count, dtype=bool)
        candidates[part.start if part else 0 : part.stop if part else count] = True
        return Ranked(Ranking(), candidates, np.ones(count, dtype=bool))


class TestChoicesInATree:
    @pytest.mark.parametrize(
        ("shares", "shown"),
        [([0.02, 0.3, 0.06, 0.14, 0.03, 0.2, 0.07, 0.18], "15736"), ([0.049, 0.9, 0.051], "12")],
    )
    def test_the_most_relevant_sections_come_first_and_none_below_a_twentieth(
        self, shares, shown
    ) -> None:
        # Sections of two sentences, with given shares of the likeness.
        document = places_of(
            [(1, subject, 2) for subject, _ in zip(SUBJECTS, shares, strict=False)]
        )
        maker = SectionTreeMaker(Told([share * part for share in shares for part in (0.25, 0.75)]))
        tree = maker.make(document, TreeOptions(Budget(1, "sentences"), question="Why?"))
        assert [node.title for node in tree.root.children] == [SUBJECTS[int(at)] for at in shown]

    def test_a_nodes_choices_depend_on_all_nodes_above_it(self) -> None:
        # Chapters of two sentences, each with two parts of two.
        document = places_of(
            [(1, "A", 2), (2, "A1", 2), (2, "A2", 2), (1, "B", 2), (2, "B1", 2), (3, "B11", 2)]
        )
        # The root has 0; its twin, the first of A that is left, comes after the third.
        extractor = Told([1.0] * 12, twins={0: 1})
        tree = SectionTreeMaker(extractor).make(document, TreeOptions(Budget(1, "sentences")))
        chosen = {node.title: picked(node) for _, node in tree.root.walk()}
        assert chosen == {
            "The whole": [0],
            "A": [2],
            "A1": [3],
            "A2": [4],
            "B": [6],
            "B1": [8],
            "B11": [10],
        }
        above = [[], [0], [0, 2], [0, 2], [0], [0, 6], [0, 6, 8]]
        assert [told[:-1] for told in extractor.told] == above


class TestReading:
    @pytest.mark.parametrize(("layers", "stepwise"), [(1, True), (2, True), (1, False)])
    def test_a_part_is_scored_as_in_the_whole(self, layers: int, stepwise: bool) -> None:
        system = extractor(layers, stepwise)
        document = places_of([(1, "A", 4), (1, "B", 5), (1, "C", 3)])
        part = range(4, 9)
        for plan in [(), (0,), (11, 5)]:
            rankings = [
                system.rank(PartRequest(document, Budget(20), part=within)).ranking
                for within in (None, part)
            ]
            for ranking in rankings:
                for sentence in plan:
                    ranking.choose(sentence)
            whole, alone = (ranking.scores()[0] for ranking in rankings)
            expected = whole[4:9] / whole[4:9].sum() if stepwise else whole[4:9]
            np.testing.assert_allclose(alone[4:9], expected, rtol=1e-4)
            assert np.isneginf(np.delete(alone, range(4, 9))).all()

    def test_the_document_is_encoded_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        system = extractor()
        calls: list[int] = []
        read: Callable[..., Any] = Hibert.read

        def counting(self: Hibert, units: Any) -> Any:
            calls.append(1)
            return read(self, units)

        monkeypatch.setattr(Hibert, "read", counting)
        document = places_of([(1, "A", 4), (2, "B", 5), (1, "C", 3)])
        SectionTreeMaker(system).make(document, TreeOptions(Budget(20)))
        assert calls == [1]


def test_impossible_options_are_refused() -> None:
    with pytest.raises(LongsumError, match="depth 0"):
        TreeOptions(Budget(20), 0)
    with pytest.raises(LongsumError, match="question is empty"):
        TreeOptions(Budget(20), question=" ")
    maker = SectionTreeMaker(extractor())
    maker._extractor.takes_focus = False
    with pytest.raises(LongsumError, match="takes no focus"):
        maker.make(places_of([(1, "A", 2)]), TreeOptions(Budget(20), question="Why?"))
    with pytest.raises(LongsumError, match="no folder 'nowhere'"):
        load_tree_maker("nowhere")
    for model, system in ((str(shipped_folder()), "extractor"), (None, "stepwise")):
        made = load_tree_maker(model).make(places_of([(1, "A", 2)]), TreeOptions(Budget(20)))
        assert made.system == system
    for others in ({"beams": 2}, {"importance": "tagger"}):
        with pytest.raises(LongsumError, match="neither beams nor importance"):
            load_model("http://127.0.0.1:9/v1#m", **others)


class TestKindsOfHeadings:
    def test_what_the_heading_announces_comes_first_under_a_question_marked_as_ours(
        self, maker
    ) -> None:
        document = document_of(
            ("# History", ["The port opened in the spring of that year with many guests."] * 2),
            "# Recommendations",
            [
                "The port stands at the mouth of the river and has two basins.",
                "The council should widen the road that leads to the port.",
                "The gulls of the old harbour are known in the whole country.",
            ],
            title="Ports",
        )
        tree = maker.make(document, TreeOptions(Budget(11)))
        history, advice = tree.root.children
        # The root may have the same sentence; then there is another one here.
        if "should" not in tree.root.text:
            assert advice.text.startswith("The council should")
        assert (advice.title, advice.asks) == ("Recommendations", "What is recommended?")
        assert history.asks == ""
        assert "Recommendations [What is recommended?]" in str(tree)
        assert str(tree).endswith("Questions in brackets are ours.\n")
        assert [node["asks"] for node in tree.to_dict()["nodes"]] == [
            *("", "", "What is recommended?")
        ]

    @pytest.mark.parametrize(
        ("title", "question"),
        [
            ("5. Recommendations for Executive Action", "What is recommended?"),
            ("Key Findings", "What was found?"),
            ("Total costs", "What does it come to?"),
            ("Methods", None),
        ],
    )
    def test_kinds_by_title(self, title: str, question: str | None) -> None:
        kind = heading_kind(title)
        assert (kind and kind.question) == question


def test_without_sections_topics_take_their_place(maker: SectionTreeMaker) -> None:
    fields = (["harbour", "ship", "crane", "tide"], ["bread", "flour", "oven", "yeast"])
    said = "The {} and the {} of place {} were seen there.".format
    paragraphs = ([said(w[at % 4], w[(at + 1) % 4], at) for at in range(20)] for w in fields)
    document = document_of(*paragraphs, title="Trades")
    tree = maker.make(document, TreeOptions(Budget(30)))
    assert [node.kind for _, node in tree.root.walk()] == ["heading", "topic", "topic"]
    parts = (range(20), range(20, 40))
    for node, words, part in zip(tree.root.children, fields, parts, strict=True):
        assert set(node.title.lower().split(", ")) <= set(words)
        assert all(place in part for place in picked(node))
    assert "key terms in their place are ours" in tree.made_by
    assert not tree.warnings
    cut = maker.make(document, TreeOptions(Budget(30), depth=1))
    assert (cut.root.children, cut.root.cut) == ((), 2)


def test_only_material_is_chosen_while_there_is_any(maker: SectionTreeMaker) -> None:
    document = places_of([(1, "One", 3), (1, "Two", 3)])
    first, second = document.sections
    notes = replace(
        second,
        paragraphs=tuple(
            tuple(replace(sentence, kind="footnote") for sentence in paragraph)
            for paragraph in second.paragraphs
        ),
    )
    marked = replace(document, sections=(first, notes))
    root = maker.make(marked, TreeOptions(Budget(400))).root
    assert set(picked(root)) == {0, 1, 2}
    # A section that contains only notes is not in the tree.
    assert not root.children


def test_topics_without_terms_are_numbered_from_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(section_trees, "topic_segments", lambda *_: [range(10), range(10, 40)])
    monkeypatch.setattr(section_trees, "key_terms", lambda *_: [[], []])
    document = read_bytes(" ".join(f"The dam has gate {n}." for n in range(40)).encode())
    assert [title for title, _ in section_trees.topics_of(document)] == ["Part 1", "Part 2"]
    monkeypatch.undo()
    assert section_trees.topics_of(read_bytes(b"The river rose. " * 30)) == []
