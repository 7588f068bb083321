"""What finds the relations that reports of games state, by name."""

from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.common.wording import quote
from longsum.core.model_files.folders import HUB_ID
from longsum.tables.planning.table_systems import MATCHER, RELATIONS, learned_from, shipped_weights
from longsum.tables.relation_finder import MatchedRelations, RelationFinder

DIGITS = f"{MATCHER}-digits"


def relation_finder(name: str) -> tuple[RelationFinder, list[str]]:
    """Return what finds relations, and what whoever reads its scores should know.

    Args:
        name: `table-matcher`, the rules; `table-matcher-digits`, the rules for numbers in digits
            alone; `table-relations`, the networks that ship; or a folder that `longsum train
            relation-extractor` wrote.

    Raises:
        LongsumError: There is none of that name, or what it needs is not installed.
    """
    if name in (MATCHER, DIGITS):
        return MatchedRelations(digits=name == DIGITS), []
    if name != RELATIONS and not Path(name).is_dir() and not HUB_ID.fullmatch(name):
        raise LongsumError(
            f"Nothing that finds relations is called {quote(name)}; give {MATCHER}, {DIGITS}, "
            f"{RELATIONS}, or the folder of an extractor that 'longsum train' wrote."
        )
    from longsum.core.model_files.folders import check_model

    folder = check_model(shipped_weights("relations") if name == RELATIONS else name)
    from longsum.tables.relations.neural_relations import NeuralRelations

    seen = " and ".join(f"{count:,} of {data}" for data, count in learned_from(folder.path).items())
    known = f"scores of games that the extractor learned from ({seen}) are no results"
    return NeuralRelations.load(folder), [known]
