"""Submissions as the SEC publishes them: several documents in one file, with a header before."""

import re
from collections.abc import Callable

from longsum.common.wording import counted

_WITHIN = 1 << 16
_START = re.compile(r"^<DOCUMENT>[ \t]*\r?\n<TYPE>", re.MULTILINE)
_TYPE = re.compile(r"<TYPE>([^\s<]{1,40})")
# Wrappers around a document in its own format, without content.
_WRAPPED = re.compile(r"\A\s*+(?:</?(?:XBRL|XML|HTML-FRAGMENT)>\s*+)*")
_DATA = re.compile(r"\s*+(?:begin [0-7]{3} |<(?:PDF|JSON|ZIP)>|<\?xml|\{\s*+\")", re.IGNORECASE)
_NEW_PAGE = re.compile(r"^[ \t]*<PAGE>.*$", re.MULTILINE)
# The marks of the columns of a table, in plain text.
_TABLE_MARKS = re.compile(r"^[ \t]*(?:</?(?:TABLE|CAPTION|S|C|FN|F\d)>[ \t]*)+$", re.MULTILINE)


def documents_of(text: str, is_page: Callable[[str], bool]) -> tuple[str, str] | None:
    """Return the text of a submission's documents, and a warning about those left out.

    The first document decides between HTML and plain text; those of the same kind follow. Schemas,
    data, pictures and other files are left out.

    Args:
        text: The file.
        is_page: Whether the text of a document is a page of HTML.

    Returns:
        The text and a warning, empty if nothing is left out; None for any other text.
    """
    if not _START.search(text, 0, _WITHIN):
        return None
    pages: list[str] = []
    plain: list[str] = []
    left: list[str] = []
    position = text.find("<DOCUMENT>")
    while position >= 0:
        after = text.find("<DOCUMENT>", position + 1)
        name, body = _opened(text[position : after if after >= 0 else len(text)])
        if is_page(body):
            (left if plain else pages).append(name if plain else body)
        elif pages or _DATA.match(body):
            left.append(name)
        else:
            plain.append(_plain(body))
        position = after
    names = ", ".join(sorted({*left}))
    warning = f"Left out of the submission: {counted(len(left), 'file')} ({names})."
    return "\n".join(pages) or "\n\f".join(plain), warning if left else ""


def _opened(document: str) -> tuple[str, str]:
    """Return the type of a document and its text."""
    found = _TYPE.search(document)
    _, _, body = document.partition("<TEXT>")
    body = body.rpartition("</TEXT>")[0] or body
    return found[1] if found else "unnamed", _WRAPPED.sub("", body)


def _plain(body: str) -> str:
    return _TABLE_MARKS.sub("", _NEW_PAGE.sub("\f", body))
