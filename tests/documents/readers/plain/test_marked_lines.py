"""Org and MediaWiki are read by the marks of their lines."""

import pytest

from linear_time import assert_linear
from longsum.documents.model import Source
from longsum.documents.readers.detect import parse
from longsum.documents.readers.plain.marked_lines import read_marked_lines

_SAID = "The river rose in the night and took the bridge of the mill away."
_ORG = f"""\
#+TITLE: Rivers of /Saxony/
* TODO [#A] Banks :water:
:PROPERTIES:
:ID: 1
:END:
Dams are *low*,[fn:1] =a_b= too, see [[*Weirs][the weirs]] and [[*Mills]].
- [ ] weir :: A low dam.
  It {{{{{{emph(holds)}}}}}}.
#+begin_src python
{_SAID}
#+end_src
| A | 1 |
|---+---|
# A remark.
** Mills
:alone:
#+begin_quote
{_SAID}
#+end_quote
"""
_WIKI = f"""\
{{{{Infobox river
| name = Elbe {{{{small|x}}}}

| length = 5
}}}}
The '''Elbe''' ({{{{IPA|x}}}}; ) is [[Length|long]],<ref name="a/b">{{{{cite|
Atlas}}}}</ref> [http://a.b as said]<!-- by
whom -->.<ref name="a"/>
[[File:Elbe.jpg|thumb|The [[Elbe]] at [[Meissen]]]]
[[Category:Rivers|Elbe]]
== Banks ==
* weirs &amp; dams
*:They are low.
{{| class="x"
|-
! A
|}}
<syntaxhighlight lang="c">
{_SAID}
</syntaxhighlight>
=== Mills ===
: {_SAID}
"""


@pytest.mark.parametrize(
    ("written", "name", "title", "sections", "texts", "left"),
    [
        (
            *(_ORG, "a.org", "Rivers of Saxony", [(1, "Banks"), (2, "Mills")]),
            [
                *("Dams are low, a_b too, see the weirs and Mills.", "weir: A low dam."),
                *("It holds.", ":alone:", _SAID),
            ],
            ["keyword", "footnote", "code listing", "table", "comment"],
        ),
        (
            *(_WIKI, "a.wiki", "", [(1, ""), (1, "Banks"), (2, "Mills")]),
            ["The Elbe is long, as said.", "weirs & dams", "They are low.", _SAID],
            [
                *("template", "template", "template", "comment", "footnote", "footnote", "picture"),
                *("category", "table", "code listing"),
            ],
        ),
    ],
)
def test_marks_determine_what_a_line_is(written, name, title, sections, texts, left) -> None:
    document = parse(written.encode(), name)
    assert document.title == title
    assert [(each.level, each.title) for each in document.walk()] == sections
    assert [sentence.text for sentence in document.sentences] == texts
    assert sorted(part.kind for part in document.omitted) == sorted(left)
    # Without a name it is known by its signs, and a name alone makes none.
    assert parse(written.encode()).text == document.text
    assert parse(_SAID.encode(), name).source.format == "text"


@pytest.mark.parametrize(
    "written",
    [
        f"<pre>\nName: Elbe\n</pre>\n\n==Dams==\n\n{_SAID}\n\n<pre>x = 1\n</pre>\n",
        f"{_SAID}\n\n{{|\n| 1\n|}}\n",
    ],
)
def test_a_file_name_distinguishes_mediawiki_from_xml_and_text(written: str) -> None:
    document = parse(written.encode(), "a.mediawiki")
    assert document.source.format == "mediawiki"
    assert document.text.endswith(_SAID)


def test_an_exported_page_is_its_markup() -> None:
    page = (
        f"<page><title>Elbe</title><revision><text>== A ==\n'''{_SAID}'''</text></revision></page>"
    )
    document = parse(f"<mediawiki>{page}</mediawiki>".encode(), "a.xml")
    assert (document.title, document.source.format) == ("Elbe", "mediawiki")
    assert [sentence.text for sentence in document.sentences] == [_SAID]


@pytest.mark.timing
@pytest.mark.parametrize("markup", ["org", "mediawiki"])
@pytest.mark.parametrize(
    "unit",
    ["[[a", "[[a:b.jpg|", "*a", "{{{a(", "{{a", "<ref>", "<!--", "[fn:a", ":a:\n", "'''", "=a"],
)
def test_marks_are_read_in_linear_time(markup, unit) -> None:
    def read(size: int) -> None:
        read_marked_lines("a\n" + unit * (size // len(unit)), Source("a", markup))

    assert_linear(read, 100_000)


def test_items_of_html_in_mediawiki_are_items_and_code_in_them_is_code() -> None:
    code = '<syntaxhighlight lang="c">\nrise(river);</syntaxhighlight></li>'
    items = (
        f"<ol>\n<li><p>{_SAID}</p>\n{code}\n<li>A weir held.<ul>\n<li>{_SAID}</li></ul>\n</li></ol>"
    )
    document = read_marked_lines(f"== Dams ==\n{items}\n{_SAID}", Source("", "mediawiki"))
    told = [(sentence.text, sentence.kind) for sentence in document.sentences]
    item = (_SAID, "list_item")
    assert told == [item, ("A weir held.", "list_item"), item, (_SAID, "prose")]
    assert [part.kind for part in document.omitted] == ["code listing"]


def test_tags_within_words_leave_no_gap_in_mediawiki() -> None:
    text = "== Of water ==\nThe <code>river</code>s hold H<sub>2</sub>O,<br/>10<sup>9</sup> litres."
    document = read_marked_lines(text, Source("", "mediawiki"))
    assert [each.text for each in document.sentences] == ["The rivers hold H2O, 10 9 litres."]


@pytest.mark.parametrize("name", ["example", "EXPORT html", "html", "LATEX"])
def test_export_blocks_of_org_are_code(name: str) -> None:
    block = f"#+begin_{name}\n<td>Of dams</td>\n#+end_{name.split()[0]}"
    document = read_marked_lines(f"* Dams\n{_SAID}\n{block}\n{_SAID}", Source("", "org"))
    assert [sentence.text for sentence in document.sentences] == [_SAID] * 2
    assert [part.kind for part in document.omitted] == ["code block"]
