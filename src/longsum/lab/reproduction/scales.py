"""How large experiments are run: what a scale changes of the settings of a row's training."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ConfigDict

from longsum.common.errors import LongsumError
from longsum.common.structured_text import shipped_yaml
from longsum.common.wording import choose_from, quote
from longsum.core.recipes.recipe import Recipe, check, merged

_ANY = "*"


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale; `scales.yaml` says what its fields mean, and None leaves things as they are."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    name: str
    data: Mapping[str, str] = field(default_factory=dict)
    split: str | None = None
    train: int | None = None
    measured: int | None = None
    checkpoints: Mapping[str, str] = field(default_factory=dict)
    from_nothing: tuple[str, ...] = ()
    layers: int | None = None
    most: Mapping[str, int] = field(default_factory=dict)
    fixed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    intervals: Mapping[str, int] = field(default_factory=dict)
    first_data: bool = False
    threads: int | None = None

    def stands_for(self, data: str) -> str:
        """Return the data set that is used in place of a paper's."""
        return self.data.get(data, self.data.get(_ANY, data))

    @property
    def is_papers(self) -> bool:
        """Whether it is the paper's own setting."""
        return not self.training

    def overrides(
        self, recipe: Recipe, data: str, given: Mapping[str, Any], tiny: Path
    ) -> dict[str, Any]:
        """Return what is changed of a recipe's settings.

        The data may be several sets, joined by `+`; `given` is what the experiment changes.
        """
        names = "+".join(dict.fromkeys(map(self.stands_for, data.split("+"))))
        # What a recipe says of a paper's data set holds for what stands for it.
        asked = merged(recipe.data.get(data, {}), given)
        if self.is_papers:
            return merged(given, {"data": {"names": names}})
        every = merged(recipe.settings, asked)
        changed = merged(asked, self._capped(every))
        changed = merged(changed, self.fixed.get(recipe.kind, {}))
        limits = {"names": names, "limit": self.train, "validation_limit": self.measured}
        changed = merged(changed, {"data": limits, "training": self.training})
        changed |= self.intervals
        start = every.get("checkpoint")
        if start is not None and start == recipe.settings.get("checkpoint"):
            if recipe.kind in self.from_nothing:
                changed["checkpoint"] = None
            elif start in self.checkpoints:
                changed["checkpoint"] = str(tiny / self.checkpoints[start])
        return changed

    def _capped(self, value: Any) -> Any:
        """Return the entries of nested settings that are larger than they may be, as they may."""
        found: dict[str, Any] = {}
        for name, inner in value.items():
            if isinstance(inner, Mapping):
                if below := self._capped(inner):
                    found[name] = below
            elif isinstance(inner, list) and inner and isinstance(inner[0], Mapping):
                found[name] = [merged(each, self._capped(each)) for each in inner[: self.layers]]
            elif isinstance(inner, int | float) and inner > self.most.get(name, inner):
                found[name] = self.most[name]
        return found


@cache
def find_scale(name: str) -> Scale:
    """Return a scale.

    Raises:
        LongsumError: There is none of this name.
    """
    scales = shipped_yaml("longsum.lab.reproduction", "scales.yaml")
    if name not in scales:
        raise LongsumError(f"There is no scale {quote(name)}; {choose_from(name, scales)}")
    return check(Scale, {**scales[name], "name": name}, f"The scale {name}")
