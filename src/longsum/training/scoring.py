"""What a model wrote for the lessons of a data set, held against their targets."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from transformers import PreTrainedTokenizerBase

from longsum.datasets import Example
from longsum.errors import LongsumError
from longsum.evaluation.question_bleu import bleu4
from longsum.evaluation.question_scores import score_hierarchy
from longsum.evaluation.rouge import METRICS, rouge
from longsum.questions.linearisation import Mark, parse_pieces
from longsum.tasks.task import Pair
from longsum.tasks.task_settings import TaskConfig
from longsum.tasks.tokens import decode_pieces


def lesson_scores(
    pair: Pair, task: TaskConfig, ids: Sequence[int], tokenizer: PreTrainedTokenizerBase
) -> dict[str, float]:
    """Score what was written for a lesson.

    Args:
        pair: The lesson.
        task: The task that it is of.
        ids: What was written, special tokens and padding included.
        tokenizer: What the tokens are of.

    Returns:
        For a tree of questions all of `score_hierarchy`, and the number of `repairs` of its line.
        For the questions that follow, `rouge1` to `rougeLsum` and `question_bleu4` of all in one,
        as in Table 2 of HIBRIDS, and the number of `questions`. For a summary its ROUGE.

    Raises:
        LongsumError: The task's targets are parts of summaries.
    """
    if task.kind in ("sections", "selected"):
        raise LongsumError(
            f"What is written for the task '{task.kind}' is part of a summary; compare such "
            "systems with 'longsum evaluate'."
        )
    if task.kind in ("summarization", "part_summaries"):
        text = tokenizer.decode(list(ids), skip_special_tokens=True)
        return _rouge(str(text).strip(), pair.target)
    written = decode_pieces(ids, tokenizer)
    if task.kind == "child_questions":
        own, other = _texts(written), _texts(pair.pieces)
        line, reference = " ".join(own), " ".join(other)
        return {
            **_rouge(line, reference),
            "question_bleu4": bleu4(line, reference),
            "questions": float(len(own)),
        }
    given = pair.question or None
    parsed = parse_pieces(written, given)
    wanted = parse_pieces(pair.pieces, given).tree
    return {
        **score_hierarchy(parsed.tree, wanted, first_question=given is None),
        "repairs": float(len(parsed.repairs)),
    }


def document_scores(
    examples: Iterable[Example],
    task: TaskConfig,
    written: Sequence[Sequence[int]],
    tokenizer: PreTrainedTokenizerBase,
) -> dict[str, list[float]]:
    """Score what was written for the lessons of a data set, document by document.

    Lessons of one document are no independent draws, and tests of significance draw documents; so
    each document has the mean of its lessons.

    Args:
        examples: The data, from the first lesson that was written for.
        task: The task that makes lessons of them.
        written: What was written for each lesson, in their order; perhaps not for all. A document
            that was not written for in full counts with the lessons that were.
        tokenizer: What the tokens are of.

    Returns:
        By metric of `lesson_scores`, a number for each document that has lessons.

    Raises:
        LongsumError: As `lesson_scores`; or there is nothing to score.
    """
    build, rest = task.build(), list(written)
    found: list[dict[str, float]] = []
    for example in examples:
        pairs = list(build.pairs(example))[: len(rest)]
        scores = [
            lesson_scores(pair, task, ids, tokenizer)
            for pair, ids in zip(pairs, rest[: len(pairs)], strict=True)
        ]
        del rest[: len(pairs)]
        if scores:
            found.append({name: fmean(score[name] for score in scores) for name in scores[0]})
        if not rest:
            break
    if not found:
        raise LongsumError("There is nothing to score; write for one document at least.")
    return {name: [score[name] for score in found] for name in found[0]}


def _texts(pieces: Iterable[Mark | str]) -> list[str]:
    return [piece for piece in pieces if isinstance(piece, str)]


def _rouge(prediction: str, reference: str) -> dict[str, float]:
    found = rouge(prediction, [reference])
    return {name: found[name].fmeasure for name in METRICS}
