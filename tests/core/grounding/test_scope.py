"""Quantifiers such as "all", "most" and "only" that the source does not have."""

import pytest

from longsum.core.grounding.scope import unscoped
from longsum.core.grounding.stemmed_text import StemmedText


@pytest.mark.parametrize(
    ("claim", "source", "found"),
    [
        ("The dam harms all villages.", "The dam harms villages.", ["all"]),
        ("The dam harms all villages.", "No village is spared by the dam.", []),
        ("The dam harms all villages.", "All day, far from seas, it harms villages.", ["all"]),
        ("Every village has a mill.", "There are mills in each village.", []),
        ("Only Aldeby has a mill.", "Aldeby has a mill.", ["Only"]),
        ("Only Aldeby has a mill.", "Except for Aldeby, places have no mill.", []),
        ("Aldeby has only a mill.", "Aldeby has a mill.", []),
        ("Most villages have a mill.", "Villages have mills.", ["Most"]),
        ("Most villages have a mill.", "Mills stand in 80 percent of villages.", []),
        ("It is the most important mill.", "The mill is important.", []),
        ("The mill does not always run.", "The mill stands still at times.", []),
        ("The mill runs at all hours of the day.", "The mill runs by day.", []),
    ],
)
def test_a_quantifier_needs_one_in_the_same_place_of_a_source(claim, source, found):
    spans = unscoped(
        StemmedText.of(claim), [StemmedText.of("A bridge stands."), StemmedText.of(source)]
    )
    assert [claim[start:end] for start, end in spans] == found
