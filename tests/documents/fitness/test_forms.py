"""Each form matches its own kind, and running text that looks like it does not match."""

import pytest

from longsum.documents.fitness import forms

YES = {
    "is_caption": [
        *("Figure 3. Mean yield by year.", "Fig. 2: The apparatus.", "Table 1"),
        *("TABLE A-2 (continued)", "Figure 4 Number of Farms", "Source: Census Bureau, 2019."),
        "Sources and Notes: Compiled from agency data.",
        *("For illustrative purposes only, not to scale.", "Photo credit: the park service"),
    ],
    "is_reference": [
        "12. Smith J, Jones AB. Yields of maize. J Agric. 2010;12(3):45-52.",
        "More on rivers is found at https://example.org/rivers.",
        "Vaswani, A., Shazeer, N. (2017). Attention. In: Proceedings of NIPS, pp. 5998-6008.",
    ],
    "is_footnote": [
        "15 GAO, Tax Filing: Actions Needed, GAO-10-225 (Washington, D.C.: 2009).",
        "3See GAO-12-4.",
        "Id. at 14.",
        "See also the report on fees.",
        "7 Pub. L. No. 111-5, 123 Stat. 115.",
    ],
    "is_contact": [
        "Jane Doe, Director, doej@example.gov",
        "Please contact Jane Doe at (202) 555-0100 or doej@example.gov.",
        "If you have questions about this report, you may write to us.",
        "Tel: 202-555-0100",
        "441 G Street NW, Washington, DC 20548",
        f"{17 * 'a '}Washington, DC 20548",
        f"{14 * 'rain '}doej@example.gov",
        f"call {14 * 'rain '}doej@example.gov",
    ],
    "is_boilerplate": [
        "© 2019 The Authors.",
        "All rights reserved.",
        "If you are not the intended addressee, stop.",
    ],
    "is_stage_direction": [
        "(Laughter.)",
        "[inaudible]",
        "{disfmarker}",
        "(Voice Overlap) --",
        f"(Laughter{11 * ' and'})",
    ],
    "is_table_row": ["1990 12.5 13.1 (4.0) 8%", "1 2 3 a b c"],
    "is_capitals": ["RESULTS AND DISCUSSION", "II. THE PARTIES", " ".join(16 * ["RAIN"])],
    "is_typed": [
        *("`open(path)`: Open a file.", "-h: Print help.", "-i a: Include a file."),
        *("open(of, the): Open.", "a: b: high_water: It is high.", f"a_b{11 * ' rain'}: It."),
        f"x_{396 * 'y'}: It is long.",
    ],
    "is_run_in_title": [
        *("Grant of Patent License.", "2. Scope of the Act.", "iv. Scope of the Act."),
        f"{9 * 'Grant '}Given.",
    ],
    "is_courtesy": [f"Thank you, Mr. {13 * 'a '}"],
}

NO = {
    "is_caption": [
        "Figure 3 shows that yields rose.",
        "Table 2 lists them all.",
        "Maps of the region are rare.",
        "The source: a well in the hills.",
        "Figures 2 and 3 agree with this.",
    ],
    "is_reference": [
        "The level was measured with a gauge (https://example.org).",
        "Smith et al. found no effect in 2010.",
        "J. R. Smith wrote it in 1990.",
        "Washington was the first president.",
        "Smith, J. edits the Journal of Rivers.",
    ],
    "is_footnote": [
        "15 states have such a law.",
        "15 States of the union have such a law.",
        "See the next chapter for details.",
    ],
    "is_contact": [
        "The virus spreads by contact between people.",
        "It cost $555-1000 a year.",
        "She called him at home.",
        f"{18 * 'a '}Washington, DC 20548",
        f"{15 * 'rain '}doej@example.gov",
    ],
    "is_boilerplate": ["Copyright law protects authors.", "It was not the intended effect."],
    "is_stage_direction": [
        "(This one is a whole sentence.)",
        "(Laughter) I agree.",
        "[12]",
        "He laughs.",
        "(Table 3).",
        f"(Laughter{12 * ' and'})",
    ],
    "is_table_row": [
        *("It rose by 5 percent in 2019.", "In 1990, 12 of 15 men and 3 women left."),
        *("1 2 3 a b c d", "1 2"),
    ],
    "is_capitals": [
        "It is NASA",
        "NO SMOKING HERE.",
        "A1",
        "RAI",
        " ".join(17 * ["RAIN"]),
        "ªº RAIN",
    ],
    "is_typed": [
        *("Call plot(z) to see it.", "a: b: c: high_water: It is high.", "-of the river: It."),
        *(f"a_b{12 * ' rain'}: It.", f"x_{397 * 'y'}: It is long."),
    ],
    "is_run_in_title": ["John Was Here.", "Scope of that.", f"{10 * 'Grant '}Given.", "Given"],
    "is_courtesy": [f"Thank you, Mr. {14 * 'a '}"],
}


@pytest.mark.parametrize(("form", "text"), [(form, text) for form in YES for text in YES[form]])
def test_it_has_the_form(form: str, text: str) -> None:
    assert getattr(forms, form)(text)


@pytest.mark.parametrize(("form", "text"), [(form, text) for form in NO for text in NO[form]])
def test_it_has_not(form: str, text: str) -> None:
    assert not getattr(forms, form)(text)


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
