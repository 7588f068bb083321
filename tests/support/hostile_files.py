"""Empty, absurd and malicious files: what each is, and how reading it must end.

The numbers are those of the checklist in `docs/limits.md`.
"""

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from packed_files import PACKED, chapter
from pdf_writer import PLAIN, raw_pdf
from zip_writer import Part, bomb, part, zip_file

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Hostile:
    """A file.

    Attributes:
        item: Its number in the checklist.
        what: What it is.
        name: Its name.
        make: Writes it.
        refused: A pattern of the sentence that may refuse it; None if it is read.
        holds: What its text has if it may be read; None if it is refused.
    """

    item: int
    what: str
    name: str
    make: Callable[[], bytes]
    refused: str | None = None
    holds: str | None = None


def hostile_files() -> Iterator[Hostile]:
    """Yield them all."""
    yield from _nearly_nothing()
    yield from _long_runs()
    yield from _texts()
    yield from _encodings()
    for kind in PACKED:
        yield from _bombs(kind)
        yield from _archives(kind)
    yield from _pdfs()
    yield from _markup()
    yield from _commands()
    yield from _sections()


def _nearly_nothing() -> Iterator[Hostile]:
    empty = "is empty; there is nothing to summarize"
    yield Hostile(1, "no byte", "a.txt", lambda: b"", empty)
    yield Hostile(1, "white space", "a.txt", lambda: b" \n\t \r\n" * 99, empty)
    yield Hostile(1, "no byte, called PDF", "a.pdf", lambda: b"", empty)
    for text in ("x", "Word", "One sentence."):
        yield Hostile(1, f"only {text!r}", "a.txt", text.encode, holds=text)


def _long_runs() -> Iterator[Hostile]:
    word = "has a word of more than 10,000 letters"
    yield Hostile(2, "a million letters, no space", "a.txt", lambda: b"abcdefghij" * 100_000, word)
    yield Hostile(2, "a million letters a", "a.txt", lambda: b"a" * MILLION, word)
    yield Hostile(2, "200,000 brackets", "a.txt", lambda: b"(" * 200_000, holds="(((")
    yield Hostile(2, "400,000 full stops", "a.txt", lambda: b". " * 400_000, "hardly a word each")
    yield Hostile(2, "100,000 times A.B.", "a.txt", lambda: b"A.B." * 100_000, holds="A.B.")
    yield Hostile(2, "100,000 brackets", "a.md", lambda: b"[" * 100_000, holds="[[[")
    yield Hostile(2, "100,000 lists nested", "a.md", lambda: b"- " * 100_000 + b"x.", holds="x")
    yield Hostile(
        2,
        "Chinese without a space",
        "a.txt",
        lambda: ("河流把水从山上带到大海里去。" * 20_000).encode(),
        holds="河流把水",
    )


S = "The river carries water to the sea"
# What a megabyte of makes summaries dear; § is another number each time.
_DEAR = {
    "a.txt": (
        *("A. B. ", "<!--", "![a](", "- a\n", "- item §\n", "a\n\n", "a§.\n\n", f"{S} and ", "w§ "),
        *(f"{S}. ", f"{S} w§. ", "W W W (WWW) ", "Wide Water Works§ (WWW) are. ", '"', "“A. "),
        *('"A," said B. ', "A: b.\n", "SPEAKER §: Yes.\n\n", "1.5 2,000 3. ", "On 12 Jan. 2020. "),
        *("e.g. ", "| a | b |\n", "Why? ", "a; ", "(wide ", "It is (Smith 2019). ", "http://a.b "),
        *("[1] Smith, J. (2019). Title. ", "CHAPTER §\n\nThe sea is wide.\n\n", "👩\u200d🚀 "),
        *("e\u0301", "a\u00a0b. ", "中文字。", "$%§^&. ", "Chapter §\n"),
        *("Alpha Beta (AB§) and Gamma Delta (GD§), ", "River§.Sea§!"),
    ),
    "a.md": ("<!--", "- a\n", "# A\n\n", "# H§\n\nText §.\n\n", "1. §\n"),
    "a.html": ("<p>A.</p>", "<li>a§</li>", "<h2>A</h2><p>B§.</p>", "<br>a", "<td>a", "<ul>a</ul>"),
}


