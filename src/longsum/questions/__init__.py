"""Trees of questions and answers, and their linearised form."""

from longsum.questions.linear import Mark, Parsed, linearise, parse, parse_pieces, pieces
from longsum.questions.tree import ROOT, Question, QuestionTree

__all__ = [
    "ROOT",
    "Mark",
    "Parsed",
    "Question",
    "QuestionTree",
    "linearise",
    "parse",
    "parse_pieces",
    "pieces",
]
