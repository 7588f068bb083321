import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path

import pytest

from document_views import document_of
from longsum import LongsumError, load_system
from longsum.core.grounding.verification import Verifier
from longsum.core.loading import build_system, over_prototype
from longsum.core.magnifier.length_control import LengthControlled
from longsum.core.recipes import Recipe, load_recipe
from longsum.core.recursive import part_store
from longsum.core.recursive.level_builder import LevelBuilder
from longsum.core.recursive.part_store import PartReader, PartStore
from longsum.core.recursive.parts import RecursiveConfig
from longsum.core.recursive.stages import Stage, carried
from longsum.core.recursive.summarizer import RecursiveSummarizer, in_parts
from longsum.core.summaries import Budget, Coverage, Rival, SourceSpan, Summary, SummarySentence
from longsum.core.systems.system import Request, System
from longsum.documents import Document, DocumentBuilder
from longsum.language.words import count_words
from longsum.models.writing.generating import GeneratingWriter
from longsum.models.writing.summarizer import AbstractiveSummarizer
from summary_views import picked


@pytest.fixture(scope="module")
def book(example: Document) -> Document:
    """Make a book of three chapters with two sections each, ten sentences per section."""
    texts = [sentence.text for sentence in example.sentences if len(sentence.text) < 160]
    builder = DocumentBuilder()
    for number in range(9):
        # One of them is a sentence, as the headings of risks in annual reports are.
        title = f"Chapter {number}{' may be longer than others are' * 4 if number == 3 else ''}."
        builder.inferred_heading(1 if number % 3 == 0 else 2, title)
        for paragraph in range(2):
            start = 10 * number + 5 * paragraph
            builder.sentences(texts[start : start + 5])
    return builder.build("A book")


@pytest.fixture(scope="module")
def leaflet(example: Document) -> Document:
    """Make a document of three sections of ten sentences."""
    texts = [sentence.text for sentence in example.sentences if len(sentence.text) < 160]
    return document_of(
        *((f"# Section {number}", [*texts[10 * number : 10 * number + 10]]) for number in range(3)),
        title="A leaflet",
    )


SMALL = {"undivided": 100, "least_words": 20, "part_words": 200, "compression": 0.4}


def test_a_document_is_divided_into_chapters_that_are_summarized_separately(
    book: Document, leaflet: Document
) -> None:
    def parts(system: RecursiveSummarizer, document: Document) -> list[str]:
        made = system.by_chapters(document).summarize(document, Budget(60))
        return [part.title for part in made.levels[0].parts] if made.levels else []

    settings = {"undivided": 9999, "least_words": 20, "part_words": None, "compression": 0.4}
    once = _system(**settings)
    assert not once.divides(leaflet)
    assert parts(once, leaflet) == [f"Section {number}" for number in range(3)]
    assert parts(once, book) == ["Chapter 0.", book.sections[1].title, "Chapter 6."]
    # A document that is divided anyway, or has one section or a short one, stays as it is.
    one = document_of("# Alone", [sentence.text for sentence in book.sentences])
    short = document_of(
        *("# Long", [sentence.text for sentence in book.sentences]), "# Short", "It is."
    )
    for system, document in ((_system(), book), (once, one), (once, short)):
        assert system.by_chapters(document) is system
    chapters = once.by_chapters(book)
    assert chapters.divides(book)
    assert once.resuming_in(None, print) is not once


def _system(chapters: str = "graph", whole: str | None = "graph", **changed) -> RecursiveSummarizer:
    settings = {"chapters": chapters, "whole": whole, **SMALL, **changed}
    system = build_system(Recipe("r", "", "", "recursive", settings))
    assert isinstance(system, RecursiveSummarizer)
    return system


def test_summaries_of_parts_are_divided_between_parts(book: Document) -> None:
    for part_words in (60, 90, 120):
        made = _system(whole_words=60, part_words=part_words, undivided=50).summarize(
            book, Budget(30)
        )
        assert len(made.levels) > 1
        for below, above in pairwise(made.levels):
            ends = {*accumulate(part.words for part in below.parts)}
            assert {*accumulate(part.part_words for part in above.parts)} <= ends
            assert len(above.parts) <= len(ends)


