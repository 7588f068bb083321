"""Settings of the systems that bring a prototype to any length."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from longsum.core.kernels.fitted import KernelSettings

Asked = Literal["asked"]
ASKED: Asked = "asked"
"""As the prototype's length: the requested length, which the system follows as well as it can."""


@dataclass(frozen=True, slots=True)
class LengthControlConfig(KernelSettings):
    """Settings of a recipe of the kind `magnifier`.

    Attributes:
        prototype: Makes the prototype: the name of any system or the folder of a model; or a table
            with that name as `system` and its settings.
        natural: Length of the prototype, such as `100w`, or `asked` for the requested one; by
            default the system's own.
    """

    prototype: str | Mapping[str, Any] | None = None
    natural: str | None = None

    @property
    def kernels(self) -> KernelSettings:
        """The weights and sizes of the kernels."""
        own = {field.name: getattr(self, field.name) for field in fields(KernelSettings)}
        return KernelSettings(**own)
