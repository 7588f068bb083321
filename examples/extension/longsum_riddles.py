"""What another package adds to longsum: a system, a reader, a metric and a command."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from longsum.cli.command import Command
from longsum.common.errors import LongsumError
from longsum.core.extractive.selection import FixedRanking
from longsum.core.extractive.summarizer import ExtractiveSummarizer, Ranked
from longsum.core.summaries import Summary
from longsum.core.systems.system import Request, SystemKind
from longsum.documents import Document, DocumentBuilder
from longsum.documents.model import Source
from longsum.documents.readers import ReadLimits, read
from longsum.evaluation.datasets import Example
from longsum.evaluation.metrics.metric_info import MetricInfo, ScoreInfo
from longsum.lab.comparison.comparison_metrics import Metric


@dataclass(frozen=True, slots=True)
class QuestionsFirstConfig:
    """The settings: the sign that questions end with."""

    sign: str = "?"


class QuestionsFirst(ExtractiveSummarizer[QuestionsFirstConfig]):
    """Chooses questions before all other sentences."""

    def rank(self, request: Request) -> Ranked:
        """Give a question one point, any other sentence none."""
        sentences = request.document.sentences
        points = [sentence.text.endswith(self.config.sign) for sentence in sentences]
        return Ranked(FixedRanking(np.array(points, dtype=float), "question"))


def read_riddles(data: bytes, source: Source, _: ReadLimits) -> Document:
    """Read lines such as `riddle? | answer.`; the limits hold for the process that reads."""
    builder = DocumentBuilder()
    for line in data.decode().splitlines():
        riddle, bar, answer = line.partition("|")
        if not bar:
            raise LongsumError(f"{source.name} has a line without an answer; add '| answer'.")
        builder.sentences([riddle.strip(), answer.strip()])
    return builder.build("", source)


def asked(summary: Summary, _: Example) -> dict[str, float]:
    """Return how many questions a summary asks."""
    return {"asked": float(summary.text.count("?"))}


def count(source: Path) -> None:
    """Count the sentences of a document."""
    print(len(read(source).sentences))


QUESTIONS_FIRST = SystemKind(QuestionsFirstConfig, QuestionsFirst, "Questions before all else")
SCORES = (ScoreInfo("asked", "questions", "0 and above", "neither"),)
ASKED = Metric(asked, lambda: "questions", MetricInfo("Questions of a summary", "", SCORES))
COUNT = Command(count, "Count the sentences of a document.")
