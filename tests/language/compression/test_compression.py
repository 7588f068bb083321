"""Deletions: what is deleted, what stays, and that sentences do not change otherwise."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.language.compression import KINDS
from longsum.language.compression.compression import shorten
from longsum.language.compression.deletion import is_balanced
from longsum.language.sentences import ends_as_sentence

_SHORTENED = {
    # Citations. The first is of pmc_jats (CC BY), shortened.
    "Dependence on plants is still seen in many parts of the world (Tiwari and Joshi, 1990, Das "
    "and Choudhuri, 2012).": "Dependence on plants is still seen in many parts of the world.",
    "The results compare well with those of Purver et al. (2006), who used the same set.": (
        "The results compare well with those of Purver et al., who used the same set."
    ),
    "The rate has fallen in every year since then (see, e.g., Ng et al. 2011a; de Boer, 2012).": (
        "The rate has fallen in every year since then."
    ),
    "Old dams hold [12, 15–17] much less water [3].": "Old dams hold much less water.",
    "Old dams hold <cit> much less water @xcite, but the method of <cit> finds none.": (
        "Old dams hold much less water, but the method of <cit> finds none."
    ),
    # References to figures.
    "Treated cells were thickened (Figures 5(c) and 5(d)) and had invaginations (Fig. 3a).": (
        "Treated cells were thickened and had invaginations."
    ),
    # Footnote marks.
    "The panel reviewed the whole system.15 The agencies agreed.": (
        "The panel reviewed the whole system. The agencies agreed."
    ),
    "Nobody had foreseen what the committee found.¹": (
        "Nobody had foreseen what the committee found."
    ),
    # Connectives and frames, also one after the other.
    "However, it should be noted that the system has been built by the army itself.": (
        "The system has been built by the army itself."
    ),
    "As shown in Figure 3, the temperature rises with the pressure inside the tank.": (
        "The temperature rises with the pressure inside the tank."
    ),
    "The temperature, as shown in Figure 3, has risen with the pressure inside the tank.": (
        "The temperature has risen with the pressure inside the tank."
    ),
    "Inside the tank, as shown in Table 2, pressure rises with the temperature of it.": (
        "Inside the tank, pressure rises with the temperature of it."
    ),
    # Six words are left.
    "However, the rate has fallen quite steeply.": "The rate has fallen quite steeply.",
    # Speech; the last is of qmsum.
    "We went, um, to the the station and and waited there.": (
        "We went, to the station and waited there."
    ),
    "So the dam was built by the army in the valley, um.": (
        "So the dam was built by the army in the valley."
    ),
    "User Interface: Um and this means that um once {vocalsound} it opens it rings.": (
        "User Interface: and this means that once it opens it rings."
    ),
}


@pytest.mark.parametrize(("text", "shorter"), _SHORTENED.items())
def test_deletions(text: str, shorter: str) -> None:
    assert shorten(text).text == shorter


@pytest.mark.parametrize(
    "text",
    [
        # Citations and references that are part of the sentence.
        "The method of (Smith, 2010) is faster than all the others were.",
        "The proof is the same as in [7] and can be found there.",
        "Some found a correlation; (Miller, 1991) found 0.97 for these subjects.",
        # Years, dates and intervals that are none.
        "The second treaty of peace (March 1921) was never signed by them.",
        "The painter Maria Sibylla Merian (1647–1717) travelled to Surinam alone.",
        # Asides and clauses, and what stands for a word.
        "The programs of the agency (those paid by Congress) were ended by the new director.",
        # Decimals and abbreviations that only look like marks of notes.
        "It is described in detail in vol.15 of the complete edition of his works.",
        "The semantics of POSIX.1 permit this variation, and those of C do not.",
        "The new release.py files of version.12a are found on the same server.",
        # Connectives that say under which condition or of what sort.
        "Otherwise, the agency would have to start the whole program again.",
        "In general, the agency does not start the whole program again.",
        "However, what the agency did was to start the whole program again.",
        "However hard it tried, the agency did not start the program again.",
        "In addition, 25 agencies of the states have started such programs.",
        "That is, to start the whole program again, as they had all wanted.",
        # What would open with a hyphen, or in lower case.
        "Uh - huh, the agency has started the whole program once again.",
        "Um, ß is a letter of the alphabet that is used in Germany alone.",
        # Words that a transcript could not make out.
        "Marketing: {gap} back to what we had said about the price of it.",
        "Each file is called {crate name}-{process id} and stays in its folder.",
        "What it is is locked-in in the in in-tree volumes, migrated-to to the end.",
        # Quotations, code and unbalanced signs.
        'The minister said: "However, it was um done (see Table 2) in the end."',
        "‘Um, it was it was done (see Table 2) in the end,’ they all said.",
        "Call `f(x) (see Table 2)` for each of the values in the list of them.",
        "The minister (see Table 2 of the report had done it by the end.",
        # Too little would be left.
        "However, it is so.",
        "However, the rate has fallen steeply.",
        "It rose (Smith and Jones, 2010; Meyer, 2011; Rao, 2012; Lee, 2013).",
        "",
        "(",
    ],
)
def test_texts_that_are_not_shortened(text: str) -> None:
    found = shorten(text)
    assert found.text == text
    assert not found.deletions


_PIECES = st.sampled_from(
    [
        *("the agency has", "programs of Congress", "which were", ", which was found early,"),
        *("is", "not", "(see Table 2)"),
        *("(Smith et al., 2010; Jones 2011)", "[12, 15–17]", "(an aside of words)"),
        *("(with [12] inside)", "However,", "It should be noted that", "as shown in Figure 3,"),
        *(", as shown in Figure 3,", "system.15", "um,", "{vocalsound}", "the the", ", uh .", "“"),
        *("”", '"', "(", ")", "]", "3.5", "$12 million", "<cit>", "ß", "ǆ", ".", ",", "?"),
    ]
)
_TEXTS = st.one_of(
    st.text(max_size=60),
    st.builds(
        lambda pieces, opening: opening + " ".join(pieces),
        st.lists(_PIECES, max_size=30),
        st.sampled_from(["", "We saw that in the end ", "However, ", "Um, "]),
    ),
)


@given(_TEXTS, st.sets(st.sampled_from(KINDS)))
def test_a_shortened_sentence_is_its_source_without_the_recorded_spans(text, kinds) -> None:
    found = shorten(text, kinds)  # type: ignore[arg-type]
    kept, reached = "", 0
    for each in found.deletions:
        assert reached <= each.start < each.end <= len(text)
        assert each.kind in kinds
        moved = each.shifted(2)
        assert (". " + text)[moved.start : moved.end] == text[each.start : each.end]
        kept += text[reached : each.start]
        reached = each.end
    kept += text[reached:]
    opening = bool(found.deletions) and found.deletions[0].start == 0
    assert found.text == (kept[:1].upper() + kept[1:] if opening else kept)


@given(_TEXTS)
def test_a_shortened_sentence_is_well_formed(text: str) -> None:
    found = shorten(text)
    if not found.deletions:
        assert found.text == text
        return
    assert is_balanced(found.text)
    assert ends_as_sentence(found.text) or not ends_as_sentence(text)
    assert not found.text[0].islower() or text[0].islower()
    words = len(found.text.split())
    assert words >= 6
    assert 2 * words >= len(text.split())


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_IN_BRACKETS = ("citation", "figure_reference", "footnote_mark", "frame")


@given(_TEXTS)
def test_numbers_and_quotations_stay_in_order(text: str) -> None:
    found = shorten(text)
    gone = "".join(
        text[each.start : each.end] for each in found.deletions if each.kind not in _IN_BRACKETS
    )
    assert not _NUMBER.search(gone)
    everywhere = "".join(text[each.start : each.end] for each in found.deletions)
    assert not set(everywhere) & set('“”"$')


def test_a_sentence_with_a_hundred_deletions_of_a_kind_is_the_longest_that_is_shortened() -> None:
    marks = "the water§ "
    assert len(shorten(f"It is {marks * 100}here.").deletions) == 100
    assert shorten(f"It is {marks * 101}here.").deletions == ()


def test_only_the_requested_kinds_are_deleted() -> None:
    text = "However, it was built by the army (Smith et al., 2010) in the far north."
    assert shorten(text, ["citation"]).text == "However, it was built by the army in the far north."
    assert shorten(text, []).text == text


@pytest.mark.parametrize(
    "pattern",
    ["the (a ", "(Smith, 2010) ", "uh , ", "the the ", ", which was ", "(Table 1, 2 and "],
)
def test_the_time_is_linear(pattern: str) -> None:
    # 20,000 code points take 30 to 70 ms; quadratic time would be minutes.
    text = "We saw " + pattern * (20_000 // len(pattern))
    text += ")" * text.count("(")
    began = time.perf_counter()
    shorten(text)
    assert time.perf_counter() - began < 2
