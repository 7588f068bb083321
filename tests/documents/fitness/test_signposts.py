"""Which expressions refer to other parts of a text, and which only seem to."""

import pytest

from longsum.documents.fitness import signposts
from tables import told_sentences

LIMITS = [
    *(("is_signpost", f"This section describes{n * ' rain'}", n < 43) for n in (42, 43)),
    *(("is_pointer", f"See{n * ' rain'}", n < 32) for n in (31, 32)),
    *(("is_pointer", f"Table 2 lists{n * ' rain'}", n < 38) for n in (37, 38)),
]
"""The longest of each kind, and what is longer."""


@pytest.mark.parametrize(("rule", "text", "told"), [*told_sentences(__file__), *LIMITS])
def test_results_of_each_rule(rule: str, text: str, told: bool) -> None:
    assert getattr(signposts, rule)(text) is told