def _texts() -> Iterator[Hostile]:
    """Yield texts of a megabyte that repeat one thing."""

    def text(name: str, unit: str) -> bytes:
        times = MILLION // len(unit.replace("§", "12345").encode())
        numbered = "".join(unit.replace("§", str(number)) for number in range(times))
        return ("<html>" * (name == "a.html") + numbered).encode()

    for name, units in _DEAR.items():
        for unit in units:
            what = f"1 MB of {unit!a} in {name}"
            make = partial(text, name, unit)
            yield Hostile(
                3, what, name, make, "no sentences|nothing to summarize|hardly a word each", ""
            )


def _encodings() -> Iterator[Hostile]:
    western = "Der Fluß fließt über die Brücke. Nächstes Jahr wird größer gebaut. " * 3
    eastern = "これは日本語の文章です。川は広くて長い。橋が三つあります。" * 9
    for text, encoding in (
        (western, "utf-16"),
        (western, "utf-32"),
        (western, "cp1252"),
        (eastern, "shift-jis"),
    ):
        yield Hostile(
            4, encoding, "a.txt", lambda t=text, e=encoding: t.encode(e), holds=text.split()[0][:9]
        )
    page = f"<html><head><meta charset=utf-8></head><body><p>{western}</p></body></html>"
    yield Hostile(
        4, "cp1252, labelled utf-8", "a.html", lambda: page.encode("cp1252"), holds="Fluß"
    )


def _bombs(kind: str) -> Iterator[Hostile]:
    packed = PACKED[kind]
    text, name, pack = packed.text_part, f"a.{packed.suffix}", packed.pack
    big = r"unpacks to more|is a damaged|more than .* times"
    yield Hostile(5, f"{kind}: 200 KB for 200 MB", name, lambda: pack([bomb(text, 200)]), big)
    yield Hostile(5, f"{kind}: 1 MB for 1 GB", name, lambda: pack([bomb(text, 1000)]), big)
    yield Hostile(
        5, f"{kind}: 200 MB, said to be 100 bytes", name, lambda: pack([bomb(text, 200, 100)]), big
    )
    yield Hostile(
        5,
        f"{kind}: 200 MB in a part that nothing mentions",
        name,
        lambda: pack([part(text, packed.text())], (bomb("other.xhtml", 200),)),
        big,
        "",
    )


def _archives(kind: str) -> Iterator[Hostile]:
    packed = PACKED[kind]
    text, name, pack = packed.text_part, f"a.{packed.suffix}", packed.pack
    good = part(text, packed.text())

    def with_others(*others: Part) -> Callable[[], bytes]:
        return lambda: pack([good], others)

    def changed(**changes: Any) -> Callable[[], bytes]:
        return lambda: pack([replace(good, **changes)])

    def within() -> bytes:
        return pack([good], (part("a.zip", zip_file([bomb("inner.txt", 100)])),))

    either = "refuse|is a|contains|encrypted|unpacks|nested|twice"
    yield Hostile(6, f"{kind}: an archive within", name, within, either, "")
    yield Hostile(6, f"{kind}: a small ZIP64", name, changed(zip64=True), holds="The sea is wide.")
    yield Hostile(
        6,
        f"{kind}: 65,000 parts",
        name,
        lambda: pack([good], tuple(part(f"p{n}", b"") for n in range(65_000))),
        "more than 10,000",
    )
    same = Part(text, good.packed, good.size, good.crc, same_place=True)
    yield Hostile(6, f"{kind}: two parts at one place", name, with_others(same), either, "")
    outside = (part("../../etc/passwd", b"x"), part("/etc/passwd", b"x"), part("C:\\a", b"x"))
    yield Hostile(6, f"{kind}: names that lead outside", name, with_others(*outside), either, "")
    link = Part("link", b"/etc/passwd", 11, zlib.crc32(b"/etc/passwd"), 0, attributes=0o120777)
    yield Hostile(6, f"{kind}: a symbolic link", name, with_others(link), either, "")
    yield Hostile(6, f"{kind}: an encrypted part", name, changed(flags=1), "is encrypted|damaged")
    yield Hostile(6, f"{kind}: an unknown packing", name, changed(method=99), "damaged|refuse")
    yield Hostile(6, f"{kind}: a wrong checksum", name, changed(crc=1), "is a damaged")
    yield Hostile(6, f"{kind}: cut in the middle", name, lambda: pack([good])[:-40], "zip|damaged")


