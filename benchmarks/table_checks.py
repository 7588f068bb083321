"""Does the checker of texts against tables find the errors that people marked?

Run: LONGSUM_DATA=… python benchmarks/table_checks.py --part development|final [--wrong]

The texts are those of the accuracy shared task (Thomson and Reiter 2020): systems wrote them about
60 games, and people marked every error with its category. It prints

- by mark: of the marks of each category, how many share a token with a flag, of a word for WORD, of
  a number or a name for all others (recall);
- by flag: of the flags of numbers and names, how many share a token with a mark of NUMBER or NAME
  (precision), in all and by reason: the table has something else, or nothing at all; and of the
  flags of words, how many share one with a mark of WORD;
- as the shared task scores: marks in order each use up one flag that shares a token with them;
  recall and precision are their number over all marks and over all flags. By category, only flags
  of that category count; "all" are all six categories and all flags. Tokens are scored by
  themselves.

`--wrong` lists the flags and marks without a match, for development only.
"""

import argparse
from collections import Counter
from collections.abc import Sequence

from longsum.tables.checks.checking import Flag
from longsum.tables.checks.text_checks import check_text
from rotowire_texts import PARTS, MarkedText, marked_texts

MEANT = {"number": "NUMBER", "name": "NAME", "word": "WORD"}
CATEGORIES = ("NUMBER", "NAME", "WORD", "CONTEXT", "NOT_CHECKABLE", "OTHER")
AIM = ("NUMBER", "NAME")

Flagged = tuple[frozenset[int], Flag]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", choices=PARTS, required=True)
    parser.add_argument("--wrong", action="store_true", help="list what does not match")
    arguments = parser.parse_args()
    if arguments.wrong and arguments.part == "final":
        parser.error("--wrong is for the development part; the final texts are not looked at.")
    texts = marked_texts(arguments.part)
    flags = [flags_of(text) for text in texts]
    print(f"{len(texts)} texts, {sum(len(text.marks) for text in texts)} marks")
    by_mark(texts, flags)
    by_flag(texts, flags)
    as_the_shared_task(texts, flags)
    if arguments.wrong:
        for text, own in zip(texts, flags, strict=True):
            list_wrong(text, own)


def flags_of(text: MarkedText) -> list[Flagged]:
    """Return the flags of a text with the tokens of each."""
    found = check_text(text.table, text.text).placed
    return [(text.tokens(*span), flag) for span, flag in found]


def by_mark(texts: Sequence[MarkedText], flags: Sequence[Sequence[Flagged]]) -> None:
    """Print recall."""
    found, all_ = Counter[str](), Counter[str]()
    for text, own in zip(texts, flags, strict=True):
        for mark in text.marks:
            words = mark.category == "WORD"
            all_[mark.category] += 1
            found[mark.category] += any(
                tokens & mark.tokens and (flag.kind == "word") == words for tokens, flag in own
            )
    print("\nby mark          found  of  recall")
    for category in CATEGORIES:
        _print(category, found[category], all_[category])
    _print("NUMBER and NAME", *(sum(count[each] for each in AIM) for count in (found, all_)))


def by_flag(texts: Sequence[MarkedText], flags: Sequence[Sequence[Flagged]]) -> None:
    """Print precision."""
    right, all_ = Counter[str](), Counter[str]()
    for text, own in zip(texts, flags, strict=True):
        for tokens, flag in own:
            wanted = ("WORD",) if flag.kind == "word" else AIM
            hit = any(mark.tokens & tokens and mark.category in wanted for mark in text.marks)
            groups = [f"{flag.kind}, {flag.ground}"]
            groups += ["numbers and names"] if flag.kind != "word" else []
            groups += [f"both, {flag.ground}"] if flag.kind != "word" else []
            for group in groups:
                all_[group] += 1
                right[group] += hit
    print("\nby flag          right  of  precision")
    for group in sorted(all_):
        _print(group, right[group], all_[group])


def as_the_shared_task(texts: Sequence[MarkedText], flags: Sequence[Sequence[Flagged]]) -> None:
    """Print recall and precision of errors and of tokens, as in the shared task's script."""
    print("\nas the shared task scores   recall  precision   of tokens: recall  precision")
    for name, categories in (("all", CATEGORIES), *((each, (each,)) for each in CATEGORIES[:3])):
        matched = marks = made = 0
        both = marked = flagged = 0
        for text, own in zip(texts, flags, strict=True):
            wanted = [mark for mark in text.marks if mark.category in categories]
            left = [tokens for tokens, flag in own if MEANT[flag.kind] in categories]
            made, marks = made + len(left), marks + len(wanted)
            truth = frozenset[int]().union(*(mark.tokens for mark in wanted))
            said = frozenset[int]().union(*left)
            both, marked, flagged = (
                both + len(truth & said),
                marked + len(truth),
                flagged + len(said),
            )
            for mark in wanted:
                hit = next((tokens for tokens in left if tokens & mark.tokens), None)
                if hit is not None:
                    left.remove(hit)
                    matched += 1
        print(
            f"{name:27} {matched / marks:6.1%} {matched / made:9.1%}"
            f" {both / marked:18.1%} {both / flagged:9.1%}"
        )


def list_wrong(text: MarkedText, flags: Sequence[Flagged]) -> None:
    """Print flags and marks that have no match."""
    words = text.text.split(" ")
    for tokens, flag in flags:
        wanted = ("WORD",) if flag.kind == "word" else AIM
        if not any(mark.tokens & tokens and mark.category in wanted for mark in text.marks):
            print(f"{text.name} flag {flag.kind} {_around(words, tokens)} | {flag.message}")
    for mark in text.marks:
        if not any(tokens & mark.tokens for tokens, _ in flags):
            print(f"{text.name} mark {mark.category} {_around(words, mark.tokens)}")


def _around(words: Sequence[str], tokens: frozenset[int]) -> str:
    first, last = min(tokens), max(tokens) + 1
    before, after = words[max(0, first - 8) : first], words[last : last + 6]
    return " ".join([*before, "[", *words[first:last], "]", *after])


def _print(name: str, part: int, whole: int) -> None:
    print(f"{name:18} {part:4} {whole:4}  {part / whole if whole else 0:6.1%}")


if __name__ == "__main__":
    main()
