"""Compares how longsum reads the same documents in all formats that Pandoc writes.

    python benchmarks/formats.py FILES… [--from FORMAT] [--show NUMBER]

Pandoc has to be installed. Each file is converted to every format and read; a sentence or heading
counts as one of the document if six tenths of the formats have it. For each format it prints the
refused files, the document's sentences that are missing and those that at most a quarter of the
formats have, with their words, and the same for headings. Punctuation, case and item numbers are
not compared. `--show` prints the longest differences. Plain text does not mark headings, and is not
used to establish what the document has; formulas differ from format to format.
"""

import argparse
import re
import subprocess
import tempfile
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.documents.readers.detect import parse
from prose import normal

# Pandoc's name of the format, the suffix of its files, and further options.
FORMATS = {
    "html": ("html", "html", "-s"),
    "docx": ("docx", "docx"),
    "odt": ("odt", "odt"),
    "rtf": ("rtf", "rtf", "-s"),
    "epub": ("epub3", "epub"),
    "latex": ("latex", "tex", "-s"),
    "rst": ("rst", "rst", "-s"),
    "asciidoc": ("asciidoc", "adoc", "-s"),
    "org": ("org", "org", "-s"),
    "mediawiki": ("mediawiki", "mediawiki", "-s"),
    "docbook": ("docbook5", "xml", "-s"),
    "jats": ("jats_publishing", "xml", "-s"),
    "tei": ("tei", "xml", "-s"),
    "gfm": ("gfm", "md", "-s"),
    "commonmark_x": ("commonmark_x", "md", "-s"),
    "setext": ("markdown", "md", "-s", "--markdown-headings=setext", "--reference-links"),
    "narrow": ("markdown", "md", "-s", "--columns=60"),
    "plain": ("plain", "txt"),
}
_DECIDES, _RARE = 0.6, 0.25
_NUMBER = re.compile(r"^(?:[\d.]+[.)]?|\(?[a-zivx]{1,4}[.)]|[•\-–*▪◦○])\s+")


@dataclass(slots=True)
class Score:
    """The differences of a format: missing texts, and those that others do not have."""

    files: int = 0
    refused: int = 0
    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    no_headings: list[str] = field(default_factory=list)


def converted(file: Path, known: str, folder: Path) -> dict[str, bytes]:
    """Return a file in every format that Pandoc can convert it to."""
    found: dict[str, bytes] = {}
    for name, (form, suffix, *more) in FORMATS.items():
        target = folder / f"{name}.{suffix}"
        told = ["--from", known] if known else []
        command = ["pandoc", str(file), *told, "--to", form, *more, "--output", str(target)]
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            found[name] = target.read_bytes()
    return found


def bare(text: str) -> str:
    """Return a text without punctuation, capitals and item number."""
    return " ".join(re.findall(r"\w+", _NUMBER.sub("", normal(text)).replace("_", ""))).casefold()


def differences(said: dict[str, Counter[str]]) -> dict[str, tuple[list[str], list[str]]]:
    """Return for each format the texts that only it lacks, and those that hardly others have."""
    deciding = [texts for name, texts in said.items() if name != "plain"]
    having = Counter(text for texts in deciding for text in texts)
    most = {text for text, number in having.items() if number >= _DECIDES * len(deciding)}
    return {
        name: (
            [text for text in most if text not in texts],
            [text for text in texts if having[text] <= _RARE * len(deciding)],
        )
        for name, texts in said.items()
    }


def compare(file: Path, known: str, scores: dict[str, Score]) -> None:
    """Add the differences between the formats of a file."""
    sentences: dict[str, Counter[str]] = {}
    headings: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, data in converted(file, known, Path(folder)).items():
            scores[name].files += 1
            try:
                document = parse(data, f"{file.stem}.{FORMATS[name][1]}")
            except LongsumError:
                scores[name].refused += 1
                continue
            titles = [document.title, *(section.title for section in document.walk())]
            sentences[name] = Counter(filter(None, (bare(s.text) for s in document.sentences)))
            headings[name] = Counter(filter(None, map(bare, titles)))
    for name, (missing, extra) in differences(sentences).items():
        scores[name].missing += missing
        scores[name].extra += extra
    for name, (missing, extra) in differences(headings).items():
        scores[name].headings += missing
        scores[name].no_headings += extra


def main() -> None:
    """Convert, read and compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--from", dest="known", default="", help="what Pandoc calls their format")
    parser.add_argument("--show", type=int, default=0, help="longest differences of each format")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    try:
        subprocess.run(["pandoc", "--version"], capture_output=True, check=True)
    except OSError:
        raise SystemExit("Pandoc is not installed; this comparison needs it.") from None
    scores = {name: Score() for name in FORMATS}
    for file in arguments.files:
        compare(file, arguments.known, scores)
    print("format        files refused missing words extra words headings: missing extra")
    for name, score in scores.items():
        lacks, has = (sum(map(len, map(str.split, each))) for each in (score.missing, score.extra))
        print(
            f"{name:13} {score.files:5} {score.refused:7} {len(score.missing):7} {lacks:5} "
            f"{len(score.extra):5} {has:5} {len(score.headings):17} {len(score.no_headings):5}"
        )
        for kind, texts in (("-", score.missing), ("+", score.extra)):
            for text in sorted(texts, key=len, reverse=True)[: arguments.show]:
                print(f"  {kind} {text[:200]}")


if __name__ == "__main__":
    main()
