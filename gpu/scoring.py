"""Scores of what a model generated for the examples of a data set, against their targets."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from transformers import PreTrainedTokenizerBase

from longsum.common.errors import LongsumError
from longsum.core.questions.linearisation import Mark, parse_pieces
from longsum.evaluation.datasets import Example
from longsum.evaluation.metrics.question_hierarchy import score_hierarchy
from longsum.evaluation.metrics.reference_scores import METRICS, bleu4, rouge
from longsum.models.tasks.task import Pair
from longsum.models.tasks.task_settings import TaskConfig
from longsum.models.tasks.tokens import decode_pieces


def pair_scores(
    pair: Pair, task: TaskConfig, ids: Sequence[int], tokenizer: PreTrainedTokenizerBase
) -> dict[str, float]:
    """Score what was generated for an example.

    Args:
        pair: The example.
        task: Its task.
        ids: The generated tokens, including special tokens and padding.
        tokenizer: Their tokenizer.

    Returns:
        For a tree of questions, the scores of `score_hierarchy` and the number of `repairs` of its
        line. For follow-up questions, `rouge1` to `rougeLsum` and `question_bleu4` of all of them
        joined, as in Table 2 of HIBRIDS, and the number of `questions`. For a summary, its ROUGE.

    Raises:
        LongsumError: The task's targets are parts of summaries.
    """
    if task.kind in ("sections", "selected"):
        raise LongsumError(
            f"The task '{task.kind}' generates parts of summaries; compare such "
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
    """Score what was generated for the training examples of a data set, document by document.

    Examples of one document are not independent, and significance tests resample documents; so each
    document gets the mean of its examples.

    Args:
        examples: The documents, from the first one on.
        task: The task that makes training examples of them.
        written: The generated tokens of each training example, in order; the last examples may be
            missing, and a document counts with those that are there.
        tokenizer: Their tokenizer.

    Returns:
        For each metric of `pair_scores`, one value per document with training examples.

    Raises:
        LongsumError: As in `pair_scores`; or there is nothing to score.
    """
    build, rest = task.build(), list(written)
    found: list[dict[str, float]] = []
    for example in examples:
        pairs = list(build.pairs(example))[: len(rest)]
        scores = [
            pair_scores(pair, task, ids, tokenizer)
            for pair, ids in zip(pairs, rest[: len(pairs)], strict=True)
        ]
        del rest[: len(pairs)]
        if scores:
            found.append({name: fmean(score[name] for score in scores) for name in scores[0]})
        if not rest:
            break
    if not found:
        raise LongsumError("There is nothing to score; generate for at least one document.")
    return {name: [score[name] for score in found] for name in found[0]}


def _texts(pieces: Iterable[Mark | str]) -> list[str]:
    return [piece for piece in pieces if isinstance(piece, str)]


def _rouge(prediction: str, reference: str) -> dict[str, float]:
    found = rouge(prediction, [reference])
    return {name: found[name].fmeasure for name in METRICS}
