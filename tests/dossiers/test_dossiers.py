"""Several documents as one summary: properties for any content."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import longsum
from effort import examples
from longsum import LongsumError
from longsum.core.extractive.selection import FixedRanking
from longsum.core.extractive.summarizer import Ranked
from longsum.core.pipeline import Options, summarize_lengths
from longsum.core.summaries import (
    Budget,
    Coverage,
    Doubt,
    Notice,
    SourceSpan,
    Summary,
    SummarySentence,
)
from longsum.core.summaries.by_document import CoverageByDocument
from longsum.core.summaries.result_file import summary_to_json
from longsum.core.systems.system import Request, System
from longsum.documents.dossier import Dossier, joined
from longsum.documents.model import Document
from longsum.dossiers.dossier_system import prepared
from longsum.dossiers.gathering import gather
from longsum.dossiers.members import shares
from longsum.dossiers.separately import Separately
from longsum.dossiers.together import MembersRanking, Together, _ranked
from longsum.language.repeats import Repetitions
from longsum.language.words import content_terms, count_words
from schemas import schema

WORDS = ("dam", "river", "town", "lake", "mill", "bridge", "flood", "winter", "boat", "fish")
VERBS = ("holds", "feeds", "stops", "crosses", "freezes", "carries")

sentences = st.builds(
    lambda one, verb, other, year: f"The {one} of {year} {verb} every old {other} there.",
    st.sampled_from(WORDS),
    st.sampled_from(VERBS),
    st.sampled_from(WORDS),
    st.integers(1900, 1940),
)
paragraphs = st.lists(sentences, min_size=1, max_size=4).map(" ".join)
sections = st.builds("# {}\n\n{}".format, st.sampled_from(WORDS).map(str.title), paragraphs)
texts = st.lists(paragraphs | sections, min_size=1, max_size=4).map("\n\n".join)
documents = st.lists(
    texts.map(lambda text: longsum.read_bytes(text.encode(), "a.md")), min_size=2, max_size=4
)
systems = st.sampled_from(("graph", "kernels", "lead"))


def whole(system: str, dossier: Document, length: str, **options: object) -> Summary:
    ready, rest = prepared(longsum.load_system(system), dossier, Options(**options))
    nested = summarize_lengths(dossier, Budget.parse(length), ready, rest)
    return nested.summaries[nested.start]


@settings(max_examples=examples(60))
@given(documents)
def test_a_dossier_keeps_every_document(parts: list[Document]) -> None:
    dossier = joined(parts)
    assert isinstance(dossier, Dossier)
    assert [member.document for member in dossier.members] == parts
    assert len({member.name.casefold() for member in dossier.members}) == len(parts)
    assert [section.number for section in dossier.walk()] == list(range(len(dossier.walk())))
    for place, sentence in enumerate(dossier.sentences):
        member = dossier.member_of(place)
        own = member.own(place)
        assert dossier.text[sentence.start : sentence.end] == own.text == sentence.text
        assert sentence.start - member.start == own.start
        section = member.document.section_of(place - member.sentences.start)
        number = dossier.section_of(place).number
        assert member.numbered(section.number) == number
        assert member.own_number(number) == section.number


@settings(max_examples=examples(60))
@given(documents, st.randoms())
def test_shares_follow_the_documents(parts: list[Document], random: object) -> None:
    order = list(range(len(parts)))
    random.shuffle(order)
    found = shares(joined(parts))
    assert min(found) > 0
    told = [
        {term for each in part.sentences if each.is_material for term in content_terms(each.text)}
        for part in parts
    ]
    if all(told):
        held = Counter(term for terms in told for term in terms)
        worth = [sum(1 / held[term] for term in terms) ** 0.5 for terms in told]
        assert found == pytest.approx([each / sum(worth) for each in worth])
    assert sum(found) == pytest.approx(1)
    assert shares(joined([parts[at] for at in order])) == pytest.approx([found[at] for at in order])


def test_a_focus_gives_weight_to_documents_about_it() -> None:
    read = [longsum.read_bytes(each) for each in (b"The dam holds water.", b"Boats were sold.")]
    assert shares(joined(read), "boats")[1] > 0.99
    assert shares(joined(read), "astronomy") == shares(joined(read))


@settings(max_examples=examples(32))
@given(documents, systems, st.integers(5, 120))
def test_summaries_keep_their_promises(parts: list[Document], system: str, words: int) -> None:
    dossier = gather(parts, lambda part: part).document
    made = whole(system, dossier, f"{words}w")
    assert sum(count_words(each.text) for each in made.sentences) <= words
    if isinstance(dossier, Dossier):
        read = [each.sentences_read for each in made.coverage.members]
        assert read == [len(member.sentences) for member in dossier.members]
    repetitions = Repetitions([each.text for each in made.sentences])
    for place, sentence in enumerate(made.sentences):
        source = sentence.sources[0]
        assert dossier.text[source.start : source.end] == sentence.text
        assert sum(sentence.reasons.values()) == pytest.approx(sentence.score, abs=1e-9)
        # `lead` may repeat within a document, as it does with one.
        others = range(place) if system != "lead" else ()
        assert not any(repetitions.are_alike(place, other) for other in others)
    schema("summary-1").validate(summary_to_json(made))


@settings(max_examples=examples(24))
@given(documents, st.sampled_from(("graph", "kernels")))
def test_longer_summaries_hold_the_shorter_ones(parts: list[Document], system: str) -> None:
    dossier = joined(parts)
    ready, rest = prepared(longsum.load_system(system), dossier)
    nested = summarize_lengths(dossier, Budget(40), ready, rest)
    held: set[str] = set()
    for made in nested.summaries:
        assert held <= {each.text for each in made.sentences}
        held = {each.text for each in made.sentences}


def test_the_next_sentence_is_from_the_document_furthest_behind() -> None:
    """Of two documents with equal shares and equally long sentences, neither gets ahead."""
    towns, dams = (
        " ".join(f"The {one} {verb} the old {of}." for one in WORDS for verb in VERBS)
        for of in ("town", "dam")
    )
    made = longsum.summarize_together([towns, dams], "60w", "graph")
    homes = [
        each.sources[0].start < made.document.members[1].start
        for each in sorted(made.sentences, key=lambda each: each.step)
    ]
    assert len(homes) == 10
    assert all(sum(homes[:count]) in (count // 2, (count + 1) // 2) for count in range(11))


def test_all_documents_are_reported_if_there_is_room_for_none_or_for_all() -> None:
    given_ = "The dam was finished in 1931.", "It rained.\n\nFishermen of the town sold boats."
    for length, reason in (("100w", "document"), ("9w", "budget"), ("1w", "nothing_fits")):
        made = longsum.summarize_together(given_, length, "graph")
        assert made.finish_reason == reason
        assert ("No sentence comes from" in " ".join(made.warnings)) == (reason == "budget")


def test_unreadable_documents_are_reported_and_the_rest_are_summarized(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The dam was finished in 1931.")
    (tmp_path / "b.txt").write_text("The dam was finished in 1931.")
    given_ = [tmp_path / "a.txt", tmp_path / "none.txt", "", tmp_path / "b.txt", "Boats were sold."]
    made = longsum.summarize_together(given_, "100w", "graph")
    assert [member.name for member in made.document.members] == ["a.txt", "Document 2"]
    assert [notice.text for notice in made.notices[:3]] == [
        f"Left out: There is no file '{tmp_path / 'none.txt'}'; check the path.",
        "Left out: The input is empty; there is nothing to summarize.",
        "b.txt says the same as a.txt, word for word; it is read once.",
    ]


def test_a_notice_names_few_of_many() -> None:
    made = longsum.summarize_together([f"Town {n} has a dam." for n in range(20)], "7w", "lead")
    (said,) = [each.text for each in made.notices if each.text.startswith("No sentence comes from")]
    assert said.count("Document") == 8
    assert said.endswith(" and 11 more: too small a share of the length, or others say the same.")


def test_one_that_is_left_is_summarized_as_it_is() -> None:
    made = longsum.summarize_together(["The dam was finished in 1931.", ""], "100w", "graph")
    assert not isinstance(made.document, Dossier)
    assert made.text == "The dam was finished in 1931."
    assert "Left out" in made.warnings[0]


EMPTY = "The input is empty; there is nothing to summarize."


@pytest.mark.parametrize(
    ("given_", "why"),
    [
        ([], "No document can be read. There are none; give at least one."),
        ([""], EMPTY),
        (["", ""], f"No document can be read. {EMPTY} {EMPTY}"),
    ],
)
def test_nothing_to_read_is_an_error(given_: list[object], why: str) -> None:
    with pytest.raises(LongsumError) as error:
        longsum.summarize_together(given_)
    assert str(error.value) == why


@pytest.mark.parametrize("one", ["The dam.", b"The dam.", Path("a.txt")])
def test_one_document_is_no_list(one: object) -> None:
    with pytest.raises(TypeError, match="summarize takes one"):
        longsum.summarize_together(one)


def test_an_object_that_only_summarizes_is_not_a_system() -> None:
    with pytest.raises(TypeError, match="takes a System, and no other object"):
        longsum.summarize_together(["It is.", "It was."], "9w", SimpleNamespace(summarize=print))


CITING = b"The old dam (Smith et al., 2010) holds back the river above the town every winter."
TWO = joined([longsum.read_bytes(each) for each in (CITING, b"Two is so.")])


def test_levels_are_for_one_document() -> None:
    with pytest.raises(LongsumError, match="Several documents are summarized from their sentences"):
        prepared(longsum.load_system("graph"), TWO, Options(levels=True))


def test_a_length_is_filled_as_requested_if_the_system_can() -> None:
    with pytest.raises(LongsumError, match="has no setting for how to fill"):
        prepared(longsum.load_system("lead"), TWO, Options(fill="close"))


@pytest.mark.parametrize("shorten", [True, False])
def test_sentences_are_shortened_on_request(shorten: bool) -> None:
    made = whole("graph", TWO, "40", shorten=shorten)
    assert ("Smith" in made.text) is not shorten


BURNED = b"The great mill of the town burned twice."


class Writes(System):
    """A system that repeats the last sentence of a document, with a doubt and many notices."""

    name, writes, own_length = "writes", True, Budget(20)
    settings: ClassVar = {}

    def words_read(self, _document: Document) -> int:
        return 1000

    def lengths(self, request, budgets):
        document = request.document
        doubt = Doubt(
            "number", "differs", "document", "two", 0, 3, "three", len(document.sentences) - 1
        )
        said = SummarySentence(
            f"It says {document.sentences[-1].text}",
            (SourceSpan.of(document, len(document.sentences) - 1, 0.5, "aligned"),),
            0.5,
            {},
            0,
            doubts=(
                doubt,
                replace(doubt, where="the table,"),
                Doubt("source", "missing", "document"),
            ),
        )
        notices = (
            Notice("document", "It was read."),
            Notice("length", "It is short."),
            Notice("language", "It is so."),
            Notice("focus", said.text),
        )
        for budget in budgets:
            fits = count_words(said.text) <= budget.capacity(document)
            told = (said,) if fits else ()
            whole = Coverage.whole(document)
            yield Summary(document, told, budget, whole, self.name, notices=notices)


def test_a_system_that_writes_summarizes_each_document() -> None:
    dossier = joined(
        [
            longsum.read_bytes(each)
            for each in (b"The mill is old. That stays so.", b"It is. " + BURNED, BURNED)
        ]
    )
    ready, rest = prepared(Writes(), dossier, Options(as_written=True))
    made = summarize_lengths(dossier, Budget.parse("auto"), ready, rest).summaries[-1]
    said = "It says That stays so.", f"It says {BURNED.decode()}"
    assert [each.text for each in made.sentences] == [*said]
    assert [each.sources[0].sentence for each in made.sentences] == [1, 3]
    assert [str(doubt) for doubt in made.sentences[1].doubts] == [
        "where it has the number two, Document 2, sentence 2, has three",
        "where it has the number two, the table, has three",
        "no sentence of the document was found that says it",
    ]
    assert made.budget == Budget(60, automatic=True)
    assert made.timings["summarize"] > 0
    assert [each.text for each in made.notices] == [
        "Left out, as another document says the same: 1 sentence.",
        "It is so.",
        *(f"Document {number}: {text}" for number, text in enumerate((*said, said[1]), start=1)),
        "No sentence comes from Document 3: too small a share of the length, or others say the "
        "same.",
    ]


@pytest.mark.parametrize(
    ("own", "whole_reason"),
    [
        (("document", "document"), "document"),
        (("document", "nothing_fits"), "budget"),
        (("model_limit", "document"), "budget"),
        (("nothing_fits", "nothing_fits"), "nothing_fits"),
    ],
)
def test_it_ends_for_the_reason_of_all_or_as_nothing_more_fits(own, whole_reason) -> None:
    reasons = iter(own)

    class Ends(Writes):
        def lengths(self, request, budgets):
            for made in super().lengths(request, budgets):
                yield replace(made, finish_reason=next(reasons))

    system = Separately(Ends(), [Ends(), Ends()])
    request = Request(TWO, Budget(60), focus="dams", seed=3)
    (made,) = system.lengths(request, [request.budget])
    assert (made.finish_reason, made.system, made.seed) == (whole_reason, "writes", 3)
    assert made.settings == {"focus": "dams"}
    # Nothing is taken of a summary that says that nothing fits.
    assert len(made.sentences) == 2 - own.count("nothing_fits")
    assert [each.step for each in made.sentences] == [*range(len(made.sentences))]
    assert [each.sentences_read for each in made.coverage.members] == [1, 1]
    # Neither repeats the other.
    assert [each.kind for each in made.notices] == ["language", "focus", "focus"]


# A quarter is the least share, or thirty words; four of its words are used, or no sentence.
@pytest.mark.parametrize(
    ("length", "first", "second"), [("40", 10, 40 - 4), ("400", 30, 400 - 4), ("4s", 1, 4)]
)
def test_the_smallest_share_is_spent_first_and_its_rest_passed_on(
    length: str, first: int, second: int
) -> None:
    asked: list[tuple[str, int]] = []

    class Notes(Writes):
        def lengths(self, request, budgets):
            asked.append((request.document.text, int(budgets[0].amount)))
            yield from super().lengths(request, budgets)

    long, short = b"The mill of the town is very old. " * 9 + BURNED, b"It is."
    dossier = joined([longsum.read_bytes(each) for each in (long, short)])
    ready, rest = prepared(
        Notes(), dossier, Options(as_written=True, progress=print, work=Path("w"))
    )
    assert (rest.progress, rest.work, rest.at_once, rest.as_written) == (None, None, True, True)
    summarize_lengths(dossier, Budget.parse(length), ready, rest)
    assert asked[-2:] == [("It is.", first), (dossier.members[0].document.text, second)]


@pytest.mark.parametrize("left", [0, 1])
def test_reading_all_documents_as_one_counts_as_reading_each_if_complete(left: int) -> None:
    class ReadsAll(Writes):
        def reads_at_once(self, _document):
            return None

        def lengths(self, request, budgets):
            for made in super().lengths(request, budgets):
                total = made.coverage.sentences_total
                own = (Notice("own_summary", "It stood there."), Notice("writing", "It was said."))
                yield replace(made, coverage=Coverage(total - left, total, ()), notices=own)

        def estimate(self, _request):
            return "much"

    ready, rest = prepared(ReadsAll(), TWO, Options(as_written=True))
    (made,) = summarize_lengths(TWO, Budget(40), ready, rest).summaries
    assert isinstance(made.coverage, CoverageByDocument) == (not left)
    assert made.coverage.sentences_read == len(TWO.sentences) - left
    assert [note.text for note in made.notices][:1] == ["It was said."]
    assert ready.estimate(Request(TWO, Budget(40))) == "much"


def test_only_the_sentences_of_the_summary_of_a_divided_document_are_ranked() -> None:
    graph = longsum.load_system("graph")

    class Divided(Writes):
        def lengths(self, request, budgets):
            (made,) = graph.lengths(request, budgets)
            # The first of its sources is the one that a sentence repeats.
            last = SourceSpan.of(request.document, len(request.document.sentences) - 1)
            yield replace(
                made, sentences=[replace(s, sources=(*s.sources, last)) for s in made.sentences]
            )

    request = Request(
        longsum.read_bytes(b"The dam is old. It rains. The dam holds a lake."), Budget(9)
    )
    ranked = _ranked(Divided(), request)
    (made,) = graph.lengths(request, [request.budget])
    chosen = [each.sources[0].sentence for each in sorted(made.sentences, key=lambda s: s.step)]
    assert 1 < len(chosen) < 3
    assert ranked.exhausted == "model_limit"
    assert np.flatnonzero(ranked.candidates).tolist() == sorted(chosen)
    scores, shares_of = ranked.ranking.scores()
    assert ranked.coverage == made.coverage
    assert {name: [*share] for name, share in shares_of.items()} == {"order": [*scores]}
    assert sorted(chosen, key=lambda place: -scores[place]) == chosen
    beside = Together(graph, [graph, Divided()]).rank(Request(TWO, Budget(9)))
    assert beside.exhausted == "model_limit"


def test_choices_from_a_document_change_its_scores_until_all_are_chosen() -> None:
    chosen: list[int] = []
    ranking = SimpleNamespace(
        choose=chosen.append, scores=lambda: (np.full(2, 2.0 - 1 / (2 - len(chosen))), {})
    )
    two, one = longsum.read_bytes(b"It is. It was."), longsum.read_bytes(b"So it is.")
    ranked = [Ranked(ranking), Ranked(FixedRanking(np.zeros(1), "order"))]
    made = MembersRanking(joined([one, two]).members, ranked[::-1], [0.5, 0.5])
    assert made.scores()[0].tolist() == [0, 1.5, 1.5]
    made.choose(2)
    assert made.scores()[0].tolist() == [0, 1, 1]
    # Of nothing there are no scores.
    made.choose(1)
    assert chosen == [1, 0]


@pytest.mark.parametrize("system", [longsum.load_system("graph"), Writes()])
def test_a_systems_settings_and_name_are_those_of_the_system(system: System) -> None:
    ready, _ = prepared(system, TWO)
    for name in ("name", "settings", "identity", "writes", "nests", "ends", "takes_focus"):
        assert getattr(ready, name) == getattr(system, name)
