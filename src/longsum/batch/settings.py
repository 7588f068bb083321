"""How the documents of a run are summarized, in a serializable form."""

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from longsum import __version__
from longsum.batch.corpora.corpus import Corpus, Fields
from longsum.batch.corpora.open_corpus import open_corpus
from longsum.batch.rows import RowFormat
from longsum.core.pipeline import Options, SystemOptions
from longsum.core.summaries import Budget, Fill
from longsum.core.systems.system import System
from longsum.documents.readers.limits import ReadLimits

SCHEMA = "longsum/batch/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchSettings:
    """Everything that the rows of a run depend on besides its documents.

    The path of the corpus is absolute. For how documents are summarized see
    `longsum.core.pipeline.Options`; with `full`, rows contain whole results.
    """

    corpus: str
    fields: Fields = field(default_factory=Fields)
    choice: SystemOptions = field(default_factory=SystemOptions)
    length: str = "medium"
    focus: str | None = None
    seed: int = 0
    as_written: bool = False
    at_once: bool = False
    shorten: bool | None = None
    fill: Fill | None = None
    limits: ReadLimits = field(default_factory=ReadLimits)
    form: RowFormat = "parquet"
    full: bool = False

    @property
    def budget(self) -> Budget:
        """The length of the summaries.

        Raises:
            LongsumError: It is invalid.
        """
        return Budget.parse(self.length)

    @property
    def options(self) -> Options:
        """How a document is summarized."""
        return Options(
            focus=self.focus,
            seed=self.seed,
            as_written=self.as_written,
            at_once=self.at_once,
            shorten=self.shorten,
            fill=self.fill,
            importance=self.choice.importance,
        )

    def open_corpus(self) -> Corpus:
        """Open the corpus.

        Raises:
            LongsumError: It does not exist.
        """
        return open_corpus(Path(self.corpus), self.fields)

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> "BatchSettings":
        """Return the settings for JSON values made by `asdict`.

        Raises:
            KeyError, TypeError: They are not settings.
        """
        made = cls(**value)
        return replace(
            made,
            fields=Fields(**value["fields"]),
            choice=SystemOptions(**value["choice"]),
            limits=ReadLimits(**value["limits"]),
        )


def described(settings: BatchSettings, system: System) -> dict[str, str]:
    """Return what rows depend on, as short texts by name; equal texts give equal rows.

    The path of the corpus is left out, so that it may be moved.
    """
    own = asdict(settings)
    for name in ("corpus", "choice", "limits"):
        del own[name]
    weights = [system.identity, _weights_of(settings)]
    return {
        "version": __version__,
        "system": system.name,
        "settings of the system": _hash(system.settings),
        "weights": _hash(weights),
        "limits": _hash(asdict(settings.limits)),
        **{name: json.dumps(value) for name, value in own.items()},
    }


def _weights_of(settings: BatchSettings) -> list[str]:
    """Return the state of the folders that a system is loaded from, in addition to its hash."""
    from longsum.core.model_files.folders import ModelFolder

    named = (settings.choice.prototype, settings.choice.importance)
    return [
        ModelFolder.of(Path(name)).weights_sha256
        for name in named
        if name is not None and Path(name).is_dir()
    ]


def _hash(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
