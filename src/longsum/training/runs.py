"""All kinds of training runs, by the kind of their recipes."""

from collections.abc import Mapping
from typing import Any

from longsum.training.checking.run_checking import CLAIM_CHECKING, SPAN_ANSWERING
from longsum.training.extraction.run_extraction import EXTRACTION
from longsum.training.extraction.run_pretraining import ETC_PRETRAINING
from longsum.training.frame import Run
from longsum.training.planning.run_planning import PLANNING
from longsum.training.relations.run_relations import RELATIONS
from longsum.training.run_seq2seq import SEQ2SEQ
from longsum.training.run_tagger import TAGGER
from longsum.training.words.run_words import WORDS

RUNS: Mapping[str, Run[Any, Any, Any, Any]] = {
    run.kind: run
    for run in (
        SEQ2SEQ,
        TAGGER,
        EXTRACTION,
        ETC_PRETRAINING,
        PLANNING,
        WORDS,
        RELATIONS,
        SPAN_ANSWERING,
        CLAIM_CHECKING,
    )
}


def run_for(kind: str) -> Run[Any, Any, Any, Any]:
    """Return what trains recipes of a kind; for any other, a run that refuses the recipe."""
    return RUNS.get(kind, SEQ2SEQ)