SYSTEMS = {
    "two": _system,
    "three": lambda: _system(whole_words=100),
    "importance": lambda: _system(split="importance"),
    "paragraphs, joined": lambda: _system(whole=None, division="paragraphs"),
    "length": lambda: _system(chapters="lead", division="length"),
    "planned": lambda: _system(chapters="systematic", whole="kernels"),
}


@pytest.mark.parametrize("make", SYSTEMS.values(), ids=SYSTEMS)
class TestEveryExtractiveSystem:
    def test_sentences_are_copied_in_the_books_order(self, make, book) -> None:
        summary = make().summarize(book, Budget(120))
        order = picked(summary)
        assert order == sorted(set(order))
        assert order
        assert summary.finish_reason == "budget"
        for sentence in summary.sentences:
            (source,) = sentence.sources
            assert book.text[source.start : source.end] == sentence.text
            assert book.section_of(source.sentence).number == source.section
            assert sum(sentence.reasons.values()) == pytest.approx(sentence.score, abs=1e-9)
            assert sentence.doubts == ()

    def test_every_level_is_a_shorter_extract_of_the_one_below(self, make, book) -> None:
        system = make()
        summary = system.summarize(book, Budget(60))
        words = sum(count_words(sentence.text) for sentence in book.sentences)
        known = set(range(len(book.sentences)))
        for level in summary.levels:
            held = {s.sources[0].sentence for part in level.parts for s in part.sentences}
            assert held < known
            assert level.words <= 0.4 * words
            assert all(part.words <= part.budget for part in level.parts)
            words, known = level.words, held
        assert set(picked(summary)) <= known
        assert "was not read at once" in summary.warnings[0]

    def test_a_larger_budget_never_gives_less_and_lengths_nest(self, make, book) -> None:
        budgets = [Budget(words) for words in (10, 80, 185, 290, 465)]
        ladder = make().at_lengths(book, budgets, start=2)
        reached = [rung.words for rung in ladder.summaries]
        assert reached == sorted(reached)
        assert all(words <= asked.amount for words, asked in zip(reached, budgets, strict=True))
        assert ladder.summaries[ladder.start] == make().summarize(book, budgets[2])
        for below, above in pairwise(ladder.summaries):
            assert set(picked(below)) <= set(picked(above))


@pytest.mark.parametrize("name", ["three", "paragraphs, joined"])
def test_beyond_the_last_level_the_levels_below_fill_the_length(name, book) -> None:
    everything = SYSTEMS[name]().summarize(book, Budget(100, "percent"))
    assert picked(everything) == list(range(len(book.sentences)))
    assert everything.finish_reason == "document"
    assert "given whole" in everything.warnings[-1]
    most = SYSTEMS[name]().summarize(book, Budget(70, "percent"))
    last = {s.sources[0].sentence for part in most.levels[-1].parts for s in part.sentences}
    assert last < set(picked(most))
    assert most.reached > 68


def test_a_short_document_is_read_at_once(small: Document) -> None:
    at_once = load_system("graph").summarize(small, Budget(40), seed=1)
    whole = _system(undivided=5000).summarize(small, Budget(40), seed=1)
    assert whole.sentences == at_once.sentences
    assert (whole.levels, whole.warnings) == ((), at_once.warnings)
    assert _system().shortening(False).settings["shorten"] is False


def test_sentences_copied_into_a_level_keep_their_kind(book) -> None:
    texts = [[sentence.text for sentence in section.sentences] for section in book.sections]
    chapters = ((f"# Chapter {number}", said) for number, said in enumerate(texts))
    listed = (
        f"[{number}] Available from https://example.org/rfc{number}.txt." for number in range(20)
    )
    document = document_of(*chapters, "# References", *listed, title="A book")
    reader = PartReader(load_system("graph"))
    levels = LevelBuilder(document, RecursiveConfig(**SMALL), reader, reader).stages()
    above = levels[1]
    kinds = [document.sentences[sources[0].sentence].kind for sources in above.origins]
    assert [sentence.kind for sentence in above.document.sentences] == kinds
    assert "reference" in kinds


