import pytest

from longsum.documents.readers.pdf_references import without_pages


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["The [gauge_open], page 37 function"], ["The gauge_open function"]),
        (["See Section 2.1 [Gauges], page 37."], ["See Section 2.1 (Gauges)."]),
        (["An old form [[RFC 1], page ix] of it"], ["An old form [RFC 1] of it"]),
        (["Chapter 3 [River", "sea], page", "12, tells"], ["Chapter 3 (River", "sea)", ", tells"]),
        (["He read [sic], page by page."], ["He read [sic], page by page."]),
    ],
)  # fmt: skip
def test_references_keep_names_and_lines_but_no_pages(lines, said) -> None:
    assert without_pages(lines) == said
