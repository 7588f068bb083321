"""What does each reading rule change in files that it was not written on?

Run: python benchmarks/reading_rules.py FOLDER… [--rule WORDS] [--show N]

Every file below the folders (`unseen_files.py` fetches some) is read with all rules, and once more
without each. It prints the files and lines that are read differently: a line is a sentence with its
kind and speaker, or an omitted part. `--show N` prints N of a rule's lines, drawn by a seed, first
as read without the rule (-), then with it (+). Whether they are right is up to a person;
`docs/reading.md` has such judgements.
"""

import argparse
import gzip
import random
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.documents import conservation, speakers
from longsum.documents.fitness import forms, kinds
from longsum.documents.readers.detect import parse
from longsum.documents.readers.html import html
from longsum.documents.readers.plain import markdown, plain_layout, plain_lines, spoken_forms, text

_NEVER = re.compile(r"(?!)")
_MOST_BYTES = 250_000
_SAMPLE = 3


def _no_definitions(_: Sequence[str]) -> list[tuple[str, str]]:
    return []


_JUDGED = conservation._JUDGED
_RECIPIENT = r"|\bnot (?:the|an) intended (?:recipient|addressee)\b"
_UNTOLD = forms._BOILERPLATE.pattern.replace(_RECIPIENT, "")
_BLANKS = r"</?\w[^>\s]*+(?:\s[^>=]*+=[^>]*+|\s*/)?>"
_WITH_BLANKS = re.compile(plain_layout._CODE.pattern.replace(_BLANKS, r"</?\w[^>]*>"))
RULES: dict[str, list[tuple[object, str, Any]]] = {
    "a name with a point opens a turn": [(speakers, "_POINT", _NEVER)],
    "a line for who speaks when": [(spoken_forms, "as_chat", lambda _: None)],
    "only who addresses somebody speaks": [(speakers, "_LEAST_ADDRESSED", 0.0)],
    "who is told of does not speak": [(speakers, "_LEAST_PERSONS", 0.0)],
    "persons and directions of e-books": [(html, "PERSONA", ""), (html, "DIRECTION", "")],
    "numbered lines below others": [(plain_lines, "_LEAST_RUNNING", 2.0)],
    "blanks to fill in are no tags": [(plain_layout, "_CODE", _WITH_BLANKS)],
    "sentences in brackets are directions": [(plain_layout, "_ASIDE", _NEVER)],
    "terms beside definitions": [(text, "definitions_of", _no_definitions)],
    "titles by the text around them": [(text, "find_titles", lambda _: set())],
    "two sentences are no title": [(plain_lines, "_TWO_SENTENCES", _NEVER)],
    "words broken across lines": [(text, "mend_lines", lambda given: given)],
    "items left of their list": [(markdown, "_with_loose_items", iter)],
    "prose in HTML of Markdown": [(conservation, "_JUDGED", _JUDGED - {conservation.HTML_BLOCK})],
    "prose in code": [(conservation, "_JUDGED", _JUDGED - {conservation.CODE})],
    "prose in other parts": [
        (conservation, "_JUDGED", frozenset({conservation.CODE, conservation.HTML_BLOCK}))
    ],
    "leads and items are prose": [
        (conservation, "_END", re.compile(r"[.!?…。！？।][\"'”’»)\]]*\Z"))
    ],
    "capitals of German in code": [(conservation, "_LEAST_LOWER_IN_CODE", 0.5)],
    "contents repeat titles": [(kinds, "_titles", lambda _: set())],
    "not the intended recipient": [(forms, "_BOILERPLATE", re.compile(_UNTOLD, re.IGNORECASE))],
}


@contextmanager
def _without(changes: list[tuple[Any, str, Any]]) -> Iterator[None]:
    before = [getattr(place, name) for place, name, _ in changes]
    for place, name, value in changes:
        setattr(place, name, value)
    try:
        yield
    finally:
        for (place, name, _), value in zip(changes, before, strict=True):
            setattr(place, name, value)


def _lines(file: Path) -> Counter[str]:
    data, name = file.read_bytes(), file.name
    if name.endswith(".gz"):
        data, name = gzip.decompress(data), name.removesuffix(".gz")
    try:
        document = parse(data, name)
    except LongsumError as error:
        return Counter([f"refused: {error}"])
    said = (f"{s.kind}: {s.speaker and f'<{s.speaker}> '}{s.text}" for s in document.sentences)
    left = (f"left out, {part.kind}: {' '.join(part.text.split())}" for part in document.omitted)
    titles = (f"section: {section.title}" for section in document.walk() if section.title)
    return Counter([*said, *left, *titles])


def _files(folders: list[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from (
            each
            for each in sorted(folder.rglob("*") if folder.is_dir() else [folder])
            if each.is_file()
            and "_packages" not in each.parts
            and each.suffix != ".pdf"
            and each.stat().st_size <= _MOST_BYTES
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--rule", default="", help="only rules whose names contain this")
    parser.add_argument("--show", type=int, default=0, help="print N lines of each")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    files = list(_files(options.folders))
    whole = {file: _lines(file) for file in files}
    print(f"{len(files)} files, {sum(map(Counter.total, whole.values())):,} lines")
    print(f"{'rule':42}{'files':>7}{'lines':>9}")
    for rule, changes in RULES.items():
        if options.rule in rule:
            _print_rule(rule, changes, whole, options.show)


def _print_rule(
    rule: str, changes: list[tuple[object, str, Any]], whole: dict[Path, Counter[str]], show: int
) -> None:
    shown: list[str] = []
    hit = lines = 0
    drawn = random.Random(29)
    with _without(changes):
        for file, known in whole.items():
            bare = _lines(file)
            gained, lost = known - bare, bare - known
            if not (gained or lost):
                continue
            hit += 1
            lines += gained.total()
            shown.append(f"{file.parent.name}/{file.name}")
            for sign, of in (("-", sorted(lost)), ("+", sorted(gained))):
                some = drawn.sample(of, min(_SAMPLE, len(of)))
                shown[-1] += "".join(f"\n  {sign} {line[:200]}" for line in some)
    print(f"{rule:42}{hit:7}{lines:9,}", flush=True)
    for each in random.Random(29).sample(shown, min(show, len(shown))):
        print(each)


if __name__ == "__main__":
    main()
