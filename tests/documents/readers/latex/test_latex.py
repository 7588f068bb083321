import math
import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_views import CheckDocument, check_or_refused
from effort import examples
from linear_time import assert_linear
from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.documents.readers import read_bytes
from longsum.documents.readers.latex import latex_stream
from longsum.language.characters import LOST

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
def test_anything_is_a_valid_document_or_refused(check_document, parts) -> None:
    check_or_refused(check_document, lambda: _read("".join(parts)))


def test_a_document_begins_and_ends_at_its_commands() -> None:
    begin, end = r"\begin{document}", r"\end{document}"
    preamble = _PREAMBLE.replace(begin, f"% before {begin} it\n\\title{{Dams}}\n{begin}")
    example = rf"\begin{{verbatim}}{begin}{end}\end{{verbatim}}"
    document = read_bytes(f"{preamble}{example}{_TEXT}{end} No.".encode(), "a.tex")
    assert (document.title, len(document.sentences)) == ("Dams", 1)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"The dam of \cref{ch:a} holds.", "The dam holds."),
        (r"The dam (see \cref{a}) holds.", "The dam holds."),
        (r"The dam, as shown in~\cref{ch:a}, holds.", "The dam holds."),
        (r"The dam holds, as \autoref{a} shows.", f"The dam holds, as {LOST} shows."),
        (r"\Cref{cha:a} tells of the dam.", f"Chapter {LOST} tells of the dam."),
        (r"In \cref{a} the dam holds.", f"In {LOST} the dam holds."),
        (r"The weir of Lemma~\ref{a} holds.", f"The weir of Lemma {LOST} holds."),
        (r"The weir (see Lemma~\ref{a}) holds.", "The weir holds."),
        (r"The weir in Sections~\ref{a} and~\ref{b} holds.", "The weir holds."),
        (r"It is shown in Section~\ref{a}.", f"It is shown in Section {LOST}."),
        (r"As we saw in Section~\ref{a}, it holds.", "As we saw, it holds."),
        (
            r"The dam, see \secref{sec:a}, and \defref{dam} hold.",
            f"The dam, see Section {LOST}, and dam hold.",
        ),
        (r"Much of \ref{a} holds.", f"Much of {LOST} holds."),
        (r"Rivers~\cite{a} are described by~\cite{b}.", "Rivers are described by [b]."),
        (r"The \define{dam}\indexdef{dam!high}\indexsee{weir}{dam} holds.", "The dam holds."),
    ],
)
def test_a_reference_to_another_file_leaves_a_visible_trace(body: str, text: str) -> None:
    assert _first(body) == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"\begin{minipage}[t]{.4\textwidth}It holds.\end{minipage}", "It holds."),
        (r"\begin{textblock}{14}(1.0,2.5)It holds.\end{textblock}", "It holds."),
        (r"\begin{block}<2->{Dams} hold.\end{block}", "Dams hold."),
        (r"\only<1,3->{It} \includegraphics<2>[width=1cm]{dam.pdf} holds.", "It holds."),
        (r"It is <3 m> deep.", "It is <3 m> deep."),
        (r"It \replaced{holds}{fell}.\deleted{ It fell.}", "It holds."),
        (r"\begin{weir}{1 m high} It holds.\end{weir}", "1 m high It holds."),
        (r"So $A \subseteq\begin{pmatrix}a & b\end{pmatrix}$.", "So A ⊆ a b."),
    ],
)
def test_layout_commands_of_pages_and_slides_are_not_text(body: str, text: str) -> None:
    assert _first(body) == text


def test_an_omitted_algorithm_includes_its_caption() -> None:
    document = _read(rf"{_TEXT}\begin{{algorithm}}\caption{{Dams}} Fill it.\end{{algorithm}}")
    (told,) = [part.text for part in document.omitted if part.kind == "algorithm"]
    assert re.search("Dams.*Fill it.", told)


def test_files_that_are_included_are_named() -> None:
    with pytest.raises(LongsumError, match="give it a, b"):
        _read(r"\input{a}\include{b}")


