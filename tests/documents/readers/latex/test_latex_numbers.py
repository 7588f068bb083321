"""References are replaced by the numbers that LaTeX prints."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.documents.readers import read_bytes
from longsum.language.characters import LOST

_THEOREMS = r"""\newtheorem{theorem}{Theorem}[section]
\newtheorem{lemma}[theorem]{Lemma}
\newtheorem{remark}{Remark}
\newtheorem*{note}{Note}
"""
# What each event is written as; `@` is its label.
_WRITTEN = {
    "section": r"\section{Dams}\label{@}",
    "subsection": r"\subsection{Weirs}\label{@}",
    "theorem": r"\begin{theorem}\label{@}It holds.\end{theorem}",
    "lemma": r"\begin{lemma}[Noether]It holds.\label{@}\end{lemma}",
    "remark": r"\begin{remark}\begin{center}It holds.\label{@}\end{center}\end{remark}",
    "equation": r"\begin{equation}x\label{@}\end{equation}",
    "unnumbered": r"\begin{equation*}x\end{equation*}\label{@}",
    "figure": r"\begin{figure}\caption{Dams.}\label{@}\end{figure}",
    "table": r"\begin{table}\caption{Dams.\label{@}}\end{table}",
}


def _told(body: str, preamble: str = "", document: str = "article") -> str:
    """Return the last paragraph."""
    text = rf"\documentclass{{{document}}}{preamble}\begin{{document}}{body}\end{{document}}"
    return read_bytes(text.encode(), "a.tex").text.rsplit("\n\n", 1)[-1]


def _refer(labels: list[str]) -> str:
    return "\n\nIt is " + ", ".join(rf"\ref{{{label}}}" for label in labels) + " there."


def _count(events: list[str], kinds: set[str], anew: str = "") -> int:
    """Return how many of the events are of some kinds, since the last of another kind."""
    after = len(events) - events[::-1].index(anew) if anew in events else 0
    return sum(event in kinds for event in events[after:])


def _number(events: list[str]) -> str:
    """Return the number of the last event, by its definition."""
    event, section = events[-1], _count(events, {"section"})
    if event == "unnumbered":
        places = [place for place, event in enumerate(events) if "section" in event]
        return _number(events[: places[-1] + 1])
    if event == "section":
        return f"{section}"
    if event == "subsection":
        return f"{section}.{_count(events, {event}, 'section')}"
    if event in ("theorem", "lemma"):
        return f"{section}.{_count(events, {'theorem', 'lemma'}, 'section')}"
    return f"{_count(events, {event})}"


@given(events=st.lists(st.sampled_from(list(_WRITTEN)), max_size=12))
@settings(max_examples=examples(60), derandomize=True, deadline=None)
def test_numbers_count_from_their_parent_counter(events) -> None:
    events = ["section", *events]
    labels = [f"l{place}" for place in range(len(events))]
    written = "\n\n".join(
        _WRITTEN[event].replace("@", label) for event, label in zip(events, labels, strict=True)
    )
    numbers = [_number(events[: place + 1]) for place in range(len(events))]
    assert _told(written + _refer(labels), _THEOREMS) == f"It is {', '.join(numbers)} there."


@given(rows=st.lists(st.sampled_from(["", r"\nonumber", r"\notag", r"\tag{*}"]), min_size=1))
@settings(max_examples=examples(40), derandomize=True, deadline=None)
@pytest.mark.parametrize("environment", ["align", "gather", "eqnarray"])
def test_rows_are_counted_unless_they_say_otherwise(environment: str, rows: list[str]) -> None:
    inner = r"\begin{cases}1\\2\end{cases}"
    written = r"\\".join(rf"{inner}{row}\label{{l{place}}}" for place, row in enumerate(rows))
    plain = [place for place, row in enumerate(rows) if not row]
    tags = [place for place, row in enumerate(rows) if "tag{" in row]
    body = rf"\begin{{{environment}}}{written}\end{{{environment}}}\begin{{equation}}x\label{{l}}"
    labels = [*(f"l{place}" for place in (*plain, *tags)), "l"]
    numbers = [str(place + 1) for place in range(len(plain))] + ["*"] * len(tags)
    told = _told(rf"{body}\end{{equation}}{_refer(labels)}")
    assert told == f"It is {', '.join([*numbers, str(len(plain) + 1)])} there."


def _items(counts: list[int], depth: int = 0) -> str:
    """Return nested lists, each in the last item of the outer one, with labels on these."""
    items = r"\item It holds." * counts[0] + rf"\label{{l{depth}}}"
    inner = _items(counts[1:], depth + 1) if counts[1:] else ""
    return rf"\begin{{enumerate}}{items}{inner}\end{{enumerate}}"


@given(counts=st.lists(st.integers(1, 9), min_size=4, max_size=4))
@settings(max_examples=examples(20), derandomize=True, deadline=None)
def test_items_are_numbered_by_their_place_in_each_list(counts: list[int]) -> None:
    first, second, third, fourth = counts
    romans = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]
    letter, roman = "abcdefghi"[second - 1], romans[third - 1]
    deep = f"{first}({letter}){roman}"
    numbers = [str(first), f"{first}{letter}", deep, f"{deep}{'ABCDEFGHI'[fourth - 1]}"]
    told = _told(_items(counts) + _refer([f"l{depth}" for depth in range(4)]))
    assert told == f"It is {', '.join(numbers)} there."


@pytest.mark.parametrize(
    ("preamble", "options", "number"),
    [
        ("", "", "2"),
        ("", "[(a)]", "b"),
        (r"\usepackage[shortlabels]{enumitem}", "[(a)]", "(b)"),
        (r"\usepackage{enumitem}", r"[label=\textbf{\Roman*.}]", "II."),
        (r"\usepackage{enumitem}", r"[start=4, label={(\arabic*)}, ref=\alph*]", "e"),
        (r"\renewcommand{\theenumi}{\Alph{enumi}}", "", "B"),
        (r"\setlist[enumerate, 1]{label=\roman*)}\setlist[itemize]{label=x}", "", "ii)"),
        (r"\setlist{start=3}\setlist[enumerate,2]{label=x}", "", "4"),
    ],
)
def test_items_are_numbered_in_the_style_of_their_list(
    preamble: str, options: str, number: str
) -> None:
    items = r"\item It.\item[x] It.\item\label{a} It."
    told = _told(rf"\begin{{enumerate}}{options}{items}\end{{enumerate}}\ref{{a}}", preamble)
    assert told == number


_EQUATION = r"\begin{equation}x\label{a}\end{equation}"
_WEIRS = r"\chapter{Dams}\section{Weirs}"


@pytest.mark.parametrize(
    ("preamble", "body", "number"),
    [
        ("", rf"{_WEIRS}{_EQUATION}", "1.1"),
        ("", rf"{_EQUATION}{_WEIRS}", "1"),
        (r"\numberwithin{equation}{section}", rf"{_WEIRS}{_EQUATION}", "1.1.1"),
        (r"\counterwithout{equation}{chapter}", rf"{_WEIRS}{_EQUATION}", "1"),
        (r"\renewcommand{\theequation}{E\roman{equation}}", rf"{_WEIRS}{_EQUATION}", "Ei"),
        (r"\setcounter{equation}{4}", rf"\addtocounter{{equation}}{{2}}{_EQUATION}", "7"),
        ("", rf"\setcounter{{equation}}{{\value{{page}}}}\stepcounter{{equation}}{_EQUATION}", "2"),
        ("", rf"\setcounter{{equation}}{{1000000000}}{_EQUATION}", "1000000001"),
        ("", rf"\setcounter{{equation}}{{\numexpr 2}}{_EQUATION}", LOST),
        (r"\setcounter{secnumdepth}{-\maxdimen}", r"\section{Dams}\label{a}", "“Dams”"),
        ("", rf"\appendix\chapter{{Dams}}{_EQUATION}", "A.1"),
        ("", rf"\frontmatter\chapter{{Dams}}\mainmatter{_WEIRS}{_EQUATION}", "1.1"),
        ("", rf"{_WEIRS}\subsubsection{{Dams}}\label{{a}}", "1.1"),
        (r"\setcounter{secnumdepth}{3}", rf"{_WEIRS}\subsubsection{{Dams}}\label{{a}}", "1.1.0.1"),
        (
            r"\setsecnumdepth{subsubsection}",
            rf"{_WEIRS}\subsubsection{{Dams}}\label{{a}}",
            "1.1.0.1",
        ),
        (
            r"\newcounter{dam}\renewcommand{\thedam}{\Alph{dam}}",
            r"\refstepcounter{dam}\label{a}\stepcounter{dam}",
            "A",
        ),
        ("", r"\chapter{Dams}\section*{Weirs}\label{a}", "1"),
        ("", r"\part{Dams}\part{Dams}\label{a}", "II"),
        ("", rf"\begin{{subequations}}{_EQUATION}\end{{subequations}}", "1a"),
        ("", rf"\begin{{subequations}}\label{{a}}{_EQUATION}\end{{subequations}}", "1"),
        ("", r"\[x\tag{3.2}\label{a}\]", "3.2"),
        (r"\def\be{\begin{equation}}\def\ee{\end{equation}}", r"\be x\ee\be x\label{a}\ee", "2"),
        (r"\newaliascnt{dam}{equation}\newtheorem{dam}[dam]{Dam}", rf"{_EQUATION}", "1"),
        (
            r"\declaretheorem[name=Dam,within=chapter]{dam}",
            rf"{_WEIRS}\begin{{dam}}[label=a]It.\end{{dam}}",
            "1.1",
        ),
        (
            "",
            r"\begin{lstlisting}[caption=Dams,label={a}]" + "\nx\n" + r"\end{lstlisting}",
            "1",
        ),
        (
            "",
            r"\begin{figure}\begin{subfigure}{3cm}\caption{It}\end{subfigure}\begin{subfigure}{3cm}"
            r"\caption{It}\label{a}\end{subfigure}\caption{Dams}\end{figure}",
            "1b",
        ),
        ("", rf"{_WEIRS}\section{{Dams\label{{a}}}}", "1.2"),
        (
            r"\usepackage{subfig}",
            r"\begin{figure}\caption{It}\subfloat[It\label{a}]{x}\end{figure}",
            "1(a)",
        ),
        ("", r"\begin{figure}\caption{It}\subfloat[It\label{a}]{x}\end{figure}", "1a"),
    ],
)
def test_counters_are_set_and_printed_as_a_document_states(preamble, body, number) -> None:
    assert _told(rf"{body} It is \ref{{a}}.", preamble, "book").endswith(f"It is {number}.")


_ALL = (
    r"\section{Dams}\label{s}\begin{theorem}\label{t}It.\end{theorem}"
    r"\begin{lemma}\label{l}It.\end{lemma}\begin{lemma}\label{m}It.\end{lemma}"
    r"\begin{equation}x\label{e}\end{equation}\appendix\section{Weirs}\label{w}"
)


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        (r"\eqref{e}", "(1)"),
        (r"\cref{t}", "theorem 1.1"),
        (r"\Cref{t}", "Theorem 1.1"),
        (r"\autoref{t} of \autoref{s}", "Theorem 1.1 of section 1"),
        (r"\Cref{e}", "Equation (1)"),
        (r"\Cref{t,l,m,s}", "Theorem 1.1, Lemmas 1.2 and 1.3 and Section 1"),
        (r"\crefrange{l}{m}", "lemmas 1.2 to 1.3"),
        (r"\Cref{w}, \nameref{w}", "Appendix A, Weirs"),
        (r"Theorem~\hyperref[t]{\ref*{t}}", "Theorem 1.1"),
        (r"$x = \text{\ref{t}}$", "x = 1.1"),
        (r"\thmref{t}, \SecRef[2]{s}", "Theorem 1.1, Section 1"),
        (r"\preference{The best} \thmref{no}", "The best no"),
        (r"\Cref{no}, \Cref{lem:no}, \nameref{no}", f"{LOST}, Lemma {LOST}, {LOST}"),
    ],
)
def test_a_reference_reads_as_printed(reference: str, text: str) -> None:
    assert _told(f"{_ALL}\n\nIt is {reference} there.", _THEOREMS) == f"It is {text} there."


@pytest.mark.parametrize(
    ("environment", "text"),
    [
        ("theorem", "Theorem 0.1. It holds."),
        ("theorem*", "Theorem. It holds."),
        ("lemma}[Noether", "Lemma 0.1 (Noether). It holds."),
        ("note", "Note. It holds."),
        ("conjecture", "Conjecture. It holds."),
        ("weir", "It holds."),
    ],
)
def test_theorems_open_with_their_names(environment: str, text: str) -> None:
    name = environment.partition("}")[0]
    option = "]" if "[" in environment else "}"
    body = rf"\begin{{{environment}{option}It holds.\end{{{name}}}"
    assert _told(body, _THEOREMS) == text


def test_a_part_of_a_document_refers_to_sections_by_title_and_knows_its_items() -> None:
    items = r"\begin{enumerate}\item\label{i}It.\end{enumerate}"
    formula = r"\eqref{e}, \Cref{e}, by (\ref{e})"
    part = rf"{_ALL}{items} It is \ref{{s}}, \Cref{{s}}, \Cref{{l}}, {formula}, \ref{{i}}."
    told = read_bytes(f"{_THEOREMS}{part}".encode(), "a.tex").text.rsplit("\n\n", 1)[-1]
    assert (
        told
        == f"It is “Dams”, Section “Dams”, Lemma {LOST}, {LOST}, Equation {LOST}, by ({LOST}), 1."
    )


def test_after_a_file_that_is_not_read_there_are_no_numbers() -> None:
    labelled = [
        rf"\begin{{figure}}\caption{{Dams}}\label{{{label}}}\end{{figure}}" for label in "ab"
    ]
    told = _told(rf"{labelled[0]}\input{{c}}{labelled[1]} Figures \ref{{a}} and \ref{{b}} say.")
    assert told == f"Figures 1 and {LOST} say."


@pytest.mark.parametrize(
    ("preamble", "numbers"),
    [
        (r"\input{glyphtounicode}", "1, 1.2, 1, 1"),
        (r"\input{c}", f"1, 1.2, 1, {LOST}"),
        (r"\input{c}\newtheorem{lemma}[no]{Lemma}", f"1, {LOST}, 1, {LOST}"),
    ],
)
def test_definitions_that_are_not_read_may_number_formulas(preamble: str, numbers: str) -> None:
    figure = r"\begin{figure}\caption{It}\label{f}\end{figure}"
    told = _told(
        rf"{figure}{_ALL} It is \ref{{s}}, \ref{{l}}, \ref{{f}}, \ref{{e}}.", _THEOREMS + preamble
    )
    assert told == f"It is {numbers}."


def test_a_class_that_is_not_read_may_number_figures() -> None:
    body = r"\section{Dams}\label{s}\begin{figure}\caption{It}\label{f}\end{figure}"
    text = rf"\input{{c}}\begin{{document}}{body} It is \ref{{s}}, \ref{{f}}.\end{{document}}"
    assert read_bytes(text.encode(), "a.tex").text.endswith(f"It is 1, {LOST}.")
