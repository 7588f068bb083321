"""Each form matches its own kind, and running text that looks like it does not match."""

import pytest

from longsum.documents.fitness import forms, spoken_sentences
from tables import told_sentences

LIMITS = [
    *(("is_contact", f"{n * 'a '}Washington, DC 20548", n < 18) for n in (17, 18)),
    *(("is_contact", f"{n * 'rain '}doej@example.gov", n < 15) for n in (14, 15)),
    ("is_contact", f"call {15 * 'rain '}doej@example.gov", True),
    *(("is_capitals", f"{n * 'RAIN '}RISES", n < 16) for n in (15, 16)),
    *(("is_typed", f"a_b{n * ' rain'}: It.", n < 12) for n in (11, 12)),
    *(("is_typed", f"x_{n * 'y'}: It is long.", n < 397) for n in (396, 397)),
    *(("is_courtesy", f"Thank you, Mr. {n * 'a '}", n < 14) for n in (13, 14)),
    *(("is_courtesy", f"I also thank {n * 'a '}", n < 38) for n in (37, 38)),
    *(("is_stage_direction", f"(Laughter{n * ' and'})", n < 12) for n in (11, 12)),
    *(("is_run_in_title", f"{n * 'Grant '}Given.", n < 10) for n in (9, 10)),
]
"""The longest of each kind, and what is longer."""


@pytest.mark.parametrize(("rule", "text", "told"), [*told_sentences(__file__), *LIMITS])
def test_results_of_each_rule(rule: str, text: str, told: bool) -> None:
    module = forms if hasattr(forms, rule) else spoken_sentences
    assert getattr(module, rule)(text) is told


def test_anything_in_brackets_may_be_a_direction_in_a_transcript() -> None:
    for text in ("(Liam imitates a gun)", "[She laughs.", "He goes.]", "(He goes to her.)"):
        assert forms.is_stage_direction(text, spoken=True)
    for text in ("Enter Kari.", "Re-enter Ann and Ben, with a lamp.", "Exeunt."):
        assert forms.is_stage_direction(text, spoken=True)
        assert not forms.is_stage_direction(text)
    for text in (
        "[Laughs.] I do.",
        "Exit polls were wrong.",
        "Enter the room with care.",
        "--",
        "[2]",
    ):
        assert not forms.is_stage_direction(text, spoken=True)
    assert not forms.is_stage_direction("(Liam imitates a gun)")


def test_the_number_of_a_note() -> None:
    assert forms.note_number("3 The request") == forms.note_number("3The request") == 3
    assert forms.note_number("3. The request") is forms.note_number("3 states") is None
