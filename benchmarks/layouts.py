"""Is the same content read as the same text in every layout? Documents of eleven genres.

Run: python benchmarks/layouts.py [--layouts TEXT …] [--documents NAME …] [--summaries] [--show]
     [--by-document] [--json FILE]

Each document (`layout_works.py`) is written in Markdown and in some seventy other layouts. For each
layout, over all documents, it prints the share of the Markdown's sentences that the layout's
reading has too, word for word, as material for summaries; the share of headings (in brackets if the
layout does not mark them), and the number of false ones; words of prose that are in no sentence of
the reading; and warnings. With `--summaries`: the share of the sentences of the Markdown's summary
of 150 words that the layout's has too. White space, and the forms of quotes, dashes and hyphens,
are not compared; a layout's label before a paragraph (`[0001]`, `1.`) may be in its sentence.
Marked with `!`, as below the bar, is less than 97 % of the sentences (90 % if a layout does not
show where paragraphs end or which lines are headings), less than 90 % of the headings, or any word
of prose lost. Layouts whose programs are not installed are skipped.
"""

import argparse
import json
import re
import sys
import time
import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import longsum
from layout_markup import markdown_of, markup_layouts
from layout_packed import packed_layouts
from layout_pdf import converted, pdf_layouts
from layout_plain import plain_layouts
from layout_works import EVERY, Layout, MissingError, Work, works
from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.documents.model import Sentence
from longsum.documents.readers.detect import parse
from prose import normal, runs_of_prose, trigrams, uncovered

SENTENCES, LOSSY, HEADINGS = 0.97, 0.90, 0.90
_NUMBER = re.compile(r"(?:\d+(?:\.\d+)*\.?|[IVX]+\.)\s+(?=\S)")
_SPEAKER = r"[A-Z][A-Z .]+:"


