"""Evidence for headings, the comparison of looks, and the levels of headings."""

from dataclasses import dataclass

import pytest

from longsum.documents.model import Evidence
from longsum.documents.readers.structure.heading_candidates import (
    EARLY,
    PRIOR,
    HeadingCandidate,
    Sign,
    compare_looks,
    count_numbers,
    decode,
    is_upper,
    prominence,
    signs_of_words,
)
from longsum.documents.readers.structure.heading_numbers import heading_number
from tables import rows


@dataclass(slots=True)
class Line(HeadingCandidate):
    size: float = 12
    centred: bool = False

    @property
    def look(self) -> tuple[float, bool]:
        return self.size, self.centred

    @property
    def prominence(self) -> float:
        return self.size

    @property
    def is_centred(self) -> bool:
        return self.centred


def line(text: str, *weights: float, size: float = 12, **more) -> Line:
    signs = [Sign(weight, "a sign") for weight in weights]
    return Line(0, 1, text, number=heading_number(text), signs=signs, size=size, **more)


def said(candidate: HeadingCandidate) -> list[tuple[float, str]]:
    return [(round(sign.weight, 3), sign.text) for sign in candidate.signs]


@pytest.mark.parametrize(("text", "signs"), rows(__file__, "signs_of_words"))
def test_signs_of_words(text: str, signs: list[list[object]]) -> None:
    found = [[each.weight, each.text] for each in signs_of_words(line(text), stands_out=False)]
    assert found == signs


def test_a_usual_title_that_stands_out_is_a_heading() -> None:
    signs = list(signs_of_words(line("Abstract"), stands_out=True))
    assert signs == [Sign(3.5, "usual title")]


def test_evidence_for_a_heading_is_listed_first() -> None:
    signs = [
        Sign(1, "b"),
        Sign(2, "a"),
        Sign(-3, "d"),
        Sign(-1, "c"),
        Sign(-1, PRIOR),
        Sign(0, "e"),
    ]
    candidate = Line(0, 1, "Rivers", signs=signs)
    assert candidate.evidence == Evidence(0.119, ("a", "b", "but d", "but c"))
    assert line("A", 30.0).confidence == line("A", 31.0).confidence > line("A", 29.0).confidence
    assert line("A", -30.0).confidence == line("A", -31.0).confidence < line("A", -29.0).confidence


def test_how_type_stands_out() -> None:
    upper = {"ABCDEF": True, "ABCDE": False, "ABCDEFGHIa": True, "ABCDEFGHa": False}
    assert {text: is_upper(text) for text in upper} == upper
    plain = {"bold": False, "capitals": False, "italic": False}
    found = [prominence(10, **plain | {each: True}) for each in plain]
    assert found == pytest.approx([10.8, 10.7, 9.7])


def test_numbers_that_count_on_speak_for_headings() -> None:
    found = [line("1 A"), line("2 B"), line("C"), line("7 D")]
    count_numbers(found)
    counted = [(3.0, "counts on")]
    assert [said(each) for each in found] == [counted, counted, [], [(-1.0, "does not count on")]]
    assert [each.counted for each in found] == [True, True, False, False]


def test_lines_that_look_alike_move_towards_their_mean() -> None:
    early = line("C", -0.9)
    early.signs.append(Sign(0, EARLY))
    found = [line("A", 2), line("B", 0), early, line("D", 1, size=13), line("1 E", 1, size=14)]
    for size, weights in ((15, (9, 7)), (16, (-9, -7)), (17, (1, 1.3)), (18, (1, 1.2))):
        found += [line("F", weight, size=size) for weight in weights]
    compare_looks(found)
    assert [said(each)[1:] for each in found] == [
        *([(-0.653, "as 2 that look alike")], [(0.147, "as 2 that look alike")]),
        *([(0, EARLY)], [(-1.0, "looks like no other")], [], [], [], [], []),
        *([(0.06, "as 1 that look alike")], [(-0.06, "as 1 that look alike")], [], []),
    ]


@pytest.mark.parametrize(
    ("lines", "levels"),
    rows(__file__, "levels_of_headings")
)  # fmt: skip
def test_levels_of_headings(lines: str, levels: list[int]) -> None:
    sized = [each.split(" ", 1) for each in lines.split("|")]
    found = [line(text, 0.2 if text == "B" else 2, size=float(size)) for size, text in sized]
    count_numbers(found)
    assert decode(found) == levels


def test_stated_levels_outweigh_all_signs_and_centred_lines_are_above() -> None:
    stated = [line("A", 1), line("B", -9, stated=True, size=11), line("C", 1, level=4)]
    assert decode([*stated, line("D", 1, level=3, stated=True)]) == [1, 2, 0, 3]
    centred = [line(text, 1, centred=text in "CD") for text in "ABCDE"]
    assert decode(centred) == [1, 2, 1, 1, 2]
