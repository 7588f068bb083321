"""How many words do readers leave out of files, and how many of those are prose?

Run: python benchmarks/prose_left_out.py FOLDER… [--files] [--show N] [--json FILE]

Every file below the folders is read (`unseen_files.py` fetches some). For each kind of omitted part
it prints the number of parts, their words, and their words in runs of prose as detected by
`prose.py`, which is independent of the readers' rules. In tables and code only sentences that end
like sentences or items count, and never what the text has too. Parts separate from the text contain
prose by nature (footnotes, captions, comments, headers of letters). `in neither` are words of prose
that a plain reading of the source has (HTML and XML without tags, the text of PDF pages by pdfium),
but neither the document nor its parts; for a PDF, whose tables pdfium reads in another order, only
words that they have less often. Of a refused file all prose is lost. `--files` prints a row for
each file, `--show` the worst parts.
"""

import argparse
import io
import json
import re
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from email import message_from_bytes, policy
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.documents.model import Omission
from longsum.documents.readers.detect import parse
from prose import prose_words, runs_of_prose, trigrams, uncovered, word_counts, words

_APART_NAMES = """attachment|biography|caption|comment|conditional passage|deleted passage|
e-mail header|endnote|figure|footnote|front matter|hidden part|hidden passage|included file|
masthead|note to the editor|page footer|page header|reference|reply to the article|signature|
translated abstract"""
APART = frozenset(_APART_NAMES.replace("\n", "").split("|"))
_BLOCK_NAMES = "p div br li td th tr h1 h2 h3 h4 h5 h6 pre dd dt blockquote section"
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_PARAGRAPH = re.compile(
    rb"</(?:w:p|text:p|text:h|p|div|h\d|li|td|d[dt]|title|speaker|stage|l|ab)>|<w:br\b[^>]*>"
)
_TAG = re.compile(rb"<[^>]*>")
_SPACE = re.compile(rb"<text:(?:s|tab|line-break)\b[^>]*>")
_HEADER = re.compile(rb"<teiHeader\b.*?</teiHeader>", re.DOTALL)
_TARGET = re.compile(r"\](?:\[[^\[\]]*\]|\((?:[^()]|\([^()]*\))*\))")
"""Where a link of Markdown leads."""
_FIELDS = re.compile(rb"(?:[A-Z][\w-]*:.*\n(?:[ \t].*\n)*){3}|From ")
"""How a message opens."""
_ANCHOR = re.compile(r"(?m)^\[\[[\w-]+\]\]$")
_REFERENCE = re.compile(
    r"<<[^<>,]*(?:,(?P<text>[^<>]*))?>>|(?:link|https?|linkgit):[^\s\[]*\[(?P<label>[^\]]*)\]"
)
_MANUAL = re.compile(r"linkgit:([\w-]+)\[(\d)\]")
"""What marks AsciiDoc, and its references; those to pages of the manual show what they name."""
_ROWS = frozenset({"table", "code block", "HTML block"})
_ENTRIES = frozenset({"menu", "contents line", "contents or index line", "index line"})
_SENTENCE_END = tuple('.!:"”')
_MARKUP = re.compile(r"(?m)^\s*```.*$|[`*]")
_HIDDEN = ("script", "style", "head", "svg", "math")


