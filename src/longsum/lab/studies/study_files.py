"""The files of a study: a folder with the pages and the key, and the annotators' answers."""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.files import new_folder, write_text
from longsum.common.wording import counted
from longsum.core.pages.page import asset, fill, render_page
from longsum.core.pages.page_data import embed_json
from longsum.core.summaries.result_file import dump_json
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.reading import load
from longsum.lab.studies.answers import Key, Saved, checked, parse_key
from longsum.lab.studies.study import Study

KEY = "key.json"
_LARGEST = ReadLimits(size=50_000_000)


def check_folder(folder: Path) -> None:
    """Refuse a folder that is not empty, or a file in its place."""
    if folder.is_dir() and not any(folder.iterdir()):
        return
    if folder.exists() or folder.is_symlink():
        raise LongsumError(f"'{folder}' exists and is not empty; give a new folder.")


def write_study(study: Study, folder: Path) -> list[Path]:
    """Write the page of each annotator, and the key, into a new folder; return the files.

    Raises:
        LongsumError: The folder has files, or cannot be written.
    """
    check_folder(folder)
    pages = {
        f"annotator-{person}.html": render_study(study.page(person))
        for person in range(1, study.people + 1)
    }
    with new_folder(folder) as unfinished:
        for name, page in pages.items():
            write_text(unfinished / name, page)
        write_text(unfinished / KEY, dump_json(study.key()))
    return [folder / name for name in (*pages, KEY)]


def read_key(path: Path) -> Key:
    """Read the key of a study.

    Raises:
        LongsumError: The file cannot be read, or is no key.
    """
    return parse_key(*load(path, _LARGEST))


def read_saved(path: Path) -> Saved:
    """Read an annotator's file.

    Raises:
        LongsumError: The file cannot be read, or is not an annotator's.
    """
    return checked(Saved, *load(path, _LARGEST))


_TITLES = {
    "faithfulness": "What summaries say, and whether it is true",
    "trees": "Trees of questions and answers",
    "best-worst": "Best and worst summaries",
    "fact-checks": "Checking facts",
    "questions": "Questions about texts",
}


def render_study(page: Mapping[str, Any]) -> str:
    """Return the self-contained page of an annotator.

    It loads nothing, which its content security policy enforces; it keeps answers in the browser's
    storage, saves them as a JSON file, and resumes from such a file. The same study gives the same
    bytes.

    Args:
        page: The content, as `longsum.lab.studies.study.Study.page` returns it.
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
    style = asset("base.css") + asset("study.css")
    return render_page(f"{escape(title)} · {page['annotator']}", body, style=style, script=script)
