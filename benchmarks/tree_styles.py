"""Styles in which `trees.py` prints documents, with Chromium and with LaTeX."""

import html
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tree_documents import Known, Part

_SECONDS = 120
_SIZES = ("1.5em", "1.25em", "1.1em", "1em")


@dataclass(frozen=True, slots=True)
class Style:
    """A way to print documents.

    Attributes:
        name: Its name.
        renderer: The program that prints.
        held_out: Whether it is only for reporting.
        outline: Whether the file has bookmarks (Chromium writes them only in tagged files).
        tagged: Whether the file is tagged (Chromium).
        columns: 1 or 2.
        numbered: Whether headings are numbered.
        contents: Whether a contents page precedes the text.
        running: Whether pages have running heads and numbers.
        notes: Whether pages have footnotes and a table with a caption.
        css: Rules for Chromium, after the usual ones.
        tex: Lines of the preamble for LaTeX; the class comes first.
    """

    name: str
    renderer: Literal["chromium", "latex"]
    held_out: bool = False
    outline: bool = False
    tagged: bool = False
    columns: int = 1
    numbered: bool = False
    contents: bool = False
    running: bool = False
    notes: bool = False
    css: str = ""
    tex: tuple[str, ...] = ()


def _heading(command: str, font: str) -> str:
    """Return LaTeX that sets headings at the size of the text."""
    level = ("section", "subsection", "subsubsection").index(command) + 1
    return (
        rf"\makeatletter\renewcommand\{command}{{\@startsection{{{command}}}{{{level}}}{{0pt}}"
        rf"{{2.5ex}}{{1ex}}{{\normalfont\normalsize{font}}}}}\makeatother"
    )


_ARTICLE = r"\documentclass[11pt,a4paper]{article}"
_PAPER = r"\documentclass[10pt,twocolumn,letterpaper]{article}"
_SANS = r"\renewcommand{\familydefault}{\sfdefault}"
STYLES = (
    # Development.
    Style("report", "chromium", contents=True, numbered=True, running=True),
    Style(
        "memo",
        "chromium",
        css="body{font:10pt Liberation Sans,sans-serif}h2{font-size:1.15em}h3,h4,h5{font-size:1em}"
        "h4,h5{font-style:italic}",
    ),
    Style("handout", "chromium", outline=True, tagged=True, running=True),
    Style(
        "magazine",
        "chromium",
        columns=2,
        css="body{font:9pt Liberation Serif,serif;text-align:justify;hyphens:auto}"
        "h2{font:bold 12pt Liberation Sans}h3{font:bold 10pt Liberation Sans}"
        "h4,h5{font:italic bold 9pt Liberation Sans}",
        running=True,
    ),
    Style("article", "latex", numbered=True, notes=True, tex=(_ARTICLE,)),
    Style("paper", "latex", columns=2, numbered=True, notes=True, tex=(_PAPER,)),
    Style(
        "manual",
        "latex",
        numbered=True,
        contents=True,
        outline=True,
        running=True,
        tex=(r"\documentclass[11pt,twoside]{article}", r"\usepackage[margin=3cm]{geometry}"),
    ),
    Style("plain", "latex", running=True, tex=(_ARTICLE, _SANS)),
    Style(
        "conference",
        "latex",
        columns=2,
        numbered=True,
        notes=True,
        tex=(
            _PAPER,
            r"\usepackage{mathptmx}",
            _heading("section", r"\scshape\centering"),
            _heading("subsection", r"\itshape"),
            r"\renewcommand{\thesection}{\Roman{section}}",
            r"\renewcommand{\thesubsection}{\Alph{subsection}.}",
            r"\renewcommand{\thesubsubsection}{\arabic{subsubsection})}",
        ),
    ),
    Style(
        "leaflet",
        "chromium",
        css="body{font:11pt Liberation Serif,serif}h2,h3,h4,h5{font:1em Liberation Sans}"
        "h3,h4,h5{font-style:italic}",
    ),
    Style(
        "lecture",
        "latex",
        columns=2,
        running=True,
        notes=True,
        tex=(
            _PAPER,
            _heading("section", r"\sffamily"),
            _heading("subsection", r"\sffamily\itshape"),
            _heading("subsubsection", r"\itshape"),
        ),
    ),
    # Held out.
    Style(
        "brochure",
        "chromium",
        held_out=True,
        contents=True,
        running=True,
        css="body{font:10.5pt DejaVu Sans,Liberation Sans,sans-serif}"
        "h2{font-size:1.15em;color:#135}h3{font-size:1em;font-style:italic;font-weight:normal}"
        "h4{font-size:.95em;text-transform:uppercase;font-weight:normal}",
    ),
    Style(
        "brief",
        "chromium",
        held_out=True,
        numbered=True,
        css="body{font:12pt/1.6 Liberation Serif,serif}h2{text-align:center;font-size:1.1em;"
        "text-transform:uppercase}h3{font-size:1em}h4,h5{font-size:1em;font-weight:normal;"
        "font-style:italic}p{text-indent:2em;margin:0}",
    ),
    Style(
        "newsletter",
        "chromium",
        held_out=True,
        columns=2,
        outline=True,
        tagged=True,
        running=True,
        css="body{font:9.5pt Liberation Sans,sans-serif}h2{font-size:1.3em}h3{font-size:1.1em}",
    ),
    Style(
        "tagged",
        "chromium",
        held_out=True,
        tagged=True,
        css="body{font:11pt Liberation Serif,serif}h2,h3,h4,h5{font-size:1em}",
    ),
    Style(
        "journal",
        "latex",
        held_out=True,
        columns=2,
        running=True,
        notes=True,
        tex=(
            r"\documentclass[9pt,twocolumn,twoside]{extarticle}",
            r"\usepackage{mathptmx}",
            _heading("section", r"\bfseries\MakeUppercase"),
            _heading("subsection", r"\bfseries"),
            _heading("subsubsection", r"\itshape"),
        ),
    ),
    Style(
        "review",
        "latex",
        held_out=True,
        columns=2,
        running=True,
        notes=True,
        tex=(
            r"\documentclass[10pt,twocolumn,a4paper]{article}",
            r"\usepackage{mathpazo}",
            _heading("section", r"\sffamily\bfseries"),
            _heading("subsection", r"\sffamily"),
            _heading("subsubsection", r"\sffamily\itshape"),
        ),
    ),
    Style(
        "standard",
        "latex",
        held_out=True,
        numbered=True,
        contents=True,
        running=True,
        notes=True,
        tex=(r"\documentclass[10pt,twoside]{article}", r"\usepackage{helvet}", _SANS),
    ),
    Style(
        "thesis",
        "latex",
        held_out=True,
        numbered=True,
        contents=True,
        outline=True,
        running=True,
        notes=True,
        tex=(r"\documentclass[12pt]{article}", r"\usepackage{mathpazo}"),
    ),
)


