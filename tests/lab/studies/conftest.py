"""Two documents, three systems, and their output."""

import pytest

from longsum.core.questions.question_tree import Question, QuestionTree
from longsum.documents.readers import read_bytes
from longsum.lab.studies.candidates import Candidate, Original, Originals

SYSTEMS = ("quetzal", "rhubarb", "sextant")
"""Names that stand in no text."""
HOSTILE = '</script><img src=x onerror="alert(1)">'


@pytest.fixture(scope="session")
def summaries() -> list[Candidate]:
    return [
        Candidate(
            document,
            system,
            f"On {document}",
            (f"{document.capitalize()} are old.", f"{HOSTILE} {place} of them."),
        )
        for document in ("boats", "mills")
        for place, system in enumerate(SYSTEMS)
    ]


@pytest.fixture(scope="session")
def trees() -> list[Candidate]:
    """Q1 with Q1.1 below it, which has Q1.1.1; and Q2."""
    third = Question("Which?", "The third.")
    first = Question("What?", "The first.", (Question("How?", "The second.", (third,)),))
    tree = QuestionTree((first, Question("Why?", "The fourth.")))
    return [
        Candidate(document, system, document, tree=tree)
        for document in ("boats", "mills")
        for system in SYSTEMS[:2]
    ]


@pytest.fixture(scope="session")
def originals() -> Originals:
    """One reference is labelled with aspects, the other is not."""
    paper = "Introduction: they float. Methods: we looked. Results: they do. Conclusion: they do."
    boats = b"# Boats\n\nBoats float on water. Some of them sink."
    mills = b"# Mills\n\nMills grind. Some of them stand still."
    return Originals(
        {
            "boats": Original(read_bytes(boats, "boats.md"), (paper,)),
            "mills": Original(read_bytes(mills, "mills.md"), ("Mills grind.",)),
        }
    )
