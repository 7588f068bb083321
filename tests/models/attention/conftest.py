import pytest
import torch
from torch.nn.attention import flex_attention as torch_flex

from document_views import build_tree
from longsum.documents import DocumentTree
from longsum.models.attention.backends import flex
from longsum.models.attention.biases.section_tree import NO_SECTION, ROOT, SectionTree


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run FlexAttention without compilation."""
    monkeypatch.setattr(torch_flex, "_FLEX_ATTENTION_DISABLE_COMPILE_DEBUG", True)
    monkeypatch.setattr(flex, "_compiled", lambda _: flex._attend)


def section_tree(rows: list[list[int]], tokens: int = 1, seed: int = 0) -> SectionTree:
    """Make a batch of trees from the ranks of headings, a list for each row.

    Tokens are spread over the sections in order, unevenly: some have many and some have none.
    """
    generator = torch.Generator().manual_seed(seed)
    parents = torch.full((len(rows), max(map(len, rows))), NO_SECTION)
    for tree, filled in zip(map(DocumentTree, map(build_tree, rows)), parents, strict=True):
        above = [tree.parent(number) for number in range(len(tree.sections))]
        filled[: len(above)] = torch.tensor([ROOT if each is None else each for each in above])
    section_of = [
        torch.randint(len(row), (tokens,), generator=generator).sort().values for row in rows
    ]
    return SectionTree(torch.stack(section_of), parents)