def test_a_focus_is_used_on_every_level(book) -> None:
    system = _system()
    assert system.takes_focus
    plain, focused = (
        system.summarize(book, Budget(60), focus=focus) for focus in (None, "electricity prices")
    )
    assert focused.levels != plain.levels
    assert focused.settings["focus"] == "electricity prices"
    with pytest.raises(LongsumError, match="takes no focus"):
        _system(whole="lead").summarize(book, Budget(60), focus="electricity")


class _Counting(System):
    """A system that counts its calls, and fails when told to."""

    name = "counting"
    settings: dict[str, object] = {}  # noqa: RUF012

    def __init__(self, fail_at: int | None = None) -> None:
        self.calls = 0
        self._fail_at = fail_at
        self._system = load_system("graph")

    def lengths(self, *arguments):
        self.calls += 1
        if self.calls == self._fail_at:
            raise KeyboardInterrupt
        return self._system.lengths(*arguments)


class TestWorkingFolder:
    def _make(self, counting: _Counting, folder: Path, **changed) -> RecursiveSummarizer:
        config = RecursiveConfig(chapters="counting", whole="counting", **{**SMALL, **changed})
        return RecursiveSummarizer("r", config, counting, counting).resuming_in(folder, None)

    def test_an_interrupted_run_resumes_to_the_same_result(self, book, tmp_path) -> None:
        with pytest.raises(KeyboardInterrupt):
            self._make(_Counting(fail_at=4), tmp_path).summarize(book, Budget(60))
        files = sorted(tmp_path.iterdir())
        assert len(files) == 3
        untouched = [path.stat().st_mtime_ns for path in files]
        again, fresh = _Counting(), _Counting()
        resumed = self._make(again, tmp_path).summarize(book, Budget(60))
        whole = self._make(fresh, tmp_path / "other").summarize(book, Budget(60))
        assert again.calls == fresh.calls - 3
        assert resumed == whole
        assert [path.stat().st_mtime_ns for path in files] == untouched
        names = {path.name: path.read_bytes() for path in (tmp_path / "other").iterdir()}
        assert {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.is_file()} == names
        another = _Counting()
        self._make(another, tmp_path).summarize(book, Budget(80))
        assert another.calls == 1  # another length finds all parts

    def test_parts_read_in_parallel_give_the_same_result(self, book, tmp_path, monkeypatch) -> None:
        alone = self._make(_Counting(), tmp_path / "alone").summarize(book, Budget(60))
        monkeypatch.setattr("longsum.common.threads._pools", lambda: (None, True))
        monkeypatch.setenv("OMP_NUM_THREADS", "3")
        shared = _Counting()
        shared.concurrent = True
        assert self._make(shared, tmp_path / "shared").summarize(book, Budget(60)) == alone
        names = [{path.name for path in (tmp_path / of).iterdir()} for of in ("alone", "shared")]
        assert names[0] == names[1]

    def test_a_stored_part_is_found_only_for_the_same_request(
        self, small, tmp_path, monkeypatch
    ) -> None:
        system, request = load_system("graph"), Request(small, Budget(60), "rivers", 0)
        store = PartStore(tmp_path)
        store.save(system, request, system.summarize(small, Budget(60), focus="rivers"))
        assert store.load(system, request) is not None
        others = [{"focus": "prices"}, {"focus": None}, {"seed": 1}]
        for other in [
            *others,
            *({"budget": each} for each in (Budget(61), Budget(60, "sentences"))),
        ]:
            assert store.load(system, replace(request, **other)) is None, other
        # The weights are not hashed for every part.
        monkeypatch.setattr(type(system), "identity", "others")
        assert store.load(system, request) is not None

    def test_a_damaged_file_is_made_again(self, book, tmp_path) -> None:
        summary = self._make(_Counting(), tmp_path).summarize(book, Budget(60))
        first, second, third, fourth, fifth, sixth, *_ = files = sorted(tmp_path.iterdir())
        held = {path: path.read_bytes() for path in files}
        first.write_bytes(held[first][: len(held[first]) // 2])
        second.write_bytes(b"")
        changed = json.loads(held[third])
        changed["summary"]["sentences"].clear()
        third.write_text(json.dumps(changed))
        fourth.unlink()
        fourth.symlink_to(mine := tmp_path.parent / "mine")
        mine.write_text("mine")
        fifth.write_bytes(held[sixth])
        forged = json.loads(held[sixth])["summary"]
        forged["sentences"][0]["sources"][0]["sentence"] = 10**6
        checksum = part_store._sha256([sixth.name, forged])
        sixth.write_text(json.dumps({"summary": forged, "sha256": checksum}))
        again = _Counting()
        assert self._make(again, tmp_path).summarize(book, Budget(60)) == summary
        assert again.calls == 6
        assert mine.read_text() == "mine"
        assert {path: path.read_bytes() for path in files} == held

    def test_everything_that_explains_a_choice_is_stored(self, book, tmp_path) -> None:
        magnified = over_prototype(load_recipe("mls"), "lead").with_settings({"natural": "40w"})
        system, request = build_system(magnified), Request(book, Budget(150), None, 0)
        summary = system.summarize(book, request.budget)
        assert any(sentence.rivals for sentence in summary.sentences)
        store = PartStore(tmp_path)
        store.save(system, request, summary)
        assert store.load(system, request).sentences == summary.sentences

    def test_a_folder_that_cannot_be_made_is_refused(self, tmp_path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(LongsumError, match=r"working folder .* cannot be used"):
            PartStore(tmp_path / "file")


class _Rewriter(System):
    """Reads 60 words and rewrites as much of them as the length allows."""

    name = "rewriter"
    writes = True
    settings: dict[str, object] = {}  # noqa: RUF012

    def words_read(self, document: Document) -> int:  # noqa: ARG002
        return 67

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        document = request.document
        words = accumulate(count_words(sentence.text) for sentence in document.sentences)
        known = sum(count <= 60 for count in words)
        for budget in budgets:
            sentences: list[SummarySentence] = []
            for place, sentence in enumerate(document.sentences[:known]):
                text = f"So {sentence.text}"
                spent = sum(map(budget.cost, [*(each.text for each in sentences), text]))
                if spent <= budget.capacity(document):
                    source = SourceSpan.of(document, place, 0.5, "aligned")
                    reasons = {"overlap": 0.5}
                    sentences.append(SummarySentence(text, (source,), 0.5, reasons, place))
            yield Summary(
                document=document,
                sentences=tuple(sentences),
                budget=budget,
                coverage=Coverage.of(document, range(known)),
                system=self.name,
                finish_reason="budget" if sentences else "nothing_fits",
            )


class _Silent(_Rewriter):
    """Writes nothing about a part."""

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        for summary in super().lengths(request, budgets):
            if len(request.document.sentences) > 50:
                yield summary
            else:
                yield replace(summary, sentences=(), finish_reason="nothing_fits")


class _Inventor(_Rewriter):
    """Writes sentences that have no source."""

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        for summary in super().lengths(request, budgets):
            bare = (replace(sentence, sources=()) for sentence in summary.sentences)
            yield replace(summary, sentences=tuple(bare))


class TestWriting:
    def _make(
        self, whole: System | None, chapters: System | None = None, **changed
    ) -> RecursiveSummarizer:
        settings = {"undivided": 60, "least_words": 20, "compression": 0.6, **changed}
        named = None if whole is None else whole.name
        config = RecursiveConfig(chapters="rewriter", whole=named, **settings)
        return RecursiveSummarizer("r", config, chapters or _Rewriter(), whole)

    @pytest.mark.parametrize("budget", ["150w", "5s", "30%", "0.01%"])
    def test_written_sentences_have_sources_in_the_book_and_keep_to_the_length(
        self, leaflet, budget
    ) -> None:
        summary = self._make(_Rewriter()).summarize(leaflet, Budget.parse(budget))
        assert summary.reached <= summary.budget.amount
        assert bool(summary.sentences) is (budget != "0.01%")
        assert summary.coverage.sentences_read > 0.8 * len(leaflet.sentences)
        for sentence in summary.sentences:
            (source,) = sentence.sources
            written = sentence.text
            while written.startswith("So "):
                written = written.removeprefix("So ")
            assert leaflet.text[source.start : source.end] == written
            # The score is halved at each level.
            times = (len(sentence.text) - len(written)) // len("So ")
            assert source.score == 0.5**times
            assert source.method == "aligned"

    def test_an_unsupported_sentence_of_a_part_stays_unsupported_in_the_whole(
        self, leaflet
    ) -> None:
        summary = self._make(_Inventor(), _Inventor()).summarize(leaflet, Budget(150))
        assert summary.sentences
        assert not any(sentence.sources for sentence in summary.sentences)

    def test_levels_are_added_until_the_last_is_read_at_once(self, book) -> None:
        summary = self._make(_Rewriter()).summarize(book, Budget(20))
        assert len(summary.levels) >= 3
        assert summary.levels[-1].words <= 60 < summary.levels[-2].words
        words = [part.part_words for level in summary.levels for part in level.parts]
        assert max(words) <= 60
        # None is shorter than the requested length.
        summary = self._make(_Rewriter()).summarize(book, Budget(300))
        assert 200 < summary.words <= 300
        assert [s.text for part in summary.levels[-1].parts for s in part.sentences] == [
            sentence.text for sentence in summary.sentences
        ]
        assert sum(part.budget for part in summary.levels[-1].parts) == 300
        # The first level has 887 words; the book has 1.15 tokens for each of its words.
        found = [self._make(_Rewriter()).summarize(book, Budget.parse(b)) for b in ("900w", "900t")]
        assert [len(summary.levels) for summary in found] == [1, 2]

    def test_an_extractor_over_what_a_model_wrote(self, book) -> None:
        budgets = [Budget(words) for words in (20, 60, 90)]
        ladder = self._make(load_system("graph")).at_lengths(book, budgets, start=1)
        written = {
            s.text: s for part in ladder.summaries[0].levels[0].parts for s in part.sentences
        }
        held: set[str] = set()
        for rung in ladder.summaries:
            texts = {sentence.text for sentence in rung.sentences}
            assert held < texts <= set(written)
            held = texts
            for sentence in rung.sentences:
                assert sentence.sources == written[sentence.text].sources
                assert sentence.runner_up is None
        assert ladder.summaries[1] == self._make(load_system("graph")).summarize(book, Budget(60))

    def test_parts_alone_are_joined(self, book) -> None:
        summary = self._make(None, whole_words=1).summarize(book, Budget(200))
        assert summary.finish_reason == "budget"
        (level,) = summary.levels
        assert [s.text for part in level.parts for s in part.sentences] == [
            sentence.text for sentence in summary.sentences
        ]
        assert [sentence.step for sentence in summary.sentences] == list(
            range(len(summary.sentences))
        )

    def test_if_no_part_has_a_summary_the_text_is_read_at_once(self, book) -> None:
        summary = self._make(_Silent(), _Silent()).summarize(book, Budget(40))
        assert summary.sentences
        assert summary.levels == ()
        assert "No part has a summary with a sentence" in summary.warnings[0]
        assert summary.coverage.sentences_read < len(book.sentences)

    def test_tokens_are_those_of_the_last_model(self, make_model, tokenizer, book) -> None:
        writer = AbstractiveSummarizer(GeneratingWriter(make_model(), tokenizer), name="tiny")
        for system in (self._make(writer), LengthControlled(self._make(writer))):
            budget = system.counting(Budget(40, "tokens"))
            assert budget.cost(book.text) == writer.writer.count(book.text)
        found = LengthControlled(self._make(load_system("graph"), load_system("graph")))
        assert found.counting(Budget(40, "tokens")).cost("A, b.") == 4

    def test_what_a_system_cannot_read_at_once_is_divided(self, leaflet) -> None:
        found = in_parts(_Rewriter(), leaflet)
        assert isinstance(found, RecursiveSummarizer)
        assert found.settings["undivided"] == 60
        assert found.summarize(leaflet, Budget(30)).levels
        for system in map(load_system, ("kernels", "stepwise")):
            assert in_parts(system, leaflet) is system
        assert (writer := _Rewriter()).shortening(False) is writer


def test_sources_are_carried_through_a_written_level(small: Document) -> None:
    """Scores multiply; a source is copied only if it was at both levels."""
    spans = [SourceSpan.of(small, place) for place in range(9)]
    below = Stage(
        small, [(replace(spans[1], score=0.5, method="aligned"), spans[4]), (spans[4],), ()]
    )
    written = SummarySentence(
        text="Floods damaged bridges and roads.",
        sources=(
            replace(spans[0], score=0.8, method="aligned"),
            replace(spans[1], score=0.6, method="attention"),
            replace(spans[2], score=0.4),
        ),
        score=0.8,
        reasons={"overlap": 0.8},
        step=0,
        runner_up=1,
        rivals=(Rival((1, 1), 0.5, 0), Rival((1, 0), 0.4, 0)),
    )
    verifier = Verifier([sentence.text for sentence in small.sentences])
    found = carried(written, verifier, below, range(9))
    assert [(s.sentence, s.score, s.method) for s in found.sources] == [
        (4, 0.8, "aligned"),
        (1, 0.4, "aligned"),
    ]
    assert found.runner_up == 4
    assert found.rivals == (Rival((4, 4), 0.5, 0),)
    assert found.doubts == ()
    assert carried(replace(written, text="Dams cost 7 billion."), verifier, below, range(9)).doubts


def test_settings_are_complete_and_impossible_ones_refused() -> None:
    system = load_system("books", compression=0.2, chapters="graph")
    assert system.settings["chapters_settings"] == {"damping": 0.85, "tolerance": 1e-9}
    assert system.settings["compression"] == 0.2
    for settings in ({"compression": 1.0}, {"division": "pages"}, {"part_words": 0}):
        with pytest.raises(LongsumError, match="'books' cannot be used"):
            load_system("books", **settings)
    with pytest.raises(LongsumError, match="no system 'nothing'"):
        load_system("books", chapters="nothing")


class TestProgress:
    def test_each_part_of_each_level_is_reported_in_turn(
        self, book: Document, tmp_path: Path
    ) -> None:
        heard: list[tuple[int, int, int]] = []
        system = _system("lead", "lead", whole_words=100)
        # Stored parts are reported as well.
        for folder in (None, tmp_path, tmp_path):
            heard.clear()
            reporting = in_parts(system, book, folder, lambda *numbers: heard.append(numbers))
            summary = reporting.summarize(book, Budget(60))
            assert summary == system.summarize(book, Budget(60))
            lengths = [len(level.parts) for level in summary.levels]
            assert [total for _, done, total in heard if done == total] == lengths
        assert any(tmp_path.iterdir())
        levels = {level for level, _, _ in heard}
        assert levels == set(range(1, len(levels) + 1))
        assert len(levels) > 1
        for level in levels:
            counts = [(done, total) for number, done, total in heard if number == level]
            assert counts == [(done, len(counts)) for done in range(1, len(counts) + 1)]
        # Nothing is reported of a text that is read at once.
        heard.clear()
        at_once = _system("lead", "lead", undivided=10**6)
        in_parts(at_once, book, progress=lambda *numbers: heard.append(numbers)).summarize(
            book, Budget(60)
        )
        assert heard == []
