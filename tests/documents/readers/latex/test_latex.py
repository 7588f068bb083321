from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_views import CheckDocument, check_or_refused
from effort import examples
from linear_time import assert_linear
from longsum.documents import Document
from longsum.documents.readers import read_bytes
from longsum.documents.readers.latex import latex_stream

_PREAMBLE = r"""\documentclass[11pt]{article} % a comment
\usepackage{amsmath}
\newcommand{\dam}{\textsc{Hoover} dam}
\newcommand{\two}[2]{#1 and #2}
\def\river{Colorado}
\title[Short]{Rivers of \emph{the} hills\thanks{Paid for.}}
\author{A. Author}
\begin{document}
"""
_TEXT = "\nThe river rises in the hills and flows for a hundred miles.\n\n"


def _read(body: str, preamble: str = _PREAMBLE) -> Document:
    return read_bytes((preamble + body + "\n\\end{document} Never read.").encode(), "a.tex")


def _first(body: str) -> str:
    document = _read(f"{body}\n\n{_TEXT}")
    return " ".join(sentence.text for sentence in next(document.paragraphs))


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"The \dam{} is \textbf{old} and \emph{tall}.", "The Hoover dam is old and tall."),
        (r"The \river\ is \two{long}{slow}.", "The Colorado is longslow."),
        (r"Caf\'e, na\"{\i}ve, \c{c}a, \v{C}apek, \ss, \O re.", "Café, naïve, ça, Čapek, ß, Øre."),
        ("``A'' -- b---c~d 50\\% \\$5 \\& \\#1 \\ldots", "“A” – b—c d 50% $5 & #1 …"),
        (r"It is % a comment" + "\nhere.", "It is here."),
        (r"One $x_{i} \leq 2$ and \(\alpha\) \mbox{now}.", "One x_i ≤ 2 and α now."),
        (r"It fell \citep[p.~3]{a,b} as \citet{c} said~\cite{d}.", "It fell as [c] said."),
        (r"See \url{http://x.org/a} and \href{http://y}{there}.", "See http://x.org/a and there."),
        (r"A \verb|x%y{| and \\[2pt] more\hspace{1cm} of it.", "A x%y{ and more of it."),
        (r"It\iffalse never \ifx a b \fi read \fi\ ends.", "It ends."),
        (r"It is \footnote{A note.}here.", "It is here."),
        (r"\begin{itemize}[noitemsep]\item It ends.\end{itemize}", "It ends."),
        (r"\begin{center}[x] It ends.\end{center}", "It ends."),
    ],
)
def test_what_a_paragraph_says(written: str, text: str) -> None:
    assert _first(written) == text


# Commands that say nothing, by how many arguments they have.
_SILENT = {
    0: "vskip glsresetall begingroup hyperref printindex tableofcontents listoffigures maketitle "
    "listoftables ensuremath",
    1: "label cite citep citealp parencite autocite nocite footcite supercite vspace hspace "
    "includegraphics bibliography bibliographystyle addbibresource usepackage documentclass index "
    "pagestyle thispagestyle color pagenumbering author date affiliation email institute address "
    "hypersetup phantom markright graphicspath hyphenation input include subfile lstinputlisting "
    "verbatiminput todo thanks footnotetext footnote endnote caption subtitle keywords hypertarget "
    "title textcolor href raisebox parbox selectlanguage foreignlanguage RequirePackage "
    "geometry captionsetup theoremstyle bibliographyunit colorbox scalebox rotatebox urlstyle acro "
    "authorrunning titlerunning shorttitle shortauthors orcid corref ead received accepted pacs "
    "subjclass altaffiliation preprint",
    2: "setcounter addtocounter setlength addtolength markboth fontsize newtheorem rule import "
    "multicolumn DeclareMathOperator PassOptionsToPackage fcolorbox resizebox acrodef",
    3: "definecolor addcontentsline",
    4: "titleformat",
}


@pytest.mark.parametrize("arguments", _SILENT)
def test_what_commands_are_given_is_no_text_and_what_follows_is(arguments: int) -> None:
    for command in _SILENT[arguments].split():
        text = _first(rf"The \{command}{'{never}' * arguments}{{}} {{river}} is long.")
        assert text == "The river is long.", command


_LEFT_OUT = {
    "figure": "figure wrapfigure subfigure SCfigure tikzpicture picture sidewaysfigure",
    "table": "table wraptable longtable tabular tabularx tabbing sidewaystable supertabular",
    "formula": "equation align gather multline eqnarray displaymath flalign alignat dmath align*",
    "algorithm": "algorithm algorithmic algorithm2e",
    "keyword list": "CCSXML keywords IEEEkeywords",
    "reference": "thebibliography references",
}


@pytest.mark.parametrize("kind", _LEFT_OUT)
def test_environments_are_left_out_as_what_they_are(kind: str) -> None:
    for name in _LEFT_OUT[kind].split():
        inner = r"\bibitem{a} Smith. Dams." if kind == "reference" else "{ll} a & b"
        document = _read(rf"{_TEXT}\begin{{{name}}}{inner}\end{{{name}}}{_TEXT}")
        assert [part.kind for part in document.omitted] == ["footnote", kind], name
        assert len(document.sentences) == 2
    assert not _read(rf"{_TEXT}\begin{{comment}}a\end{{comment}}").omitted[1:]


