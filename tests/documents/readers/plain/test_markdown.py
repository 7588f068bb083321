import pytest

from document_views import texts
from longsum.documents import Document, Source
from longsum.documents.readers import read_bytes
from longsum.documents.readers.plain.markdown import read_markdown


def _read(text: str) -> Document:
    return read_markdown(text, Source("a.md", "markdown"))


def test_setext_headings() -> None:
    document = _read("T\n=\n\nA\n---\n\na.\n\nB\n---\n\nb.")
    assert document.title == "T"
    assert [section.title for section in document.sections] == ["A", "B"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_front_matter_gives_the_title_and_is_no_text(newline: str) -> None:
    fields = ["# Translate the words below.", "", 'title: "A: report"  ', "tags: [a]"]
    lines = ["---", *fields, "---", "# One", "", "Text.", ""]
    document = read_bytes(newline.join(lines).encode(), "a.md")
    assert document.title == "A: report"
    assert [section.title for section in document.sections] == ["One"]
    assert document.text == "A: report\n\nOne\n\nText."
    assert [(part.kind, part.text.split("\n")[-1]) for part in document.omitted] == [
        ("front matter", "tags: [a]")
    ]


_SAID = "This is what somebody wrote about the river, and it is to be kept."


def test_prose_in_a_block_of_html_stays_and_a_comment_does_not() -> None:
    document = _read(f'Text.\n\n<p align="center">{_SAID}</p>\n\n<!-- {_SAID} -->\n')
    assert document.text == f"Text.\n\n{_SAID}"
    assert [part.kind for part in document.omitted] == ["comment"]


def test_items_too_far_left_for_their_list_are_not_code() -> None:
    text = "As follows:\n\n*    *   the river,\n\n\n    *   the {mill};\n\n    as before.\n"
    assert texts(_read(text)) == ["As follows:", "the river,", "the {mill};", "as before."]


@pytest.mark.parametrize("mark", ["-", "*", "12.", "a)", "(b)"])
def test_items_too_far_right_are_not_code(mark: str) -> None:
    document = _read(f"Thus:\n\n\t{mark} the river;\n\t\n\t{mark} the mill.\n\nAfter.")
    assert texts(document) == ["Thus:", "the river;", "the mill.", "After."]
    assert not document.omitted


@pytest.mark.parametrize("line", ["* a = b;", "- name: install", "- {a: 1}", "x - y", "-x"])
def test_lines_of_programs_are_code_though_they_start_like_items(line: str) -> None:
    assert [part.kind for part in _read(f"Thus:\n\n    {line}\n").omitted] == ["code block"]


@pytest.mark.parametrize("field", ["title:", "title:   ", 'title: ""', "author: x"])
def test_front_matter_without_a_title_leaves_the_heading(field: str) -> None:
    assert _read(f"---\n{field}\n---\n# One\n\nText.").title == "One"


def test_text_that_only_resembles_front_matter_is_text() -> None:
    between_rules = "---\n\nOnce upon a time.\n\n---\n\nThe end."
    assert texts(_read(between_rules)) == ["Once upon a time.", "The end."]
    assert texts(_read("---\ntitle: x\n\nText.")) == ["title: x", "Text."]


def test_lists_nested_as_deep_as_people_nest_them() -> None:
    text = "\n".join("  " * depth + f"- Item {depth} of it." for depth in range(40))
    document = _read(text)
    assert len(document.sentences) == 40
    assert document.warnings == ()


@pytest.mark.parametrize("depth", [49, 50, 51, 60, 5000])
def test_lists_nested_too_deep_lose_no_text(depth: int) -> None:
    document = _read("- " * depth + "the innermost words.\n\nAfter.")
    assert "the innermost words." in document.text
    assert "After." in document.text
    assert _read("- " * 60 + "x.").warnings == (
        "Its lists are nested too deeply for Markdown; it was read as plain text.",
    )


def test_a_paragraph_too_long_to_parse_keeps_its_marks_with_a_warning() -> None:
    document = _read("A *short* one.\n\n" + "A *long* one. " * 2000)
    assert document.sentences[0].text == "A short one."
    assert document.sentences[1].text == "A *long* one."
    assert document.warnings == (
        "Paragraphs that keep their Markdown markup, as they are too long: 1.",
    )


def test_pictures_are_left_out_unless_they_are_among_words() -> None:
    badges = "[![Tests](a.svg)](b)\n![Cover of the book](c.png)"
    document = read_markdown(f"{badges}\n\nIt rose ![by 3](d.png).", Source("a.md", "markdown"))
    assert [sentence.text for sentence in document.sentences] == ["It rose by 3."]
    assert [(part.kind, part.text) for part in document.omitted] == [
        ("picture", "Tests Cover of the book")
    ]
    assert texts(_read("![" * 300 + "deep" + "](a)" * 300))


def test_turns_that_no_blank_line_divides_are_paragraphs() -> None:
    text = "AB: Do you see it?\nCD: I do.\nAB: Then we\ncan go on.\nCD: You may.\n\nIt was\nlate."
    document = read_markdown(text, Source("a.md"))
    assert [(s.speaker, s.text) for s in document.sentences] == [
        ("AB", "Do you see it?"),
        ("CD", "I do."),
        ("AB", "Then we can go on."),
        ("CD", "You may."),
        ("", "It was late."),
    ]


def test_footnotes_are_of_that_kind_and_their_marks_are_left_out() -> None:
    document = _read(
        "Steel is thin.[^1] Iron[^b] is not, nor `[^x]`.\n\n[^1]: Ibid.\n"
        "[^b]: [A report](http://a.example) of May,\nat noon.\n\nIt ends."
    )
    assert [(each.text, each.kind) for each in document.sentences] == [
        ("Steel is thin.", "prose"),
        ("Iron is not, nor [^x].", "prose"),
        ("Ibid.", "footnote"),
        ("A report of May, at noon.", "footnote"),
        ("It ends.", "prose"),
    ]


@pytest.mark.parametrize("tag", ['{% page "/hub/" %}', "{{ site.url }}/hub", "{% link a.md %}#b"])
def test_a_link_target_may_be_a_template(tag: str) -> None:
    document = read_markdown(f"See [the hub]({tag}) of {{{{ page }}}}.", Source())
    assert document.text == "See the hub of {{ page }}."


@pytest.mark.parametrize(
    ("item", "refers"),
    [
        ("[Levels of the river](https://river.org)", True),
        ("[The river rose in May.](levels.md)", False),
        ("[Levels](levels.md) of the river", False),
        ("[Levels](a.md) [of the river](b.md)", False),
        ("[Levels of the river](#levels)", False),
    ],
)
def test_an_item_that_is_a_link_is_a_reference_unless_it_is_a_sentence(item: str, refers: bool):
    document = _read(f"It is known:\n\n- {item}\n- Rain falls in the hills of the valley.\n")
    assert (document.sentences[1].kind == "reference") == refers


def test_html_that_pandoc_fences_is_html() -> None:
    said = "The river rose in the night and took the bridge of the mill away."
    parts = (f"```{{=html}}\n{html}\n```" for html in (f"<!-- {said} -->", f"<p>{said}</p>"))
    text = "\n\n".join(["# Rivers", said, *parts])
    document = read_bytes(text.encode(), "a.md")
    assert [each.text for each in document.sentences] == [said] * 2
    assert [each.kind for each in document.omitted] == ["comment"]
