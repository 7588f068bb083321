"""The models' place among the Auto classes, held for them until a checkpoint of theirs is met.

`transformers` takes seconds to load, and knows no models but its own until it is told. So `import
longsum` tells it without loading it: an import hook waits for the module that maps names of models
to their settings, and enters stand-ins there. The first use of a stand-in imports the model, whose
`register` puts the real classes in its place. Registering the real ones in the hook would import
parts of `transformers` from the middle of others, which fails in some orders of import.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from longsum.models import networks as models

HOME = "transformers.models.auto.configuration_auto"


class Deferred(type):
    """Calls and attributes of a stand-in are those of the class that it stands for.

    A stand-in has the name and the `model_type` of that class, which importing the models
    registers in its place.
    """

    model_type: str

    def real(cls) -> type[Any]:
        """Import the models, and return the class that this stands for."""
        return models.register()[cls.model_type]

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make settings."""
        return cls.real()(*args, **kwargs)

    def __getattr__(cls, name: str) -> Any:
        return getattr(cls.real(), name)


STAND_INS = {
    model_type: Deferred(name, (), {"model_type": model_type})
    for model_type, name in (
        ("longsum_seq2seq", "LongsumSeq2SeqConfig"),
        ("longsum_extractor", "LongsumExtractorConfig"),
        ("longsum_pointer", "LongsumPointerConfig"),
        ("longsum_convolutional", "LongsumConvolutionalConfig"),
        ("longsum_tagger", "LongsumTaggerConfig"),
        ("longsum_relations", "LongsumRelationsConfig"),
    )
}
"""By the `model_type` of a checkpoint."""


class Waiting:
    """Finds one module as others find it, and has the stand-ins entered once that has run."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return what the other finders find, with a loader that does one thing more."""
        if name != HOME:
            return None
        others = (finder for finder in sys.meta_path if not isinstance(finder, Waiting))
        found = (finder.find_spec(name, path, target) for finder in others)
        spec = next((spec for spec in found if spec is not None), None)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def run_and_enter(module: ModuleType) -> None:
                run(module)
                _enter(module)

            spec.loader.exec_module = run_and_enter  # type: ignore[method-assign]
        return spec


def announce() -> None:
    """Enter the stand-ins, now or when `transformers` maps names of models to their settings."""
    if HOME in sys.modules:
        _enter(sys.modules[HOME])
    else:
        sys.meta_path.insert(0, Waiting())


def _enter(module: ModuleType) -> None:
    for model_type, stand_in in STAND_INS.items():
        if model_type not in module.CONFIG_MAPPING:
            module.AutoConfig.register(model_type, stand_in)