@dataclass(slots=True)
class Score:
    """Results for one document, or for several together.

    Attributes:
        sentences: Sentences that are found, and all.
        headings: Headings that are found, and all.
        marked: Whether the layout marks headings.
        wrong: False headings.
        lost: Words of prose that are in no sentence.
        warnings: Warnings of the reader.
        summary: Sentences of the summary that are found, and all.
        refused: Documents that were refused.
        first: The first sentences that are missing, and the headings.
    """

    sentences: list[int] = field(default_factory=lambda: [0, 0])
    headings: list[int] = field(default_factory=lambda: [0, 0])
    wrong: int = 0
    lost: int = 0
    warnings: int = 0
    summary: list[int] = field(default_factory=lambda: [0, 0])
    refused: int = 0
    seconds: float = 0.0
    first: list[str] = field(default_factory=list)

    def add(self, other: "Score") -> None:
        """Add another score."""
        for name in ("sentences", "headings", "summary"):
            mine, theirs = getattr(self, name), getattr(other, name)
            setattr(self, name, [a + b for a, b in zip(mine, theirs, strict=True)])
        for name in ("wrong", "lost", "warnings", "refused", "seconds", "first"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def faults(self, layout: Layout) -> list[str]:
        """Return the respects in which it is below the bar."""
        bar = LOSSY if layout.lossy else SENTENCES
        faults = ["sentences"] if _share(self.sentences) < bar else []
        faults += ["headings"] if layout.marks and _share(self.headings) < HEADINGS else []
        return faults + (["lost"] if self.lost else [])


def _share(counts: Sequence[int]) -> float:
    return counts[0] / counts[1] if counts[1] else 1.0


def all_layouts() -> list[Layout]:
    """Return all layouts, Markdown first."""
    return [*markup_layouts(), *plain_layouts(), *packed_layouts(), *pdf_layouts()]


def _heading(title: str) -> str:
    bare = _NUMBER.sub("", title.strip(), count=1)
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", bare).casefold()))


def sentences_of(sentences: Iterable[Sentence], label: str = "") -> list[str]:
    """Return the sentences that are material for summaries, without labels before them."""
    before = re.compile(rf"(?:(?:{label or '(?!)'})\s+)?(?:{_SPEAKER}\s+)?")
    return [before.sub("", normal(each.text), count=1) for each in sentences if each.is_material]


def lost_words(work: Work, text: str) -> int:
    """Return how many words of a work's sentences of prose a text does not have."""
    known = trigrams(text)
    return sum(
        uncovered(sentence, known)
        for block in work.blocks
        for sentence in (() if block.level else runs_of_prose(block.text))
    )


@dataclass(frozen=True, slots=True)
class Reference:
    """A work, and the reading of its Markdown."""

    work: Work
    sentences: Counter[str]
    summary: Counter[str]


def summary_of(document: Document, label: str = "") -> list[str]:
    """Return the sentences of a summary of 150 words."""
    summary = longsum.summarize(document, length="150w")
    sources = {source.sentence for each in summary.sentences for source in each.sources}
    return sentences_of((document.sentences[number] for number in sources), label)


def reference_of(work: Work, *, summaries: bool = False) -> Reference:
    """Return a work with the sentences of its Markdown."""
    document = parse(markdown_of(work).encode(), f"{work.name}.md")
    summary = summary_of(document) if summaries else ()
    return Reference(work, Counter(sentences_of(document.sentences)), Counter(summary))


def score_of(reference: Reference, layout: Layout, data: bytes) -> Score:
    """Read a file and compare it with its reference."""
    work, score, start = reference.work, Score(), time.perf_counter()
    true = Counter(_heading(t) for level, t in work.headings if level in (layout.marks or EVERY))
    score.headings[1] = true.total()
    score.sentences[1] = reference.sentences.total()
    score.summary[1] = reference.summary.total()
    try:
        document = parse(data, work.name + layout.suffix)
    except LongsumError as error:
        score.refused, score.lost = 1, lost_words(work, "")
        score.first = [f"{work.name}: refused: {error}"]
        return score
    score.seconds = time.perf_counter() - start
    found = Counter(sentences_of(document.sentences, layout.label))
    score.sentences[0] = (reference.sentences & found).total()
    every = [document.title, *(each.title for each in document.walk())]
    titles = Counter(_heading(each) for each in every if each)
    score.headings[0] = (true & titles).total()
    known = {_heading(title) for _, title in work.headings}
    score.wrong = sum(number for title, number in titles.items() if title not in known)
    score.lost = lost_words(work, " ".join(normal(each.text) for each in document.sentences))
    score.warnings = len(document.warnings)
    if reference.summary:
        score.summary[0] = (reference.summary & Counter(summary_of(document, layout.label))).total()
    missing = [each for each in reference.sentences if each not in found]
    extra = [each for each in found if each not in reference.sentences]
    score.first = [f"{work.name}: {sign} {each}" for sign, group in (("-", missing), ("+", extra))
                   for each in group[:3]]  # fmt: skip
    score.first += [f"{work.name}: no heading {t}" for level, t in work.headings
                    if level in layout.marks and _heading(t) not in titles][:2]  # fmt: skip
    score.first += [f"{work.name}: warning: {each}" for each in document.warnings]
    return score


def files_of(
    layouts: Sequence[Layout], chosen: Sequence[Work]
) -> Iterator[tuple[Layout, list[bytes]]]:
    """Yield layouts with their files of all works; report those that cannot be made."""
    missing = dict[str, list[str]]()
    office = _from_office([each for each in layouts if each.converts], chosen, missing)
    for layout in layouts:
        try:
            if not layout.converts:
                yield layout, [layout.write(work) for work in chosen]
            elif (layout.name, chosen[0].name) in office:
                yield layout, [office[layout.name, work.name] for work in chosen]
        except MissingError as error:
            missing.setdefault(str(error), []).append(layout.name)
    for maker, names in missing.items():
        print(f"Skipped, as {maker} is not installed: {'; '.join(names)}.", file=sys.stderr)


def _from_office(
    layouts: Sequence[Layout], chosen: Sequence[Work], missing: dict[str, list[str]]
) -> dict[tuple[str, str], bytes]:
    """Return the files that LibreOffice makes, with one call for each format."""
    made = dict[tuple[str, str], bytes]()
    for to in dict.fromkeys(each.converts for each in layouts):
        own = [each for each in layouts if each.converts == to]
        try:
            made |= converted(
                (((each.name, work.name), each.write(work)) for each in own for work in chosen), to
            )
        except MissingError as error:
            missing.setdefault(str(error), []).extend(each.name for each in own)
    return made


def _print_row(name: str, score: Score, layout: Layout) -> None:
    faults = score.faults(layout)
    headings = f"{_share(score.headings):.1%}"
    if not layout.marks:
        headings = f"({headings})"
    summary = f"{_share(score.summary):9.1%}" if score.summary[1] else ""
    mark = f"  ! {', '.join(faults)}" if faults else ""
    refused = f"  {score.refused} refused" if score.refused else ""
    lossy = "*" if layout.lossy else " "
    print(
        f"{name:38}{_share(score.sentences):8.1%}{lossy}{headings:>10}{score.wrong:7}"
        f"{score.lost:8}{score.warnings:7}{summary}{mark}{refused}"
    )


def _chosen(names: Iterable[str] | None, text: str) -> bool:
    return names is None or any(name.casefold() in text.casefold() for name in names)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--layouts", nargs="*", help="only layouts with these in their names")
    parser.add_argument("--documents", nargs="*", help="such as patent or play; all by default")
    parser.add_argument("--summaries", action="store_true", help="compare summaries too")
    parser.add_argument("--by-document", action="store_true", help="print a row for each document")
    parser.add_argument("--show", action="store_true", help="print the first differences")
    parser.add_argument("--keep", type=Path, help="folder for the files")
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    chosen = [each for each in works() if _chosen(options.documents, each.name)]
    references = [reference_of(each, summaries=options.summaries) for each in chosen]
    layouts = [each for each in all_layouts() if _chosen(options.layouts, each.name)]
    summary = "  summary" if options.summaries else ""
    print(f"{'':38}sentences headings  wrong    lost  warned{summary}")
    scores: dict[str, dict[str, Score]] = {}
    reached = 0
    for layout, files in files_of(layouts, chosen):
        total, own = Score(), scores.setdefault(layout.name, {})
        for reference, data in zip(references, files, strict=True):
            if options.keep:
                _keep(options.keep, layout, reference.work, data)
            own[reference.work.name] = score_of(reference, layout, data)
            total.add(own[reference.work.name])
        reached += not total.faults(layout)
        _print_row(layout.name, total, layout)
        if options.by_document:
            for name, score in own.items():
                _print_row(f"    {name}", score, layout)
        if options.show:
            print("".join(f"      {line[:150]}\n" for line in total.first), end="")
    print(f"{reached} of {len(scores)} layouts reach the bar, over {len(chosen)} documents.")
    if options.json:
        rows = {name: {work: asdict(s) for work, s in by.items()} for name, by in scores.items()}
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def _keep(folder: Path, layout: Layout, work: Work, data: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"\W+", "-", f"{layout.name}-{work.name}").strip("-")
    (folder / f"{name}{layout.suffix}").write_bytes(data)


if __name__ == "__main__":
    main()
