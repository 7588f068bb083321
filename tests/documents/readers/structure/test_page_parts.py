import pytest

from document_views import texts
from longsum.documents import Document, Source
from longsum.documents.readers.html.html import read_html
from tables import rows

PROSE = "".join(
    f"<p>The river rose for the {word} time that year and took the old bridge with it.</p>"
    for word in ("first", "second", "third", "fourth", "fifth")
)
MENU = "".join(f"<li><a href='{name}.html'>{name}</a></li>" for name in ("Home", "Rivers", "Dams"))


def _read(body: str, title: str = "Floods - The Valley") -> Document:
    return read_html(f"<title>{title}</title><body>{body}</body>", Source("a.html", "html"))


def _kinds(document: Document) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for part in document.omitted:
        found.setdefault(part.kind, []).append(part.text)
    return found


ALONE = texts(_read(f"<h1>Floods</h1>{PROSE}"))


@pytest.mark.parametrize(
    "around", rows(__file__, "what_surrounds_the_text_is_left_out_and_kept_apart")
)
def test_surroundings_of_the_text_are_left_out_and_kept_separately(around: str) -> None:
    text = f"<div class='document'><h1>Floods</h1>{PROSE}</div>"
    document = _read(around.format(menu=MENU, text=text))
    assert texts(document) == ALONE
    assert (document.title, [section.title for section in document.walk()]) == ("Floods", [""])
    assert sum(map(len, _kinds(document).values())) >= 1


@pytest.mark.parametrize("role", ["banner", "doc-pageheader"])
def test_a_role_marks_the_header_of_a_page(role: str) -> None:
    head = f"<div role={role}><a href=a>One</a> <a href=b>Two</a></div>"
    document = _read(f"{head}<h1>Floods</h1>{PROSE}")
    assert (texts(document), list(_kinds(document))) == (ALONE, ["page header"])


@pytest.mark.parametrize("name", ["note-sidebar", "header", "bottom", "related"])
def test_prose_within_the_text_is_kept_whatever_its_class_name(name: str) -> None:
    aside = f"<div class='{name}'><p>The dam was built in a year of drought, and it held.</p></div>"
    text = texts(_read(f"<h1>Floods</h1>{PROSE}{aside}{PROSE}"))
    assert "The dam was built in a year of drought, and it held." in text


_ASIDE = "<p>The dam was built in a year of drought, and it held.</p>"


@pytest.mark.parametrize(
    ("kind", "name"),
    [("reader comment", "post-comments"), ("page notice", "hatnote"), ("page notice", "cookieBar")],
)
def test_comments_and_notices_are_left_out_unless_they_are_much_of_the_page(kind, name) -> None:
    box = f"<div class='{name}'>{_ASIDE}</div>"
    document = _read(f"<h1>Floods</h1>{PROSE}{box}{PROSE}")
    assert texts(document) == ALONE * 2
    assert list(_kinds(document)) == [kind]
    assert len(texts(_read(f"<h1>Floods</h1>{PROSE}{box * 4}"))) == 9


def test_most_of_the_prose_never_counts_as_surroundings() -> None:
    assert texts(_read(f"<div class='footer'><h1>Floods</h1>{PROSE}</div>")) == ALONE


def test_a_heading_beside_the_text_stays() -> None:
    assert _read(f"<div><h1>Floods</h1></div><div>{PROSE}</div>").title == "Floods"
    two = _read(f"<div><h2>One</h2></div><div><h2>Two</h2>{PROSE}</div>")
    assert [section.title for section in two.walk()] == ["One", "Two"]


def test_the_title_may_be_outside_the_main_part() -> None:
    top = "<div><h1>The Valley</h1></div><div><h1>Floods</h1></div>"
    document = _read(f"{top}<main><h2>Spring</h2>{PROSE}</main>")
    assert document.title == "Floods"
    assert [section.title for section in document.walk()] == ["Spring"]


def test_the_title_again_without_a_heading_is_no_text() -> None:
    document = _read(f"<div class='fancy'>Floods</div><h2>Spring</h2>{PROSE}", "Floods")
    assert texts(document) == ALONE


def test_a_short_page_keeps_all_that_is_not_stated_to_be_around_it() -> None:
    short = texts(_read("<div><i>Rivers</i></div><p>It rose.</p><nav>menu</nav>"))
    assert short == ["Rivers", "It rose."]
    for words, is_menu in ((49, False), (50, True)):
        said = "The " + " ".join(["river"] * (words - 1))
        page = f"<div><ul>{MENU}</ul></div><div><h1>Floods</h1><p>{said}.</p></div>"
        assert ("menu" in _kinds(_read(page))) is is_menu


def test_closed_tabs_and_details_are_text() -> None:
    tabs = "<div role=tabpanel hidden><p>On Linux, run it once.</p></div>"
    details = "<details><summary>More</summary><p>It runs each day.</p></details>"
    text = texts(_read(f"<h1>Floods</h1>{PROSE}{tabs}{details}"))
    assert text[-3:] == ["On Linux, run it once.", "More", "It runs each day."]


def test_custom_elements_hold_parts_too() -> None:
    menu = f"<x-app><x-slogan>Small. Fast. Reliable.</x-slogan><ul>{MENU}</ul></x-app>"
    assert texts(_read(f"{menu}<div><h1>Floods</h1>{PROSE}</div>")) == ALONE
