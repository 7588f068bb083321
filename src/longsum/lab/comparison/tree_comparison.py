"""Compares makers of question trees on a data set with reference trees (HIBRIDS, §5.2, §6.1).

Like `comparison`, it is above systems, data sets and metrics, which do not know each other.
"""

from collections.abc import Callable, Iterable, Mapping
from statistics import fmean
from time import perf_counter

from longsum.core.questions import QuestionTree
from longsum.core.summaries import Budget
from longsum.core.summaries.question_summary import QuestionSummary
from longsum.core.systems.system import QuestionTreeMaker, TreeOptions
from longsum.evaluation.datasets import Example
from longsum.evaluation.datasets.question_sets import question_trees
from longsum.evaluation.metrics.bleu import BLEU_VARIANT
from longsum.evaluation.metrics.metric_info import PER_CENT, UPWARDS, MetricInfo, ScoreInfo
from longsum.evaluation.metrics.question_hierarchy import score_hierarchy
from longsum.evaluation.metrics.rouge import RougeConfig
from longsum.lab.comparison.comparison import no_documents
from longsum.lab.comparison.comparison_results import Measured, Results
from longsum.language.words import count_words

_COUNTS = ("edits", "pairs", "depth")
"""Scores that are numbers of something; all others are shares, reported times 100."""
HIERARCHY_VARIANT = (
    "hierarchy: HIBRIDS §5.2, edges in the paper's form; edits: §6.1, with additions"
)

HIERARCHY = MetricInfo(
    "How a tree of questions and summaries agrees with a reference tree",
    "HIBRIDS §5.2, §6.1, Table 6",
    (
        ScoreInfo("hierarchy_precision", "edges that the reference has", PER_CENT, "higher"),
        ScoreInfo("hierarchy_recall", "edges of the reference", PER_CENT, "higher"),
        ScoreInfo("hierarchy_f1", "harmonic mean of both", PER_CENT, "higher"),
        ScoreInfo("hierarchy_f1_released", "as the released code has it", PER_CENT, "higher"),
        ScoreInfo("question_bleu4", "BLEU of all questions", PER_CENT, "higher"),
        ScoreInfo("rouge1", "words of all summaries", PER_CENT, "higher"),
        ScoreInfo("rouge2", "pairs of words", PER_CENT, "higher"),
        ScoreInfo("rougeL", "longest common subsequence", PER_CENT, "higher"),
        ScoreInfo("rougeLsum", "the same, sentence by sentence", PER_CENT, "higher"),
        ScoreInfo("edits", "moves and additions that make it the reference", UPWARDS, "lower"),
        ScoreInfo("pairs", "questions with their summaries", UPWARDS, "neither"),
        ScoreInfo("depth", "levels", UPWARDS, "neither"),
    ),
)
"""What the scores of trees are."""


def compare_trees(
    examples: Iterable[Example],
    makers: Mapping[str, QuestionTreeMaker],
    budget: Budget,
    *,
    done: Callable[[int], None] = lambda _: None,
    keep: Callable[[Example, str, QuestionSummary], None] = lambda *_: None,
) -> Results:
    """Make a tree of every document with every maker, and score it against the references.

    Of several reference trees, each score is the mean. A maker that answers a given question is
    asked that of the first reference, which is then left out of BLEU.

    Args:
        examples: Documents of a set with question trees; streamed.
        makers: The makers by name; differences are measured from the first.
        budget: The length of every node.
        done: Called with the number of finished documents.
        keep: Receives each tree with its example and the name of its maker.

    Raises:
        LongsumError: The set has no question trees, or there are no examples.
    """
    ids: list[str] = []
    measured = {name: Measured(name) for name in makers}
    for example in examples:
        references = question_trees(example)
        for name, maker in makers.items():
            asked = references[0].questions[0].question if maker.needs_question else None
            began = perf_counter()
            made = maker.make(example.document, TreeOptions(budget, question=asked))
            taken = perf_counter() - began
            keep(example, name, made)
            words = sum(node.words for _, node in made.root.walk())
            found = _scores(made.questions, references, first_question=asked is None)
            measured[name].add(found, words, taken)
        ids.append(example.id)
        done(len(ids))
    if not ids:
        raise no_documents()
    return Results(
        ids=ids,
        budget=budget,
        variants=[HIERARCHY_VARIANT, BLEU_VARIANT, RougeConfig().variant],
        systems=[own.result() for own in measured.values()],
    )


def mean_answer_length(examples: Iterable[Example]) -> Budget:
    """Return the mean number of words of the answers in reference trees, as a budget.

    Raises:
        LongsumError: The set has no question trees, or there is no answer.
    """
    lengths = [
        count_words(pair.answer)
        for example in examples
        for tree in question_trees(example)
        for _, pair in tree.walk()
    ]
    if not lengths:
        raise no_documents()
    return Budget(max(1, round(fmean(lengths))))


def _scores(
    made: QuestionTree, references: tuple[QuestionTree, ...], first_question: bool
) -> dict[str, float]:
    scored = [score_hierarchy(made, reference, first_question) for reference in references]
    return {
        name: fmean(score[name] for score in scored) * (1 if name in _COUNTS else 100)
        for name in scored[0]
    }
