import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from longsum.core.grounding.mentions import Best, Mentions
from longsum.core.grounding.stemmed_text import Company
from longsum.language.entities import Entity

_WORDS = ["river", "sea", "dam", ""]
_COMPANIES = st.builds(
    Company,
    st.frozensets(st.sampled_from(_WORDS[:3])),
    st.tuples(*[st.sampled_from(_WORDS)] * 2, *[st.sampled_from(",. ")] * 2),
)
_ENTITIES = st.sampled_from([Entity(text, "number", 0, 1) for text in "1234"])
_WEIGHTS = {"river": 4.0, "sea": 2.0, "dam": 2.0}


@given(
    found=st.lists(st.tuples(_ENTITIES, st.integers(0, 3), _COMPANIES), max_size=9),
    company=_COMPANIES,
    said=st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=4, max_size=4),
)
def test_the_best_mention_equals_a_naive_search(found, company, said) -> None:
    weights = {word: _WEIGHTS[word] for word in company.around}

    def naive(even: bool) -> Best:
        best, rank = Best(), -1.0
        for entity, place, other in found:
            if (int(entity.text) % 2 == 0) != even:
                continue
            shared = sum(weights[word] for word in company.around & other.around)
            around = shared / (sum(weights.values()) or 1.0)
            same = [a == b for a, b in zip(company.adjacent, other.adjacent, strict=True)]
            next_to = (same[0] + same[1] + same[2] / 2 + same[3] / 2) / 3
            first = around + next_to + said[place] > rank
            rank = max(rank, around + next_to + said[place])
            best = Best(
                max(best.around, around),
                max(best.adjacent, next_to),
                max(best.said, said[place]),
                place if first else best.place,
                entity.text if first else best.text,
            )
        return best

    def is_even(entity: Entity) -> bool:
        return int(entity.text) % 2 == 0

    assert Mentions(found).best(is_even, company, weights, np.array(said)) == (
        naive(True),
        naive(False),
    )
