"""Scales of experiments: what each of them changes in the settings of a row's training."""

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
    """A scale; `scales.yaml` explains its fields, of which None changes nothing."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    name: str
    data: Mapping[str, str] = field(default_factory=dict)
    split: str | None = None
    train: int | None = None
    measured: int | None = None
    checkpoints: Mapping[str, str] = field(default_factory=dict)
    from_scratch: tuple[str, ...] = ()
    layers: int | None = None
    most: Mapping[str, int] = field(default_factory=dict)
    fixed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    intervals: Mapping[str, int] = field(default_factory=dict)
    first_data: bool = False
    threads: int | None = None

    def stands_for(self, data: str) -> str:
        """Return the data set that is used in place of the paper's."""
        return self.data.get(data, self.data.get(_ANY, data))

    @property
    def is_papers(self) -> bool:
        """Whether it is the paper's own setting."""
        return not self.training

    def overrides(
        self, recipe: Recipe, data: str, given: Mapping[str, Any], tiny: Path
    ) -> dict[str, Any]:
        """Return the changes to a recipe's settings.

        `data` may be several sets, joined by `+`; `given` are the changes by the experiment.
        """
        names = "+".join(dict.fromkeys(map(self.stands_for, data.split("+"))))
        if self.is_papers:
            return merged(given, {"data": {"names": names}})
        # A recipe's settings for the paper's data set hold for the one used in its place, too.
        changed = merged(recipe.data.get(data, {}), given)
        settings = merged(recipe.settings, changed)
        changed = merged(changed, self._capped(settings))
        changed = merged(changed, self.fixed.get(recipe.kind, {}))
        limits = {"names": names, "limit": self.train, "validation_limit": self.measured}
        changed = merged(changed, {"data": limits, "training": self.training})
        changed |= self.intervals
        start = settings.get("checkpoint")
        if start is not None and start == recipe.settings.get("checkpoint"):
            if recipe.kind in self.from_scratch:
                changed["checkpoint"] = None
            elif start in self.checkpoints:
                changed["checkpoint"] = str(tiny / self.checkpoints[start])
        return changed

    def _capped(self, value: Any) -> Any:
        """Return the entries of nested settings that exceed their limit, reduced to it."""
        capped: dict[str, Any] = {}
        for name, inner in value.items():
            if isinstance(inner, Mapping):
                if below := self._capped(inner):
                    capped[name] = below
            elif isinstance(inner, list) and inner and isinstance(inner[0], Mapping):
                capped[name] = [merged(item, self._capped(item)) for item in inner[: self.layers]]
            elif isinstance(inner, int | float) and inner > self.most.get(name, inner):
                capped[name] = self.most[name]
        return capped


@cache
def find_scale(name: str) -> Scale:
    """Return the scale with a name.

    Raises:
        LongsumError: There is no such scale.
    """
    scales = shipped_yaml("longsum.lab.reproduction", "scales.yaml")
    if name not in scales:
        raise LongsumError(f"There is no scale {quote(name)}; {choose_from(name, scales)}")
    return check(Scale, {**scales[name], "name": name}, f"The scale {name}")
