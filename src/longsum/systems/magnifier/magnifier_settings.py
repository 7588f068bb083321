"""Settings of the systems that reach any length from a prototype."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from longsum.kernels.fitted import KernelSettings

Asked = Literal["asked"]
ASKED: Asked = "asked"
"""In place of the prototype's length: the length asked for, which the system writes as well as it
can."""


@dataclass(frozen=True, slots=True)
class LengthControlConfig(KernelSettings):
    """Settings of a recipe of the kind `magnifier`.

    Attributes:
        prototype: What makes the prototype: the name of any system or the folder of a model; or a
            table with that name as `system` and its settings.
        natural: The prototype's length, such as `100w`, or `asked` for that of the summary; by
            default the system's own.
    """

    prototype: str | Mapping[str, Any] | None = None
    natural: str | None = None

    @property
    def kernels(self) -> KernelSettings:
        """Weights and sizes of the kernels alone."""
        own = {field.name: getattr(self, field.name) for field in fields(KernelSettings)}
        return KernelSettings(**own)