@dataclass(slots=True)
class Tally:
    """Omissions of a file, or of several.

    Attributes:
        words: Words that are kept.
        kinds: By kind of part: parts, words, and words of prose.
        neither: Words of prose that are in no sentence and in no part.
        refused: Words of prose of files that are refused.
        worst: Words of prose, the file, the kind, and the text of parts.
    """

    words: int = 0
    kinds: dict[str, list[int]] = field(default_factory=dict)
    neither: int = 0
    refused: int = 0
    worst: list[tuple[int, str, str, str]] = field(default_factory=list)

    @property
    def prose(self) -> int:
        """Words of prose omitted from the text itself."""
        return sum(counts[2] for kind, counts in self.kinds.items() if kind not in APART)

    def add(self, other: "Tally") -> None:
        """Add the tally of another file."""
        for kind, counts in other.kinds.items():
            mine = self.kinds.setdefault(kind, [0, 0, 0])
            self.kinds[kind] = [a + b for a, b in zip(mine, counts, strict=True)]
        for name in ("words", "neither", "refused", "worst"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def tally_of(file: Path) -> Tally:
    """Read a file and count its omissions."""
    data, tally = file.read_bytes(), Tally()
    plain = plain_text(data, file.suffix.lower())
    try:
        document = parse(data, file.name)
    except LongsumError as error:
        tally.refused = prose_words(plain)
        tally.worst = [(tally.refused, file.name, "refused", str(error))]
        return tally
    tally.words = words(document.text)
    said = trigrams(document.text)
    for part in document.omitted:
        counts = tally.kinds.setdefault(part.kind, [0, 0, 0])
        prose = prose_words(_entries_apart(part), known=said, ended=part.kind in _ROWS)
        counts[0] += 1
        counts[1] += words(part.text)
        counts[2] += prose
        if prose and part.kind not in APART:
            tally.worst.append((prose, file.name, part.kind, part.text))
    for sentence, missing in _in_neither(plain, document):
        tally.neither += missing
        tally.worst.append((missing, file.name, "in neither", sentence))
    return tally


def _entries_apart(part: Omission) -> str:
    """Return the text of a part; for menus and contents only lines that end, unlike titles."""
    if part.kind not in _ENTRIES:
        return part.text
    return "\n\n".join(li for li in part.text.split("\n") if li.rstrip().endswith(_SENTENCE_END))


def _in_neither(plain: str, document: Document) -> Iterator[tuple[str, int]]:
    read = " ".join([document.text, *(part.text for part in document.omitted)])
    known, lacking = trigrams(read), word_counts(plain) - word_counts(read)
    for sentence in runs_of_prose(plain):
        missing = uncovered(sentence, known)
        if document.source.format == "pdf":
            missing = min(missing, sum((word_counts(sentence) & lacking).values()))
        if missing:
            yield sentence, missing


def plain_text(data: bytes, suffix: str) -> str:
    """Return the text of a source with a blank line after each block; empty if unknown."""
    if data.startswith(b"%PDF"):
        return _pdf_text(data)
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [n for n in archive.namelist() if n.endswith((".xhtml", ".html", ".htm"))]
            own = [n for n in archive.namelist() if n in ("word/document.xml", "content.xml")]
            return "\n\n".join(_untagged(archive.read(name)) for name in own or names)
    if suffix in (".rtf", ".tex") or data.startswith(b"{\\rtf"):
        return ""
    if suffix in (".html", ".htm", ".xhtml"):
        page = _Page()
        page.feed(_decoded(data))
        return "".join(page.parts)
    if suffix in (".xml", ".nxml", ".sgml"):
        return _untagged(data)
    if suffix in (".eml", ".mbox") or (not suffix and _FIELDS.match(data)):
        return _mail_text(data)
    if suffix in (".srt", ".vtt"):
        return re.sub(r"(?m)^(?:\d+|.*-->.*)?\r?\n", "", _decoded(data))
    if suffix in (".md", ".markdown"):
        text = _MARKUP.sub("", _TARGET.sub("]", unescape(_decoded(data))))
        return re.sub(r"(?m)^\|.*", lambda row: row[0].replace("|", "\t"), text)
    text = _decoded(data)
    if _ANCHOR.search(text):
        text = _REFERENCE.sub(r"\g<text>\g<label>", _MANUAL.sub(r"\1(\2)", text))
    # Wide gaps within a line separate columns.
    return re.sub(r"(?<=\S) {4,}(?=\S)", "\t", text)


def _mail_text(data: bytes) -> str:
    message = message_from_bytes(data, policy=policy.default)
    body = message.get_body(("plain", "html"))
    try:
        content = body.get_content() if body else ""
    except (LookupError, UnicodeError):
        return ""
    if body is None or body.get_content_type() == "text/plain":
        return str(content)
    page = _Page()
    page.feed(content)
    return "".join(page.parts)


def _pdf_text(data: bytes) -> str:
    import pypdfium2

    pages = pypdfium2.PdfDocument(data)
    texts = (page.get_textpage().get_text_range() for page in pages)
    return "\n\n".join(re.sub("\ufffe\n?", "", text.replace("\r", "")) for text in texts)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _untagged(data: bytes) -> str:
    data = _SPACE.sub(b" ", _HEADER.sub(b"", data))
    return unescape(_decoded(_TAG.sub(b"", _PARAGRAPH.sub(b"\n\n", data))))


class _Page(HTMLParser):
    """Collects the text of a page, with a blank line between blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, _: object) -> None:
        self._hidden += tag in _HIDDEN
        if tag in _BLOCKS:
            self.parts.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(self._hidden - (tag in _HIDDEN), 0)
        if tag in _BLOCKS:
            self.parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--files", action="store_true", help="print a row for each file")
    parser.add_argument("--show", type=int, default=0, help="print the N worst parts")
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    total, by_folder, count = Tally(), dict[str, Tally](), 0
    for file in _files(options.folders):
        tally = tally_of(file)
        count += 1
        total.add(tally)
        by_folder.setdefault(file.parent.name, Tally()).add(tally)
        if options.files:
            _print_row(f"{file.parent.name}/{file.name}", tally)
    print(
        f"\n{'folder':54}{'kept':>10}{'left out':>10}{'of prose':>10}{'neither':>9}{'refused':>9}"
    )
    for name, tally in [*by_folder.items(), (f"all {count} files", total)]:
        _print_row(name, tally)
    print(f"\n{'kind':54}{'parts':>10}{'words':>10}{'of prose':>10}")
    for kind, counts in sorted(total.kinds.items(), key=lambda each: -each[1][2]):
        name = f"{kind} (stands apart)" if kind in APART else kind
        print(f"{name:54}{counts[0]:10,}{counts[1]:10,}{counts[2]:10,}")
    for prose, name, kind, text in sorted(total.worst, reverse=True)[: options.show]:
        print(f"\n{prose} words, {kind}, {name}:\n    {' '.join(text.split())[:400]}")
    if options.json:
        options.json.write_text(json.dumps(asdict(total), indent=1) + "\n", encoding="utf-8")


def _files(folders: list[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from (
            each
            for each in sorted(folder.rglob("*") if folder.is_dir() else [folder])
            if each.is_file() and "_packages" not in each.parts and each.suffix != ".tsv"
        )


def _print_row(name: str, tally: Tally) -> None:
    left_out = sum(counts[1] for counts in tally.kinds.values())
    print(
        f"{name[-53:]:54}{tally.words:10,}{left_out:10,}{tally.prose:10,}{tally.neither:9,}"
        f"{tally.refused:9,}"
    )


if __name__ == "__main__":
    main()