def render(known: Known, style: Style, folder: Path) -> Path:
    """Print a document unless its file exists; return the file.

    Raises:
        RuntimeError: The renderer fails.
    """
    target = folder / f"{known.name.replace('/', '_')}.{style.name}.pdf"
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (_by_chromium if style.renderer == "chromium" else _by_latex)(known, style, target)
    return target


def numbers(parts: tuple[Part, ...]) -> list[str]:
    """Return the number of each section, such as `2.1`."""
    counts: list[int] = []
    found = []
    for part in parts:
        del counts[part.level :]
        counts += [0] * (part.level - len(counts))
        counts[part.level - 1] += 1
        found.append(".".join(map(str, counts)))
    return found


def _run(command: list[str], folder: Path, target: Path) -> None:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, timeout=_SECONDS, check=False, text=True
    )
    if not target.exists():
        raise RuntimeError(f"{command[0]} made no PDF: {(done.stdout + done.stderr)[-600:]}")


def _by_chromium(known: Known, style: Style, target: Path) -> None:
    page = target.with_suffix(".html")
    page.write_text(_html(known, style), encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    command += ["--generate-pdf-document-outline"] * style.outline
    command += ["--disable-pdf-tagging"] * (not style.tagged)
    _run([*command, f"--print-to-pdf={target}", page.as_uri()], target.parent, target)
    page.unlink()


def _html(known: Known, style: Style) -> str:
    short = html.escape(known.title[:50])
    margins = (
        f'@top-left{{content:"{short}";font-size:8pt}}@bottom-right{{content:"Page " '
        "counter(page);font-size:8pt}"
    )
    rules = (
        f"@page{{size:A4;margin:22mm 20mm;{margins * style.running}}}"
        "body{font:11pt Liberation Serif,serif}h1{font-size:2em}"
        + "".join(f"h{n}{{font-size:{size}}}" for n, size in enumerate(_SIZES, start=2))
        + f"main{{columns:{style.columns};column-gap:8mm}}nav div{{display:flex}}"
        "nav i{flex:1;border-bottom:1px dotted}nav{break-after:page}h2,h3,h4,h5{break-after:avoid}"
        + style.css
    )
    labels = [f"{n} " * style.numbered for n in numbers(known.parts)]
    body = [f"<h1>{html.escape(known.title)}</h1>"]
    if style.contents:
        rows = "".join(
            f"<div><span>{label}{html.escape(part.title)}</span><i></i>"
            f"<span>{2 + place // 3}</span></div>"
            for place, (label, part) in enumerate(zip(labels, known.parts, strict=True))
        )
        body.append(f"<nav><p><b>Contents</b></p>{rows}</nav>")
    body.append("<main>")
    for label, part in zip(labels, known.parts, strict=True):
        tag = f"h{part.level + 1}"
        body.append(f"<{tag}>{label}{html.escape(part.title)}</{tag}>")
        body += [f"<p>{html.escape(text)}</p>" for text in part.paragraphs]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{short}</title>'
        f"<style>{rules}</style>{''.join(body)}</main></html>"
    )


