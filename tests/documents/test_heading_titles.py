import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_views import document_of
from effort import examples
from longsum.documents.heading_titles import bare_title, is_link_mark, is_statement
from tables import rows


@pytest.mark.parametrize(("title", "bare"), rows(__file__, "what_a_heading_says"))
def test_bare_titles_of_headings(title: str, bare: str) -> None:
    assert bare_title(title) == bare
    assert document_of(f"# {title}", "Text.", title="").sections[0].title == bare


@given(title=st.text(st.sampled_from("•●-*¶# 0123459.aA\uf0c1"), max_size=16))
@settings(max_examples=examples(500), derandomize=True)
def test_nothing_is_left_to_take_off(title: str) -> None:
    folded = " ".join(title.split())
    bare = bare_title(folded)
    assert bare_title(bare) == bare
    assert bare in folded
    assert bool(bare) == bool(folded)


def test_link_marks() -> None:
    assert [is_link_mark(text) for text in ("¶", "🔗", "", "¶ 2")] == [True, True, False, False]


@pytest.mark.parametrize(
    ("words", "end", "is_text"),
    [(12, ".", False), (13, ".", True), (13, ";”", True), (13, ":", True), (13, "", False),
     (25, "?", False), (26, "?", True), (40, "", False), (41, "", True)],
)  # fmt: skip
def test_a_statement_too_long_for_a_heading_is_text(words: int, end: str, is_text: bool) -> None:
    title = " ".join(["word"] * words) + end
    assert is_statement(title) == is_text
    assert len(document_of(f"# {title}", "Text.", title="").sentences) == 1 + is_text
