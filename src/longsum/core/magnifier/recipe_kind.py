"""Recipes of systems that bring another system's summary to any length."""

from longsum.common.errors import LongsumError
from longsum.core.loading import load_system
from longsum.core.magnifier.length_control import LengthControlled
from longsum.core.magnifier.magnifier_settings import ASKED, LengthControlConfig
from longsum.core.summaries import Budget
from longsum.core.systems.system import System, SystemKind


def length_controlled(name: str, config: LengthControlConfig) -> System:
    """Make a system of the kind `magnifier` with the system that makes its prototype.

    Raises:
        LongsumError: Neither the recipe nor the user names a prototype, or it cannot be loaded.
    """
    if config.prototype is None:
        raise LongsumError(
            f"The system '{name}' makes any length of a prototype; say with --prototype what makes "
            "that: the folder of a pointer-generator network, or any system."
        )
    given = config.prototype
    made_by = {"system": given} if isinstance(given, str) else dict(given)
    natural = config.natural
    return LengthControlled(
        load_system(made_by.pop("system"), **made_by).whole_sentences(),
        config.kernels,
        natural=natural if natural is None or natural == ASKED else Budget.parse(natural),
        name=name,
    )


MAGNIFIER = SystemKind(LengthControlConfig, length_controlled)