def test_brackets_that_are_not_closed_are_text() -> None:
    assert _first(r"The river \\ [is wide. It ends \par Another.") == "The river [is wide. It ends"


def test_macros_of_the_preamble_are_expanded_unless_they_have_arguments() -> None:
    assert (
        _first(r"The \river\ meets the \dam{} here.") == "The Colorado meets the Hoover dam here."
    )
    assert "#1" not in _first(r"It is \two{deep}{wide}, as all say.")


def test_an_unclosed_environment_does_not_affect_later_arguments(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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
    "accents": lambda n: r"\'{" * n + "e" + "}" * n,
    "bookmarks": lambda n: r"\texorpdfstring{" * n + "}" * n,
    "marks": lambda n: "".join(rf"\verb{chr(0x4E00 + i)}" for i in range(n)),
    "counters": lambda n: "".join(
        rf"\counterwithin{{c{i}}}{{c{j}}}\stepcounter{{c0}}"
        for i, j in product(range(math.isqrt(n)), repeat=2)
    ),
}


@pytest.mark.timing
@pytest.mark.parametrize("make", _ABSURD.values(), ids=_ABSURD)
def test_absurd_files_take_linear_time(make) -> None:
    assert_linear(lambda size: _read(make(size) + _TEXT), 4_000)


def test_the_expansion_of_macros_is_limited() -> None:
    document = _read(rf"\a{_TEXT}", r"\def\a{The sea is wide. \a}\begin{document}")
    assert len(document.text) < 400_000


@pytest.mark.parametrize(
    ("labelled", "refers"),
    [
        (r"\section{@}\label{a}", r"\nameref{a} "),
        (r"\begin{equation}x\tag{@}\label{a}\end{equation}", r"\eqref{a} "),
        (r"\captionof{@}{Dams.}\label{a}", r"\autoref{a} "),
        (r"\refstepcounter{@}\label{a}", r"\autoref{a} "),
        (r"\newtheorem{a}{@}", r"\begin{a}It holds.\end{a} "),
        (r"\newtheorem{a}{T}\begin{a}[@]\label{a}It holds.\end{a}", r"\nameref{a} "),
    ],
)
def test_references_print_no_more_than_a_document_has(labelled: str, refers: str) -> None:
    body = labelled.replace("@", "wide " * 4_000) + refers * 100
    assert len(_read(body).text) < 200_000 + 4 * len(body)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"The caf\'e is open.", "The café is open."),
        (r"The caf\'{e} is open.", "The café is open."),
        (r"The \~{}home is \'{}open\^{}.", "The ~home is open^."),
        (r"It is at \url{http://x.org/~a--b%20c} now.", "It is at http://x.org/~a--b%20c now."),
        (r"It is \href{http://x.org/b%20c}{over there} now.", "It is over there now."),
        (r"Say \verb|a --b ~c|, or \lstinline[x]!% d! now.", "Say a --b ~c, or % d now."),
        (r"In Fig.~2 ``it'' is $f''$ -- so.", "In Fig. 2 “it” is f'' – so."),
    ],
)
def test_only_text_has_ligatures_and_accents_end_no_paragraph(written: str, text: str) -> None:
    assert _read(f"{written}\n\nIt rains.", "").text == f"{text}\n\nIt rains."


def test_programs_as_pandoc_and_sweave_write_them_are_code() -> None:
    marked = r"\NormalTok{rise(}\StringTok{\textquotesingle{}a\textquotesingle{}}\NormalTok{) \{}"
    for name in ("Highlighting", "Sinput", "CodeOutput"):
        document = _read(f"{_TEXT}\\begin{{{name}}}[]\n{marked}\n\\end{{{name}}}\n{_TEXT}")
        assert [each.kind for each in document.omitted] == ["footnote", "code block"]
        assert "rise(" not in document.text
        assert ("NormalTok" in document.omitted[1].text) == (name != "Highlighting")


def test_the_target_of_a_link_is_no_text() -> None:
    assert _first(r"See \protect\hyperlink{the-dams}{the dams}.") == "See the dams."