_TEX = {
    "\\": r"\textbackslash{}",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "-": "{-}",
    "`": r"\textasciigrave{}",
    "'": r"{\textquotesingle}",
    '"': r"\textquotedbl{}",
    "•": r"\textbullet{}",
    "µ": r"\textmu{}",
}
_COMMANDS = ("section", "subsection", "subsubsection", "paragraph")


def _by_latex(known: Known, style: Style, target: Path) -> None:
    folder = target.with_suffix("")
    folder.mkdir(exist_ok=True)
    (folder / "a.tex").write_text(_latex(known, style), encoding="utf-8")
    for _ in range(1 + (style.contents or style.outline)):
        _run(["pdflatex", "-interaction=nonstopmode", "a.tex"], folder, folder / "a.pdf")
    shutil.move(folder / "a.pdf", target)
    shutil.rmtree(folder)


def _latex(known: Known, style: Style) -> str:
    lines = [
        *style.tex,
        r"\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{textcomp}",
        r"\usepackage{lmodern}" if not any("math" in line for line in style.tex) else "",
        rf"\setcounter{{secnumdepth}}{{{4 if style.numbered else 0}}}\setcounter{{tocdepth}}{{4}}",
        # A paragraph heading on a line of its own, as in reports.
        r"\makeatletter\renewcommand\paragraph{\@startsection{paragraph}{4}{0pt}{2ex}{.5ex}"
        r"{\normalfont\normalsize\bfseries}}\makeatother",
        r"\usepackage[hidelinks]{hyperref}" if style.outline else "",
        rf"\title{{{_escaped(known.title)}}}\author{{}}\date{{}}",
        r"\pagestyle{headings}" if style.running else r"\pagestyle{empty}",
        r"\sloppy\begin{document}\maketitle",
        r"\thispagestyle{empty}" * (not style.running),
        r"\tableofcontents\clearpage" * style.contents,
    ]
    for place, part in enumerate(known.parts):
        lines.append(rf"\{_COMMANDS[part.level - 1]}{{{_escaped(part.title)}}}")
        for number, text in enumerate(part.paragraphs):
            note = style.notes and number == 0 and place % 3 == 0
            lines.append(_escaped(text) + _NOTE.format(_escaped(known.title)) * note + "\n")
        if style.notes and place == 2:
            lines.append(_TABLE)
    return "\n".join([*lines, r"\end{document}"])


_NOTE = r"\footnote{{Compare what other works say of this in their chapters on {0}.}}"
_TABLE = r"""\begin{table}\centering\caption{Counts by year and place.}
\begin{tabular}{lrrr}Place & 2019 & 2020 & 2021\\North & 12 & 15 & 19\\South & 7 & 22 & 31\\
East & 41 & 17 & 3\\West & 8 & 9 & 27\\\end{tabular}\end{table}"""


def _escaped(text: str) -> str:
    return re.sub(
        "[^\\w\\s]", lambda found: _TEX.get(found[0], found[0]), text.replace("_", "\0")
    ).replace("\0", r"\_")
