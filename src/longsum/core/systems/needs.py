"""What has to be installed for a system beside the package itself."""

from dataclasses import dataclass

from longsum.common.extras import requirement
from longsum.core.recipes import Recipe


@dataclass(frozen=True, slots=True)
class Needs:
    """What pip installs for a system, such as `longsum[models]`; None where nothing is needed.

    Attributes:
        to_train: For its training; None too where there is nothing to train.
        to_run: For its summaries, or for those of the model that its training makes.
    """

    to_train: str | None = None
    to_run: str | None = None


def needs(recipe: Recipe) -> Needs:
    """Return what the system of a recipe needs.

    Systems that have to be trained are models of PyTorch, which Accelerate trains; all others run
    without any extra. `tests/common/test_extras.py` hides the packages and holds this to what
    happens.
    """
    if recipe.state == "train first":
        return Needs(to_train=requirement("accelerate"), to_run=requirement("torch"))
    return Needs()
