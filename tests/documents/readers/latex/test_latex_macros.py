"""Macros defined in a LaTeX file are expanded, within bounds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from linear_time import assert_linear
from longsum.documents import Document
from longsum.documents.readers import read_bytes

_SEA = "The sea is wide."


def _read(body: str, preamble: str = "") -> Document:
    text = rf"{preamble}\begin{{document}}{body}\end{{document}}"
    return read_bytes(text.encode(), "a.tex")


_WORDS = st.text("abcxyz", min_size=1, max_size=8)
_PIECES = st.lists(st.one_of(st.integers(0, 8), _WORDS), min_size=1, max_size=6)


@given(pieces=_PIECES, given=st.lists(_WORDS, min_size=9, max_size=9))
@settings(max_examples=examples(60), derandomize=True, deadline=None)
@pytest.mark.parametrize(
    "definition",
    [
        r"\newcommand{\x}[9]{@}",
        r"\renewcommand*\x[9]{@}",
        r"\providecommand{\x}[9]{@}",
        r"\def\x#1#2#3#4#5#6#7#8#9{@}",
        r"\NewDocumentCommand{\x}{m m m m m m m m m}{@}",
    ],
)
def test_arguments_are_inserted_at_their_places(definition: str, pieces, given) -> None:
    body = " ".join(f"#{piece + 1}" if isinstance(piece, int) else piece for piece in pieces)
    text = " ".join(given[piece] if isinstance(piece, int) else piece for piece in pieces)
    braced = "".join(f"{{{word}}}" for word in given)
    assert _read(rf"It is \x{braced}.", definition.replace("@", body)).text == f"It is {text}."


@pytest.mark.parametrize(
    ("definition", "body", "text"),
    [
        (r"\newcommand{\x}[2][old]{#1 #2}", r"The \x{dam} and \x[new]{weir}", "old dam new weir"),
        (r"\newcommand{\x}[2][]{#1#2}", r"The \x{dam} and \x[new ]{weir}", "dam newweir"),
        (r"\newcommand{\x}[1]{#1s}", r"The \x{\x{dam}} and \x weir", "damss wseir"),
        (r"\newcommand{\x}[1]{}", r"The dam\x{not this} and weir", "dam weir"),
        (r"\newcommand{\x}[1]{\emph{#1}\index{#1}}", r"The \x{dam} and weir", "dam weir"),
        (r"\newcommand{\x}[1]{\ifx#1\y no\else yes\fi}", r"The \x{dam} and weir", "dam weir"),
        (r"\def\x#1.{#1}", r"The \x{dam} and weir", "dam weir"),
        (r"\let\x\textbf", r"The \x{dam} and weir", "dam weir"),
        (r"\let\x=\y\def\y{dam}", r"The \x{} and weir", "dam weir"),
        (r"\let\y\dam\def\dam{great \y{} dam}", r"The \dam{} and weir", "great dam weir"),
        (r"\def\y{dam}\let\x\y\def\y{\x{}s}", r"The \x{}, \y{} and weir", "dam, dams weir"),
        (r"\DeclareMathOperator{\x}{dam}", r"The $\x$ and weir", "dam weir"),
        (r"\DeclarePairedDelimiter{\x}{<}{>}", r"The $\x{dam}$ and weir", "<dam> weir"),
        (r"\renewcommand{\footnote}[1]{#1}", r"The dam\footnote{not this} and weir", "dam weir"),
        (r"\newcommand{\x}{dam}\providecommand{\x}{no}", r"The \x{} and weir", "dam weir"),
        (
            r"\newenvironment{x}[1]{\begin{quote}the #1 }{ of it\end{quote}}",
            r"\begin{x}{dam} and weir\end{x}",
            "dam weir\n\nof it",
        ),
    ],
)
def test_a_definition_is_expanded_as_it_states(definition: str, body: str, text: str) -> None:
    said = _read(body, definition).text
    assert said.lower().replace("the ", "").replace("and ", "") == text


@pytest.mark.parametrize(
    ("definition", "formula"),
    [
        (r"\def\be{\begin{equation}}\def\ee{\end{equation}}", r"\be x \ee"),
        (r"\newcommand{\be}[1]{\begin{equation}#1\end{equation}}", r"\be{x}"),
        (r"\newenvironment{be}{\begin{equation}}{\end{equation}}", r"\begin{be}x\end{be}"),
    ],
)
def test_a_formula_ends_where_a_macro_ends_it(definition: str, formula: str) -> None:
    document = _read(rf"{formula} {_SEA}", definition)
    assert document.text == _SEA
    assert [part.text.strip() for part in document.omitted] == ["x"]


_ENDLESS = {
    "itself": (r"\newcommand{\x}[1]{#1 \x{#1}}", r"\x{a}"),
    "each other": (r"\def\x#1{\y{#1 #1}}\def\y#1{\x{#1 #1}}", r"\x{a}"),
    "alias": (r"\let\x\y\let\y\x", r"\x"),
    "environment": (r"\newenvironment{x}{\begin{x}}{\end{x}}", r"\begin{x}\end{x}"),
    "theorem": (r"\newtheorem{x}{\begin{x}\begin{x}}", r"\begin{x}\end{x}"),
    "counter": (r"\numberwithin{x}{y}\numberwithin{y}{x}", r"\refstepcounter{x}\label{a}\ref{a}"),
    "printed": (r"\newtheorem{x}{X}\renewcommand{\thex}{\thex\thex}", r"\begin{x}\end{x}"),
    "title": (r"\def\x#1{#1}", r"\section{\nameref{a}}\label{a}\nameref{a}"),
    "much": (rf"\newcommand{{\x}}[1]{{{'#1' * 200}}}", rf"\x{{\x{{\x{{{_SEA * 200}}}}}}}"),
}


@pytest.mark.parametrize(("definition", "body"), _ENDLESS.values(), ids=_ENDLESS)
def test_endless_expansion_ends_and_loses_no_later_text(definition: str, body: str) -> None:
    text = _read(f"{body}\n\n{_SEA}", definition).text
    assert text.endswith(_SEA)
    assert len(text) < 500_000


def test_arguments_are_kept_if_macros_are_no_longer_expanded() -> None:
    body = rf"\x{{}}\y{{{_SEA}}}"
    assert _SEA in _read(body, r"\def\x#1{\x{#1}\x{#1}}\newcommand{\y}[1]{}").text


_ABSURD = {
    "nested": lambda n: r"\x{" * n,
    "closed": lambda n: r"\x{" * (n // 2) + "}" * (n // 2),
    "environments": lambda n: r"\begin{y}" * n,
    "lists": lambda n: r"\begin{enumerate}[" * n,
    "theorems": lambda n: "".join(rf"\newtheorem{{t{i}}}{{T}}[section]" for i in range(n)),
    "sections": lambda n: r"\newtheorem{t}{T}[section]\section{a}" * (n // 8),
    "floats": lambda n: r"\begin{figure}\begin{subfigure}\caption{" * n,
    "rows": lambda n: r"\begin{align}\label{" * n,
    "references": lambda n: r"\section{\nameref{a}}\label{a}" * (n // 8),
    "definitions": lambda n: r"\newcommand{\z}[1]{#1" * n,
}


@pytest.mark.timing
@pytest.mark.parametrize("make", _ABSURD.values(), ids=_ABSURD)
def test_absurd_definitions_take_linear_time(make) -> None:
    preamble = r"\newcommand{\x}[1]{#1#1}\newenvironment{y}{\begin{quote}}{\end{quote}}"
    assert_linear(lambda size: _read(make(size) + _SEA, preamble), 4_000)
