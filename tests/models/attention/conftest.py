from collections.abc import Callable

import pytest
import torch

from longsum.models.attention.biases.section_tree import NO_SECTION, ROOT, SectionTree


def _parents(ranks: list[int]) -> list[int]:
    """Return the section above each, which is the last before it of a higher rank."""
    return [
        max(
            (
                above
                for above in range(number)
                if ranks[above] < rank and _open(ranks, above, number)
            ),
            default=ROOT,
        )
        for number, rank in enumerate(ranks)
    ]


def _open(ranks: list[int], above: int, number: int) -> bool:
    return all(rank > ranks[above] for rank in ranks[above + 1 : number])


@pytest.fixture(scope="session")
def section_tree() -> Callable[..., SectionTree]:
    """Make a batch of trees from the ranks of headings, a list for each row.

    Tokens are spread over the sections in order, unevenly: some have many and some have none.
    """

    def make(rows: list[list[int]], tokens: int = 1, seed: int = 0) -> SectionTree:
        generator = torch.Generator().manual_seed(seed)
        most = max(map(len, rows))
        filled = [_parents(row) + [NO_SECTION] * (most - len(row)) for row in rows]
        section_of = [
            torch.randint(len(row), (tokens,), generator=generator).sort().values for row in rows
        ]
        return SectionTree(torch.stack(section_of), torch.tensor(filled))

    return make
