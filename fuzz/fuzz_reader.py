"""Tries a reader with files that are changed until they reach code that no file reached before.

Run: python fuzz/fuzz_reader.py FORMAT [options of libFuzzer]
     python fuzz/fuzz_reader.py FORMAT FILE   # a file that was found once more

Needs atheris (`pip install atheris`; wheels for Linux on x86-64). Whatever the bytes are, a reader
makes a document that its own file gives back, or refuses with a `LongsumError`; anything else, or
more than ten seconds or a gigabyte, ends the run and leaves the file in fuzz/found. Beginnings are
in fuzz/corpus, words of the formats in fuzz/dictionaries; what reaches new code is added to
fuzz/found/FORMAT.
"""

import importlib
import pkgutil
import sys
from pathlib import Path

import atheris

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

with atheris.instrument_imports(include=["longsum.documents", "longsum.language", "markdown_it"]):
    from longsum.documents import readers

    for module in pkgutil.iter_modules(readers.__path__, f"{readers.__name__}."):
        importlib.import_module(module.name)

from longsum.common.errors import LongsumError
from longsum.documents.document_json import document_from_json, document_to_json
from longsum.documents.readers import ReadLimits
from longsum.documents.readers.detect import parse
from packed_files import docx, epub, odt
from zip_writer import part

NAMES = {
    "text": "a.txt",
    "markdown": "a.md",
    "asciidoc": "a.adoc",
    "rst": "a.rst",
    "org": "a.org",
    "mediawiki": "a.wiki",
    "html": "a.html",
    "json": "a.json",
    "epub": "a.epub",
    "epub-parts": "a.epub",
    "pdf": "a.pdf",
    "docx": "a.docx",
    "docx-parts": "a.docx",
    "odt": "a.odt",
    "odt-parts": "a.odt",
    "rtf": "a.rtf",
    "latex": "a.tex",
    "jats": "a.xml",
    "tei": "a.xml",
    "docling": "a.json",
    "unstructured": "a.json",
}
PARTS = {
    "epub-parts": (epub, ("0.xhtml", "1.xhtml", "2.xhtml", "3.xhtml")),
    "docx-parts": (
        docx,
        ("word/document.xml", "word/styles.xml", "word/numbering.xml", "word/footnotes.xml"),
    ),
    "odt-parts": (odt, ("content.xml", "styles.xml", "meta.xml")),
}
"""What packs the parts between NUL bytes: changes to packed bytes hardly ever unpack."""
LIMITS = ReadLimits(size=1_000_000, unpacked=10_000_000)
DEFAULTS = ["-timeout=10", "-rss_limit_mb=1200", "-max_len=8000", "-print_final_stats=1"]


def main() -> None:
    """Run until told to stop, or until something is found."""
    if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
        sys.exit(f"give one of: {', '.join(NAMES)}")
    reader, *options = sys.argv[1:]
    found = HERE / "found" / reader
    found.mkdir(parents=True, exist_ok=True)
    beginnings = HERE / "corpus" / reader
    folders = [] if any(Path(option).is_file() for option in options) else [found, beginnings]
    words = HERE / "dictionaries" / f"{reader}.txt"
    arguments = [*DEFAULTS, f"-artifact_prefix={HERE / 'found'}/{reader}-"]
    arguments += [f"-dict={words}"] if words.is_file() else []
    atheris.Setup(
        [sys.argv[0], *arguments, *options, *map(str, folders)],
        lambda data: try_reader(reader, data),
    )
    atheris.Fuzz()


def try_reader(reader: str, data: bytes) -> None:
    """Read bytes as one format; raise if anything but a document or a refusal comes of it."""
    if reader in PARTS:
        pack, names = PARTS[reader]
        data = pack(
            [part(name, text) for name, text in zip(names, data.split(b"\0"), strict=False)]
        )
    try:
        document = parse(data, NAMES[reader], limits=LIMITS)
    except LongsumError:
        return
    assert document.sentences
    for sentence in document.sentences:
        assert document.text[sentence.start : sentence.end] == sentence.text
    assert document_from_json(document_to_json(document)) == document


if __name__ == "__main__":
    main()
