"""Summaries that any system wrote, read from a file and used in place of a system."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.names import is_file
from longsum.common.wording import counted, quote
from longsum.core.grounding.given_text import summary_of
from longsum.core.summaries import Budget, Summary
from longsum.documents.model import Document
from longsum.evaluation.datasets.record_files import records

ID = "id"
TEXTS = ("text", "summary", "prediction", "generated", "output")
"""Possible names of the field with the text."""


def _of_lm_eval(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the id and the text of a sample that lm-eval logged; any other record unchanged."""
    match record:
        case {"doc": {**document}, "filtered_resps": [[text, *_], *_] | [text, *_]}:
            return {ID: document.get(ID), "text": text}
    return record


@dataclass(slots=True)
class Predictions:
    """Texts by the id of their document, which are scored as they are, whatever their length."""

    name: str
    texts: Mapping[str, str]

    @classmethod
    def load(cls, given: str) -> "Predictions":
        """Read a file of records with an id and a text, or of samples that lm-eval logged.

        Args:
            given: The file, or `NAME=FILE` with the name to show; by default the file's.

        Raises:
            LongsumError: There is no such file, a record has no id or text, or an id is repeated.
        """
        name, equals, place = given.partition("=")
        if is_file(given) or not equals:
            name, place = Path(given).stem, given
        path = Path(place)
        if not is_file(path):
            raise LongsumError(f"There is no file {quote(place)}; check the path of the texts.")
        texts: dict[str, str] = {}
        for number, record in enumerate(map(_of_lm_eval, records(path)), start=1):
            text = next((record[field] for field in TEXTS if field in record), None)
            if ID not in record or not isinstance(text, str):
                raise LongsumError(
                    f"Record {number} of {path.name} needs an id and a text (one of "
                    f"{', '.join(TEXTS)}); it has {', '.join(map(str, record)) or 'no fields'}."
                )
            if texts.setdefault(str(record[ID]), text) is not text:
                raise LongsumError(
                    f"{path.name} has two texts of {quote(record[ID])}; keep one of them."
                )
        return cls(name, texts)

    def summarize(
        self,
        document: Document,
        budget: Budget,
        *,
        focus: str | None = None,  # noqa: ARG002
        seed: int = 0,
    ) -> Summary:
        """Return the text for a document, with sources and checks; see `Summarizer.summarize`.

        Raises:
            LongsumError: There is no text for the document.
        """
        text = self.texts.get(document.source.name)
        if text is None:
            raise LongsumError(
                f"{quote(self.name)} has no text of {quote(document.source.name)} among "
                f"{counted(len(self.texts), 'text')}; give texts of all documents, or another "
                "--split or --limit."
            )
        return summary_of(document, text, budget, system=self.name, seed=seed)