def _packed_pdf(content: bytes, times: int) -> bytes:
    for _ in range(times):
        content = zlib.compress(content, 9)
    return raw_pdf(content, stream=b"/Filter [%s]" % (b"/FlateDecode " * times))


def _pdfs() -> Iterator[Hostile]:
    bad = "is a damaged PDF|has no text layer"
    memory = "needs more than .* of memory"
    yield Hostile(
        7, "PDF: 100 MB packed three times", "a.pdf",
        lambda: _packed_pdf(b" " * (100 * MILLION) + PLAIN, 3), memory, "",
    )  # fmt: skip
    yield Hostile(
        7, "PDF: 500 MB packed three times", "a.pdf",
        lambda: _packed_pdf(b" " * (500 * MILLION) + PLAIN, 3), memory,
    )  # fmt: skip
    yield Hostile(7, "PDF: a petabyte stated", "a.pdf", lambda: raw_pdf(length=10**15), bad, "")
    yield Hostile(7, "PDF: a table that follows itself", "a.pdf",
                  lambda: raw_pdf(trailer=b"/Prev %d"), bad, "")  # fmt: skip
    yield Hostile(7, "PDF: pages within themselves", "a.pdf",
                  lambda: raw_pdf(kids=b"[2 0 R 3 0 R]", count=2), bad, "")  # fmt: skip
    yield Hostile(7, "PDF: 50 MB of white space", "a.pdf",
                  lambda: raw_pdf(PLAIN + b" " * (50 * MILLION)), bad, "")  # fmt: skip
    yield Hostile(7, "PDF: brackets nested", "a.pdf",
                  lambda: raw_pdf(catalog=b"/A " + b"[" * MILLION), bad, "")  # fmt: skip
    yield Hostile(7, "PDF: a million brackets drawn", "a.pdf",
                  lambda: raw_pdf(b"[" * MILLION), bad, "")  # fmt: skip
    yield Hostile(7, "PDF: cut in the middle", "a.pdf", lambda: raw_pdf()[:400], bad, "")
    action = b"/OpenAction << /S /%s >>"
    for run in (
        b"JavaScript /JS (app.alert\\(1\\))",
        b"Launch /F (/bin/sh)",
        b"URI /URI (http://a.b)",
    ):
        yield Hostile(7, f"PDF: action {run.split()[0].decode()}", "a.pdf",
                      lambda a=action % run: raw_pdf(catalog=a), holds="A plain text.")  # fmt: skip
    yield Hostile(7, "PDF: no page", "a.pdf", lambda: raw_pdf(kids=b"[]", count=0), bad)
    yield Hostile(7, "PDF: 10,000 pages", "a.pdf",
                  lambda: raw_pdf(kids=b"[" + b"3 0 R " * 10_000 + b"]", count=10_000),
                  "has more than 5,000 pages")  # fmt: skip
    yield Hostile(7, "PDF: said to have a billion pages", "a.pdf",
                  lambda: raw_pdf(count=10**9), f"has more than 5,000|{bad}", "")  # fmt: skip
    yield Hostile(7, "PDF: pictures alone", "a.pdf",
                  lambda: raw_pdf(b"0 0 612 792 re f"), "has no text layer")  # fmt: skip
    yield Hostile(7, "PDF: bookmarks that follow themselves", "a.pdf",
                  lambda: raw_pdf(catalog=b"/Outlines 6 0 R", objects=(
                      b"<< /First 7 0 R /Last 7 0 R /Count 1 >>",
                      b"<< /Title (A) /Parent 6 0 R /Next 7 0 R /Dest [3 0 R /Fit] >>")),
                  bad, "")  # fmt: skip


