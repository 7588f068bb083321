"""The frame of all pages: one file that loads nothing, as its policy enforces."""

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template

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


def render_page(title: str, body: str, *, style: str, script: str = "") -> str:
    """Return a page whose policy allows only its own style and script.

    Args:
        title: Its title, escaped.
        body: Its body.
        style: Its style sheet.
        script: The script in the body; empty for none.
    """
    scripts = f"script-src '{_fingerprint(script)}'; " if script else ""
    policy = (
        f"default-src 'none'; {scripts}style-src '{_fingerprint(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    # Documents have no invisible characters, but user input such as a focus may.
    shown = {"title": without_hidden(title), "body": without_hidden(body)}
    return fill("page.html", policy=policy, style=style, **shown) + "\n"


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
    """
    layout = lay_out(view)
    body = fill(
        "beside.html",
        title=escape(view.title),
        language=escape(view.language),
        facts=escape(_facts(view, layout.words)),
        coverage=render_coverage(view),
        shown=shown,
        skip=shown.lower(),
        share=share,
        pane=pane,
        map=render_map(view, layout),
        heat=render_scale(view.summary.importance, shown=shaded),
        document=render_document(view),
        data=embed_json(page_data(view, layout)),
        script=script,
    )
    return render_page(f"{title} {escape(view.title)}", body, style=style, script=script)


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
