"""The frame of all pages: a single file that loads nothing, which its policy enforces."""

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from longsum.common.wording import counted
from longsum.core.pages.document_pane import render_document, render_scale
from longsum.core.pages.lengths_view import LengthsView
from longsum.core.pages.page_data import embed_json, page_data
from longsum.core.pages.run_card import render_coverage
from longsum.core.pages.section_map import lay_out, render_contents, render_map
from longsum.language.characters import without_hidden


def asset(name: str, package: str = "longsum.core.pages") -> str:
    """Return the text of a file in the folder `assets` of a package."""
    return files(package).joinpath("assets", name).read_text(encoding="utf-8")


def fill(name: str, **parts: str) -> str:
    """Return a template in the folder `assets` with all its fields filled."""
    return Template(asset(name).rstrip("\n")).substitute(parts)


_POLICY = "img-src data:; base-uri 'none'; form-action 'none'"
_HOSTED = "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'"
"""What pages may use besides their own style and script: as a file, and from a server."""
_OWN, _NONE = "same-origin", "no-referrer"
_STATUS = '<p id="status" class="off-screen" role="status"></p>'
VIEWER = (
    *("state", "lengths", "sections", "sources", "previews", "reasons", "copying"),
    *("finding", "address", "annotations", "keys", "start"),
)
"""The parts of the viewer's script, in the order in which they are joined into one module."""


def viewer_script(*others: str) -> str:
    """Return the viewer's module, with other scripts of this folder after it.

    Its comments and indentation are removed; no string in the scripts spans several lines.
    """
    parts = [asset(name) for name in (*(f"viewer/{name}.js" for name in VIEWER), *others)]
    lines = (line.strip() for part in parts for line in part.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def render_menu(*others: str) -> str:
    """Return the menu of a page's left side; `others` are further entries."""
    return fill("menu.html", others="\n".join(filter(None, others)))


def policy(style: str, script: str = "", *, hosted: bool = False) -> str:
    """Return the policy of a page that may use only its own style and script.

    The script is in the body; it may communicate with the server that sends the page.
    """
    rules = ["default-src 'none'"]
    if script:
        rules.append(f"script-src '{_fingerprint(script)}'")
    rules.append(f"style-src '{_fingerprint(style)}'")
    rules.append(_HOSTED if hosted else _POLICY)
    return "; ".join(rules)


def render_page(
    title: str, body: str, *, style: str, script: str = "", hosted: bool = False
) -> str:
    """Return a page whose policy allows only its own style and script.

    Its title is escaped; style, script and `hosted` are as for `policy`.
    """
    # Documents have no invisible characters, but user input such as a focus may.
    shown = {"title": without_hidden(title), "body": without_hidden(body)}
    allowed = policy(style, script, hosted=hosted)
    # Forms state their origin, which the server checks.
    referrer = _OWN if hosted else _NONE
    return fill("page.html", policy=allowed, referrer=referrer, style=style, **shown) + "\n"


def render_beside(
    view: LengthsView,
    pane: str,
    *,
    title: str,
    shown: str,
    share: str,
    own: str = "",
    shaded: bool = False,
) -> str:
    """Return a page with summaries on the left and their document on the right.

    `title` precedes the document's, and `shown` labels the tab of the left side. Shades of the
    section map are shares of `share`; if `shaded`, importance is shown initially. `own` names the
    style and script of this page alone, in the folder `assets`.
    """
    layout = lay_out(view)
    style = "".join(map(asset, ("base.css", "viewer.css", *([f"{own}.css"] if own else ()))))
    script = viewer_script(*([f"{own}.js"] if own else ()))
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
        contents=render_contents(view, layout),
        map=render_map(view, layout),
        heat=render_scale(view.summary.importance, shown=shaded),
        document=render_document(view),
        data=embed_json(page_data(view, layout)),
        script=script,
    )
    return render_page(f"{title} {escape(view.title)}", body, style=style, script=script)


def host_page(
    page: str, navigation: str, controls: str, data: Mapping[str, Any], *, sent: bool = True
) -> str:
    """Return a page of `render_beside` as a server sends it: with a fuller header, and its data.

    Args:
        page: The page.
        navigation: Markup on the left of the header, such as links to other documents.
        controls: Markup on the right of the header.
        data: The server's data for `assets/viewer/annotations.js`.
        sent: Whether it may communicate with the server; otherwise it is a plain file again.
    """
    # The text of a document is escaped, so it contains none of these markers.
    head, policy, rest = page.partition(_POLICY)
    before, header, rest = rest.partition('<header class="top">\n')
    inside, header_end, rest = rest.partition("</header>")
    body, status, rest = rest.partition(_STATUS)
    if not (policy and header and header_end and status):
        raise ValueError("This is not a page of a summary beside its document.")
    embedded = f'{_STATUS}\n<script type="application/json" id="host">{embed_json(data)}</script>'
    allowed = _HOSTED if sent else _POLICY
    if sent:
        before = before.replace(f'content="{_NONE}"', f'content="{_OWN}"', 1)
    header = f"{header}{navigation}{inside}{controls}{header_end}"
    return "".join([head, allowed, before, header, body, embedded, rest])


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