_CALLED = (
    "Figure fig, Table tab, Table tbl, Section sec, Section subsec, Chapter ch, Chapter chap, "
    "Equation eq, Equation eqn, Algorithm alg, Appendix app, Appendix appendix"
)


def test_labels_are_called_by_how_they_begin() -> None:
    for name, begins in map(str.split, _CALLED.split(",")):
        label = rf"\section{{Springs}}\label{{{begins}:a}}{_TEXT}"
        for command in ("autoref", "cref", "Cref"):
            said = rf"It is in \{command}{{{begins}:a}} here."
            assert f"in {name} 1 here" in _read(label + said).text


def test_references_have_the_numbers_that_counting_tells() -> None:
    document = _read(
        r"See Section~\ref{sec:b}, \autoref{fig:x} and \eqref{e}, but not \ref{none}."
        + rf"\section{{A}}{_TEXT}\subsection{{B}}\label{{sec:b}}{_TEXT}"
        + r"\begin{figure}\begin{center}x\end{center}\caption{A dam.}\label{fig:x}\end{figure}"
        + r"\begin{equation}a\label{e}\end{equation}"
    )
    assert document.sentences[0].text == "See Section 1.1, Figure 1 and (1), but not."


@pytest.mark.parametrize(
    "body",
    [
        *(r"\newcommand{\a}{\a\a}\a ", r"\newcommand{\a}{\b\b}\newcommand{\b}{\a\a}$\a$"),
        *(r"\footnote{" * 500, r"\begin{figure}" * 60, r"\section{" * 500, "{" * 20_000),
        *(r"\begin{verbatim}" + "x" * 1000, "$" * 5001),
    ],
)
def test_texts_made_to_harm_end(check_document: CheckDocument, body: str) -> None:
    check_document(_read(_TEXT + body))


@pytest.mark.timing
@pytest.mark.parametrize(
    "unit", [r"\cite{a ", r"\footnote{a ", r"\begin{table}", "$a ", r"{\em a} "]
)
def test_time_is_linear(unit: str) -> None:
    assert_linear(lambda size: _read(_TEXT + unit * (size // len(unit))), 60_000)


_PARTS = st.sampled_from(
    [
        *("\\", "{", "}", "$", "$$", "%", "\n", "\n\n", "[", "]", "#1", "&", "~", "\\\\", "words "),
        *(
            "\\section",
            "\\item",
            "\\begin{itemize}",
            "\\end{itemize}",
            "\\begin{table}",
            "\\end{table}",
        ),
        *("\\cite", "\\'", "\\verb|", "\\def\\x", "\\x", "\\footnote{", "\\iffalse", "\\fi", "\\["),
        *("\\title{", "\\ref{a}", "\\label{a}", "\\caption{", "\\begin{verbatim}", "\\begin"),
    ]
)


@given(parts=st.lists(_PARTS, max_size=30))
@settings(max_examples=examples(100), derandomize=True, deadline=None)
def test_anything_is_a_valid_document_or_refused(
    check_document: CheckDocument, parts: list[str]
) -> None:
    check_or_refused(check_document, lambda: _read("".join(parts)))


def test_a_document_begins_and_ends_where_its_commands_do() -> None:
    begin, end = r"\begin{document}", r"\end{document}"
    preamble = _PREAMBLE.replace(begin, f"% before {begin} it\n\\title{{Dams}}\n{begin}")
    example = rf"\begin{{verbatim}}{begin}{end}\end{{verbatim}}"
    document = read_bytes(f"{preamble}{example}{_TEXT}{end} No.".encode(), "a.tex")
    assert (document.title, len(document.sentences)) == ("Dams", 1)


def test_brackets_that_are_not_closed_are_text() -> None:
    assert _first(r"The river \\ [is wide. It ends \par Another.") == "The river [is wide. It ends"


def test_what_does_not_end_costs_no_arguments_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latex_stream, "_MOST_IN_VAIN", 100)
    document = _read(r"\begin{figure}" + "a $x$ " * 200 + _TEXT + rf"\section{{Springs}}{_TEXT}")
    assert [section.title for section in document.walk()][-1] == "Springs"


_ABSURD = {
    "captions": lambda n: r"\begin{figure}" + r"\caption{A}" * n + r"\end{figure}",
    "references": lambda n: "".join(rf"\label{{a{i}}}\ref{{a{i}}} " for i in range(n)),
    "environments": lambda n: r"\begin{figure}" * n,
    "tables": lambda n: r"\begin{table}" + r"\begin{tabular}[" * n + r"\end{table}",
    "entries": lambda n: r"\begin{thebibliography}" + r"\bibitem[" * n + r"\end{thebibliography}",
    "spaces": lambda n: "(" + " " * n + "$ {" + " " * n,
}


@pytest.mark.timing
@pytest.mark.parametrize("make", _ABSURD.values(), ids=_ABSURD)
def test_absurd_files_take_linear_time(make: Callable[[int], str]) -> None:
    assert_linear(lambda size: _read(make(size) + _TEXT), 4_000)


def test_macros_stand_for_no_more_than_a_document_has() -> None:
    document = _read(rf"\a{_TEXT}", r"\def\a{The sea is wide. \a}\begin{document}")
    assert len(document.text) < 400_000
