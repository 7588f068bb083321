"""The page of an annotator: tasks to fill in without a network, and a file to save."""

from collections.abc import Mapping
from html import escape
from typing import Any

from longsum.core.pages.page import asset, fill, render_page
from longsum.core.pages.page_data import embed_json
from longsum.core.pages.page_wording import counted

_TITLES = {
    "faithfulness": "What summaries say, and whether it is true",
    "trees": "Trees of questions and answers",
    "best-worst": "Best and worst summaries",
    "fact-checks": "Checking facts",
    "questions": "Questions about texts",
}


def render_study(page: Mapping[str, Any]) -> str:
    """Return one self-contained page for one annotator.

    It loads nothing, as its policy enforces; it keeps what is done in the browser's storage, saves
    it as a JSON file, and goes on from such a file. The same study gives the same bytes.

    Args:
        page: What it shows, as `longsum.lab.studies.study.Study.page` returns it.
    """
    kind = page["kind"]
    script = (
        asset("study_tools.js") + asset(f"study_{kind.replace('-', '_')}.js") + asset("study.js")
    )
    title = _TITLES[kind]
    body = fill(
        "study.html",
        title=escape(title),
        facts=escape(f"Annotator {page['annotator']} · {counted(len(page['tasks']), 'task')}"),
        guide=asset(f"study_{kind.replace('-', '_')}.html"),
        data=embed_json(page),
        script=script,
    )
    style = asset("viewer.css") + asset("study.css")
    return render_page(f"{escape(title)} · {page['annotator']}", body, style=style, script=script)
