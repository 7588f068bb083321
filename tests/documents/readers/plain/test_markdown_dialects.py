import pytest

from linear_time import assert_linear
from longsum.documents.readers import read_bytes
from longsum.documents.readers.plain.markdown_dialects import plain_markdown
from tables import rows


@pytest.mark.parametrize(("text", "plain"), rows(__file__, "what_site_generators_add"))
def test_additions_of_site_generators(text: str, plain: str) -> None:
    assert plain_markdown(text) == plain


@pytest.mark.parametrize("name", ["a.md", "a.mdx", "a.qmd", "a.rmd"])
def test_a_page_of_a_site(name: str) -> None:
    page = "---\ntitle: A\n---\n\n::: note\n## Springs {#springs}\n\nIt rose.\n:::\n\n{% x %}\n"
    document = read_bytes(page.encode(), name)
    assert [section.title for section in document.walk()] == ["Springs"]
    assert [sentence.text for sentence in document.sentences] == ["It rose."]
    assert [part.kind for part in document.omitted] == ["front matter", "comment"]


@pytest.mark.timing
@pytest.mark.parametrize(
    "unit",
    [
        "{%",
        "{{<",
        "{:.",
        "[",
        "[a]{.",
        "`",
        ":::",
        "[!",
        "!!! ",
        "# {",
        "{:a=",
        "import '",
        "{{R",
        "\n\na\n: b",
        "# {#",
        "[](#",
        "**a**\nA\n\n",
        "[@fig:a;",
        " [@a10;",
    ],
)
def test_in_linear_time(unit: str) -> None:
    assert_linear(lambda size: plain_markdown(unit * size), 10_000)
