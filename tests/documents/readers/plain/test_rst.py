import pytest

from linear_time import assert_linear
from longsum.documents.model import Source
from longsum.documents.readers import read_bytes
from longsum.documents.readers.plain.rst import is_rst, read_rst
from longsum.documents.readers.plain.rst_text import plain


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("**Bold**, *stressed*, ``a`b*_`` and `title`.", "Bold, stressed, a`b*_ and title."),
        ("See `a page <https://a.b/c>`_, `<d>`__, :ref:`e <f>`, :doc:`g`", "See a page, d, e, g"),
        (":pep:`8#names`, :rfc:`9`, :py:meth:`~a.b.c`, `d`:sub:", "PEP 8, RFC 9, c, d"),
        ("Read [1]_, [#n]_ and [Ash99]_, gauge_, a__, b_", "Read, and [Ash99], gauge, a, b_"),
        ("|it| and |that|, the _`target`", "the Elbe and |that|, the target"),
        (r"\*no\* o\ ne, 5 * 3 * 2, *args, __init__", "*no* one, 5 * 3 * 2, *args, __init__"),
    ],
)  # fmt: skip
def test_markup_says_nothing(written, said) -> None:
    assert plain(written, {"it": "the Elbe"}, {"gauge", "__"}) == said


@pytest.mark.parametrize(
    ("text", "suffix", "found"),
    [
        ("Rivers rise.\n", ".rst", True),
        ("Rivers\n======\n\n.. note:: They rise.\n\nSee ``rivers``.\n", ".txt", True),
        ("A :ref:`river` and ``one``.\n", "", True),
        ("Rivers\n======\n\nThey rise in `one` night::\n\n    so\n", ".txt", False),
        ("```\n.. note::\n```\n", ".txt", False),
    ],
)
def test_it_is_known_by_its_own_signs_or_by_its_name(text, suffix, found) -> None:
    assert is_rst(text, suffix) is found


def test_levels_follow_the_forms_of_titles() -> None:
    text = "====\nTop\n====\n\nOne\n===\n\nUp.\n\nTwo\n---\n\nDown.\n\nThree\n=====\n\nRun.\n"
    document = read_bytes(text.encode(), "a.rst")
    assert document.title == "Top"
    one, three = document.sections
    assert [one.title, three.title, one.children[0].title] == ["One", "Three", "Two"]
    inside = f"{text}\n- An item.\n\n  Low\n  ---\n\n  Far.\n"
    assert [each.title for each in read_bytes(inside.encode(), "a.rst").walk()][-1] == "Three"


def told(text: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return what is read with its kinds, and what is left out."""
    document = read_bytes(text.encode(), "a.rst")
    return (
        [(sentence.text, sentence.kind) for sentence in document.sentences],
        [(part.kind, part.text) for part in document.omitted],
    )


_SAID = [("Of dams", "heading"), ("It rose.", "prose")]
_DIRECTIVES = {
    "code code-block digraph doctest graphviz ipython jupyter-execute mermaid plot productionlist "
    "prompt raw sourcecode testcleanup testcode testoutput testsetup uml": (
        [], [("code block", "It rose.")]),
    "parsed-literal": ([], [("code block", "Of dams\nIt rose.")]),
    "math": ([], [("formula", "Of dams\nIt rose.")]),
    "include literalinclude": ([], [("included file", "Of dams")]),
    "toctree": ([], [("contents or index line", "It rose.")]),
    "index": ([], [("index line", "Of dams\nIt rose.")]),
    "csv-table": ([("Of dams", "caption")], [("table", "It rose.")]),
    "list-table": ([("Of dams", "caption")], [("table", "")]),
    "figure image": ([("It rose.", "caption")], [("picture", "Of dams")]),
    "compound container cssclass grid highlights hlist ifconfig only rst-class table tabs": (
        [("It rose.", "prose")], []),
    "admonition attention caution danger error hint important note rubric seealso sidebar tip todo "
    "topic warning": (_SAID, []),
    "unknown": (_SAID, []),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "found"),
    [(name, found) for names, found in _DIRECTIVES.items() for name in names.split()],
)
def test_directives(name: str, found: tuple[list[object], list[object]]) -> None:
    said, left_out = told(f"Rivers.\n\n.. {name}:: Of dams\n\n   It rose.\n")
    assert (said[1:], left_out) == found
    if found[0] == _SAID:
        said, left_out = told(f"Rivers.\n\n.. {name}:: Of dams\n")
        assert bool(left_out) is (name == "unknown")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        *(("versionadded", "Added in"), ("versionchanged", "Changed in")),
        *(("deprecated", "Deprecated since"), ("versionremoved", "Removed in")),
    ],
)
def test_versions(name: str, said: str) -> None:
    for text, written in (("3", "3."), ("3 It is new.", "3: It is new.")):
        assert told(f".. {name}:: {text}\n")[0][0][0] == f"{said} version {written}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (".. note::\n   :name: a river\n\n   It is.\n", ([("It is.", "prose")], [])),
        (".. note::\n   :name: a river here\n\n   It is.\n",
         ([("It is.", "prose")], [("directive", "name: a river here")])),
        ("-f FILE  Read it.\n--long=<x>, /V  Show it.\n\n:field: It is so.\n\nterm\n   It is.\n\n"
         "3. Three\n   is.\n\n#. One\n#. Two\n",
         ([("-f FILE: Read it.", "fragment"), ("--long=<x>, /V: Show it.", "fragment"),
           ("field: It is so.", "list_item"), ("term: It is.", "list_item"),
           ("Three is.", "fragment"), ("One", "fragment"), ("Two", "fragment")], [])),
        ("So it is::\n\n   x\n\nAnd so ::\n\n> y\n> z\n\n>>> a\n",
         ([("So it is:", "prose"), ("And so", "heading")],
          [("code block", "x"), ("code block", "> y\n> z"), ("code block", ">>> a")])),
        (".. [1] It is one.\n.. [#a] It is two.\n.. [Ash] Dams are.\n.. _target: http\n.. Hidden\n",
         ([("It is one.", "footnote"), ("It is two.", "footnote"),
           ("[Ash] Dams are.", "reference")],
          [("comment", "Hidden")])),
        (".. |p| image:: a.png\n   :alt: A dam\n\n.. figure:: b.png\n   :caption: A gate\n",
         ([("A gate", "caption")], [("picture", "A dam"), ("picture", "b.png")])),
        ("The |a|.\n\n.. |a| replace:: a\n" + "   b\n" * 10,
         ([("The a b b b b b b b b b.", "prose")], [("substitution", "a" + 10 * " b")])),
    ],
)  # fmt: skip
def test_blocks(text: str, found: tuple[list[object], list[object]]) -> None:
    assert told(text) == found


@pytest.mark.timing
@pytest.mark.parametrize(
    "unit",
    ["*a", "``a", "`a <b", "|a", "- ", "1. a\n", ".. _a:\n", "__ a\n", ":a: b\n", "=== ===\n"],
)  # fmt: skip
def test_it_is_read_in_linear_time(unit) -> None:
    def read(size: int) -> None:
        read_rst(unit * (size // len(unit)), Source("a.rst", "rst"))

    assert_linear(read, 50_000)


def test_what_is_nested_too_deeply_is_text() -> None:
    text = "".join(f"{'  ' * depth}- river\n" for depth in range(1_000))
    assert read_bytes(text.encode(), "a.rst").text.count("river") == 1_000
