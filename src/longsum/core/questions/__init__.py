"""Trees of questions and answers, and their linearised form."""

from longsum.core.questions.linearisation import Mark, Parsed, linearise, parse_pieces, pieces
from longsum.core.questions.question_tree import ROOT, Question, QuestionTree

__all__ = [
    "ROOT",
    "Mark",
    "Parsed",
    "Question",
    "QuestionTree",
    "linearise",
    "parse_pieces",
    "pieces",
]
