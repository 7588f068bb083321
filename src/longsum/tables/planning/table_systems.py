"""Planners, realizers and finders of relations that need no training."""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from longsum.common.errors import LongsumError
from longsum.common.extras import requirement
from longsum.core.loading import Needs

RULES: Final = "table-rules"
STEPWISE: Final = "table-stepwise"
RANKER: Final = "table-ranker"
TEMPLATES: Final = "table-templates"
MATCHER: Final = "table-matcher"
RELATIONS: Final = "table-relations"


@dataclass(frozen=True, slots=True)
class TableSystem:
    """A planner, a realizer or a finder of relations; those that have to be trained are recipes.

    Attributes:
        name: Its name for users.
        title: One line on what it does.
        paper: The paper, with the place.
        option: The option of `longsum table` that takes its name.
        needs: What has to be installed for it.
    """

    name: str
    title: str
    paper: str
    option: Literal["--planner", "--realizer", "--relations"]
    needs: Needs = field(default_factory=Needs)


TABLE_SYSTEMS = (
    TableSystem(RULES, "Plans a report by rules, of any table", "ours", "--planner"),
    TableSystem(
        RANKER,
        "Plans a game's report by all its entries at once; hibert-planner, trained",
        "Stepwise (Narayan et al. 2020), §4, §7, changed",
        "--planner",
        Needs(to_run=requirement("torch")),
    ),
    TableSystem(
        STEPWISE,
        "Plans a game's report entry by entry; informed-hibert-planner, trained",
        "Stepwise (Narayan et al. 2020), §7, B.3, changed",
        "--planner",
        Needs(to_run=requirement("torch")),
    ),
    TableSystem(TEMPLATES, "Words any plan by templates", "ours", "--realizer"),
    TableSystem(MATCHER, "Finds what texts state of any table, by rules", "ours", "--relations"),
    TableSystem(
        RELATIONS,
        "Finds what texts state of games; relation-extractor-small, trained",
        "Wiseman et al. (2017), in Stepwise (Narayan et al. 2020), §7",
        "--relations",
        Needs(to_run=requirement("torch")),
    ),
)
"""In the order in which they are listed."""


_RECORD = "documents.json"


def learned_from(folder: Path) -> dict[str, int]:
    """Return how many documents of each data set a model in a folder was trained on.

    Raises:
        LongsumError: The folder has no record of that.
    """
    try:
        parts = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
        counts = Counter[str]()
        for part in parts:
            if part["split"] == "train":
                counts[part["name"]] += int(part["documents"])
        return dict(counts)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LongsumError(
            f"'{folder}' has no readable {_RECORD}, which says what a model learned from; give a "
            "folder that 'longsum train' wrote."
        ) from error
