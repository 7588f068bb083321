"""The frame of all pages: one file that loads nothing, as its policy enforces."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from longsum.core.pages.contents_list import render_contents
from longsum.core.pages.document_pane import render_document, render_scale
from longsum.core.pages.lengths_view import LengthsView, counted
from longsum.core.pages.page_data import embed_json, page_data
from longsum.core.pages.run_card import render_coverage
from longsum.core.pages.section_map import lay_out, render_map
from longsum.language.characters import without_hidden


def asset(name: str) -> str:
    """Return the text of a file in the folder `assets`."""
    return files("longsum.core.pages").joinpath("assets", name).read_text(encoding="utf-8")


def fill(name: str, **parts: str) -> str:
    """Return a template in the folder `assets` with all its fields filled."""
    return Template(asset(name).rstrip("\n")).substitute(parts)


@dataclass(frozen=True, slots=True)
class Host:
    """What a server adds to a page that is otherwise a file.

    Attributes:
        navigation: Markup at the left end of the top, such as the way to other documents.
        controls: Markup at the right end.
        data: What its script learns in addition; see `assets/viewer/annotations.js`.
    """

    navigation: str = ""
    controls: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


VIEWER = (
    *("state", "lengths", "sections", "sources", "previews", "reasons", "copying"),
    *("finding", "address", "annotations", "keys", "start"),
)
"""The parts of the viewer's script, in the order in which they make one module."""


def viewer_script(*others: str) -> str:
    """Return the viewer's module, with other scripts of this folder after it."""
    parts = [asset(f"viewer/{name}.js") for name in VIEWER]
    return "\n".join([*parts, *map(asset, others)])


def render_menu(*others: str) -> str:
    """Return the menu of a page's left side; `others` are further entries."""
    return fill("menu.html", others="\n".join(filter(None, others)))


def policy(style: str, script: str = "", *, hosted: bool = False) -> str:
    """Return the policy of a page that may use its own style and script and nothing else.

    Args:
        style: Its style sheet.
        script: The script in the body; empty for none.
        hosted: Whether a server sends it, with which it may speak.
    """
    rules = ["default-src 'none'"]
    if script:
        rules.append(f"script-src '{_fingerprint(script)}'")
    rules.append(f"style-src '{_fingerprint(style)}'")
    rules.append("img-src 'self' data:; connect-src 'self'" if hosted else "img-src data:")
    rules.append("base-uri 'none'; form-action " + ("'self'" if hosted else "'none'"))
    return "; ".join(rules)


def render_page(
    title: str, body: str, *, style: str, script: str = "", hosted: bool = False
) -> str:
    """Return a page whose policy allows only its own style and script.

    Args:
        title: Its title, escaped.
        body: Its body.
        style: Its style sheet.
        script: The script in the body; empty for none.
        hosted: Whether a server sends it, with which it may speak.
    """
    # Documents have no invisible characters, but user input such as a focus may.
    shown = {"title": without_hidden(title), "body": without_hidden(body)}
    allowed = policy(style, script, hosted=hosted)
    return fill("page.html", policy=allowed, style=style, **shown) + "\n"


def render_beside(
    view: LengthsView,
    pane: str,
    *,
    title: str,
    shown: str,
    share: str,
    style: str,
    script: str,
    shaded: bool = False,
    host: Host | None = None,
) -> str:
    """Return a page with summaries on the left and their document on the right.

    Args:
        view: The summaries.
        pane: The left side.
        title: Prefix of the page's title, before the document's.
        shown: Label of the left side's tab.
        share: What the shades of the section map are shares of.
        style: The style sheet.
        script: The script.
        shaded: Whether importance is shown initially.
        host: What a server adds; None for a file.
    """
    layout = lay_out(view)
    given = host or Host()
    body = fill(
        "beside.html",
        title=escape(view.title),
        language=escape(view.language),
        facts=escape(_facts(view, layout.words)),
        coverage=render_coverage(view),
        navigation=given.navigation,
        controls=given.controls,
        shown=shown,
        skip=shown.lower(),
        share=share,
        pane=pane,
        contents=render_contents(view, layout),
        map=render_map(view, layout),
        heat=render_scale(view.summary.importance, shown=shaded),
        document=render_document(view),
        data=embed_json(page_data(view, layout) | dict(given.data)),
        script=script,
    )
    whole = f"{title} {escape(view.title)}"
    return render_page(whole, body, style=style, script=script, hosted=host is not None)


def _fingerprint(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _facts(view: LengthsView, words: int) -> str:
    document = view.document
    facts = [
        document.source.name if document.title else "",
        counted(words, "word"),
        counted(len(document.sentences), "sentence"),
        counted(len(view.tree.sections), "section"),
    ]
    return " · ".join(filter(None, facts))
