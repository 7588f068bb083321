"""Trees of questions and answers as text: what they are, how they are written in one line."""

from longsum.questions.tree import Question, QuestionTree

__all__ = ["Question", "QuestionTree"]
