"""What `import longsum` does first.

Ctrl-C ends it at once, packages send no telemetry, and `transformers` learns of our models.

The packages below read their variables while they load, in a program, in a notebook, and in every
process that works for either.

`transformers` takes seconds to load, and knows only its own models until others are registered. So
`import longsum` registers ours without loading it: an import hook waits for the module that maps
model names to their settings, and enters stand-ins there. The first use of a stand-in imports the
model, whose module puts the real classes in its place. Registering the real ones in the hook would
import parts of `transformers` in the middle of others, which fails in some import orders.
"""

import os
import signal
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

INTERRUPTED = 130
"""The exit status of a program that was interrupted."""


def end_at_once() -> None:
    """Let Ctrl-C end the program without a traceback, while there is nothing to clean up.

    It changes nothing unless this process runs `longsum` or `python -m longsum`; once loaded, the
    program handles it itself (`cli/app.py`).
    """
    # While `python -m longsum` imports the package, its arguments are not in `sys.argv`.
    if os.path.basename(sys.argv[0]) in ("longsum", "longsum.exe") or (  # noqa: PTH119
        sys.argv[0] == "-m" and "longsum" in sys.orig_argv
    ):
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))


OFF = {
    # ONNX Runtime sends events to Microsoft, and keeps a device id in the home folder for them.
    "ORT_DISABLE_TELEMETRY": "1",
    # Requests to the Hugging Face Hub do not state package versions.
    "HF_HUB_DISABLE_TELEMETRY": "1",
    # Ray reports clusters, their sizes and their libraries.
    "RAY_USAGE_STATS_ENABLED": "0",
}
"""The variables that disable telemetry, with their values."""


def report_nothing() -> None:
    """Disable telemetry in this process and its children; variables already set are kept."""
    for name, value in OFF.items():
        os.environ.setdefault(name, value)


HOME = "transformers.models.auto.configuration_auto"


class Deferred(type):
    """Calls and attributes of a stand-in are those of the class that it stands for.

    A stand-in has the name and the `model_type` of that class, which importing the models
    registers in its place.
    """

    model_type: str

    def real(cls) -> type[Any]:
        """Import the model, and return the class that this stands for."""
        # This cost would otherwise be paid on importing the package.
        from longsum.common.registry import load, registered

        real: type[Any] = load(registered("architectures")[cls.model_type])
        return real

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
    """Finds one module through the other finders, and enters the stand-ins once it has run."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the result of the other finders, with an extended loader."""
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