LAUGHS = "<!DOCTYPE {} [<!ENTITY a0 'ha'>{}]>"
_LAUGHED = "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 12))
ELSEWHERE = "<!DOCTYPE {} [<!ENTITY x SYSTEM '{}'>]>"
SEA = "The sea is wide."


def _jats(opening: str = "", before: str = "") -> bytes:
    return (
        f"{opening}<article article-type='research-article'><front/><body>{before}<p>{SEA}</p>"
        "</body></article>"
    ).encode()


def _tei(opening: str = "", before: str = "") -> bytes:
    return (
        f"{opening}<TEI><teiHeader/><text><body>{before}<p>{SEA}</p></body></text></TEI>"
    ).encode()


def _markup() -> Iterator[Hostile]:
    def within(kind: str) -> Callable[..., bytes]:
        packed = PACKED[kind]
        return lambda *raw: packed.pack([part(packed.text_part, packed.text(*raw))])

    packed = [(kind, f"a.{PACKED[kind].suffix}", within(kind)) for kind in PACKED]
    xml = [("JATS", "a.xml", _jats), ("TEI", "a.xml", _tei)]
    for kind, name, write in [("HTML", "a.html", chapter), *packed, *xml]:
        # The depth that is allowed of XML is half that of HTML.
        strict = kind not in ("HTML", "EPUB")
        yield from _markup_of(kind, name, write, strict=strict)
    script = (
        "<script>alert(1)</script><p onclick='alert(2)'>A "
        "<a href='javascript:alert(3)'>link</a>.</p>"
        "<h1><img src=x onerror=alert(4)>Wide</h1><p>Ends &lt;/script&gt; here.</p>"
    )
    yield Hostile(
        9, "HTML: scripts", "a.html", lambda: chapter("", script), holds="Ends </script> here."
    )


def _markup_of(
    kind: str, name: str, write: Callable[[str, str], bytes], *, strict: bool
) -> Iterator[Hostile]:
    def make(opening: str, before: str) -> Callable[[], bytes]:
        return lambda: write(opening, before)

    laughs, deep = (
        LAUGHS.format("html", _LAUGHED),
        "nested more than 512 deep|nested too deeply|unpacks to more|hardly a word each",
    )
    blocked = deep if strict else None
    laughing = make(laughs, "<p>&a11;</p>")
    yield Hostile(8, f"{kind}: a billion laughs", name, laughing, blocked, holds=SEA)
    for uri in ("file:///etc/passwd", "http://127.0.0.1:9/"):
        outside = make(ELSEWHERE.format("html", uri), "<p>&x;</p>")
        yield Hostile(8, f"{kind}: an entity from {uri}", name, outside, holds=SEA)
    for count, refused in ((300, deep if strict else None), (1_000, deep), (100_000, deep)):
        tag = "a" if count == 300 else "div"
        nested = make("", f"<{tag}>" * count + f"</{tag}>" * count * strict)
        what = f"{kind}: {count:,} elements deep"
        yield Hostile(8, what, name, nested, refused, None if refused else SEA)
    wide = make("", f"<p title='{'x' * 12 * MILLION}'>Wide.</p>")
    yield Hostile(
        8,
        f"{kind}: an attribute of 12 MB",
        name,
        wide,
        "too large|deeply|grow|more text than|damaged",
        "",
    )
    attributes = " ".join(f"a{n}='1'" for n in range(50_000))
    many = make("", f"<p {attributes}>Many.</p>")
    yield Hostile(8, f"{kind}: 50,000 attributes", name, many, "cannot|damaged|deeply", "")


