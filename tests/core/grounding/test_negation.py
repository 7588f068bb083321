import pytest

from longsum.core.grounding.denials import negated


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The law was not renewed in time.", ["renewed", "time"]),
        ("It doesn't matter.", ["matter"]),
        ("Not only boats but trains came.", []),
        ("See No. 5 of the list.", []),
        ("Trains ran without delay.", ["delay"]),
        ("Boats came.", []),
    ],
)
def test_negated_words(text: str, terms: list[str]) -> None:
    assert [term for term, _ in negated(text)] == terms