def _commands() -> Iterator[Hostile]:
    def rtf(inner: str) -> Callable[[], bytes]:
        return lambda: (r"{\rtf1\ansi{\stylesheet{\s3 Title;}}" + inner + SEA + r"\par}").encode()

    def tex(inner: str) -> Callable[[], bytes]:
        begin, end = r"\documentclass{article}\begin{document}", r"\end{document}"
        return lambda: f"{begin}\n{inner}\n\n{SEA}\n{end}".encode()

    deep, none = "nested too deeply", "has no sentences"
    for what, inner, refused, holds in (
        ("200,000 groups open", "{" * 200_000, deep, None),
        ("200,000 groups closed", "}" * 200_000, None, SEA),
        ("100,000 control words", r"\b\i " * 100_000, None, SEA),
        ("a binary part said to be 4 GB", r"\bin4294967295 ", none, None),
        ("a number of 5,000 digits", "\\u" + "9" * 5_000 + " ", None, SEA),
        ("100,000 titles", r"\pard\s3 A\par\pard " * 100_000, None, SEA),
        (
            "a style named in 200,000 parts",
            r"{\stylesheet{\s9 " + r"a\b " * 200_000 + "}}",
            None,
            SEA,
        ),
        (
            "4,000 fields within fields",
            r"{\field{\*\fldinst TOC}{\fldrslt " * 4_000 + "}}" * 4_000,
            None,
            SEA,
        ),
    ):
        yield Hostile(8, f"RTF: {what}", "a.rtf", rtf(inner), refused, holds)
    names = "abcdefghijkl"
    definitions = (rf"\def\{name}" + f"{{{f'~{after}' * 10}}}" for name, after in pairwise(names))
    laughs = "".join(definitions).replace("~", "\\") + r"\def\l{ha }\a"
    for what, inner, holds in (
        ("a billion laughs", laughs, SEA),
        ("a macro of itself", r"\def\a{\a\a}\a", SEA),
        ("files, and programs", r"\input{/etc/passwd}\write18{touch x}\openin1=/etc/passwd", SEA),
        ("200,000 groups open", "{" * 200_000, SEA),
        ("100,000 titles without ends", r"\section{" * 100_000, ""),
        ("100,000 environments open", r"\begin{figure}" * 100_000, ""),
        (
            "100,000 captions of one figure",
            r"\begin{figure}" + r"\caption{A}" * 100_000 + r"\end{figure}",
            SEA,
        ),
        ("100,000 brackets open", r"\\[ a" * 100_000, ""),
        ("200,000 formulas open", r"\(\[$" * 70_000, ""),
        (
            "100,000 labels and references",
            "".join(rf"\label{{a{n}}}\ref{{a{n}}} " for n in range(100_000)),
            SEA,
        ),
    ):
        yield Hostile(8, f"LaTeX: {what}", "a.tex", tex(inner), "nested|no sentences", holds)


def _sections() -> Iterator[Hostile]:
    def record(levels: list[int], title: Callable[[int], str]) -> bytes:
        sections = [
            {"level": level, "title": title(n), "paragraphs": [f"Sentence {n}."]}
            for n, level in enumerate(levels)
        ]
        return json.dumps({"title": "T", "sections": sections}).encode()

    chaos = [1, 4, 2, 9, 1, 3, 3, 2] * 50
    yield Hostile(10, "levels in any order", "a.json", lambda: record(chaos, str), holds="T")
    yield Hostile(10, "5,000 headings", "a.json", lambda: record([1, 2] * 2500, str), holds="T")
    yield Hostile(10, "no titles", "a.json", lambda: record(chaos, lambda _: ""), holds="T")
    yield Hostile(10, "one title", "a.json", lambda: record(chaos, lambda _: "A"), holds="T")
    heads = b"".join(b"%s H%d\n\n" % (b"#" * (1 + n * 7 % 6), n) for n in range(5_000))
    yield Hostile(10, "5,000 headings, no text", "a.md", lambda: heads, "has no sentences")
    yield Hostile(10, "200,000 brackets", "a.json", lambda: b"[" * 200_000, "is not valid JSON")
    digits = b'{"text": "One.", "n": ' + b"9" * MILLION + b"}"
    yield Hostile(10, "a number of a million digits", "a.json", lambda: digits, "JSON", "")
