"""The user's own systems, named by their code: `mine.py:Class` or `module:Class`.

Only code that a user names on the command line or to the library is imported, never code that a
file names.
"""

import importlib.util
import pkgutil
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.names import is_file
from longsum.common.wording import did_you_mean, quote
from longsum.core.loading import is_endpoint, load_system
from longsum.core.summaries import Budget, Fill, Summary
from longsum.core.systems.system import Request, Summarizer, System
from longsum.documents.model import Document

_NAMED = re.compile(r"(?P<place>.+\.py|[A-Za-z_][\w.]*):(?P<name>[A-Za-z_]\w*)")


@dataclass(slots=True)
class OwnSystem:
    """A user's summarizer, under the name by which it was requested."""

    name: str
    summarizer: Any

    def summarize(
        self, document: Document, budget: Budget, *, focus: str | None = None, seed: int = 0
    ) -> Summary:
        """Summarize a document; see `Summarizer.summarize`."""
        summary: Summary = self.summarizer.summarize(document, budget, focus=focus, seed=seed)
        return summary


def load_any_system(name: str, *, prototype: str | None = None) -> Summarizer:
    """Load a system by its name, or from the user's own code.

    Args:
        name: What `load_system` takes, or `FILE.py:NAME` or `MODULE:NAME`: a class or function
            that is called without arguments, or an object; it has the method `summarize` of
            `longsum.core.systems.system.Summarizer`.
        prototype: As `load_system`; the user's own code takes none.

    Raises:
        LongsumError: There is no such system, the code cannot be run, what it makes summarizes
            nothing, or it takes no prototype.
    """
    match = _NAMED.fullmatch(name)
    if match is None or is_endpoint(name):
        return load_system(name, prototype=prototype)
    if prototype is not None:
        raise LongsumError(f"{quote(name)} takes no prototype; leave out --prototype.")
    place, called = match["place"], match["name"]
    module = _imported(place)
    if not hasattr(module, called):
        raise LongsumError(
            f"{quote(place)} has no {called}; name a class, a function or an object that it has."
            f"{did_you_mean(called, [each for each in vars(module) if not each.startswith('_')])}"
        )
    made = getattr(module, called)
    if isinstance(made, type) or (callable(made) and not hasattr(made, "summarize")):
        made = _run(name, made)
    if not callable(getattr(made, "summarize", None)):
        raise LongsumError(
            f"{quote(name)} makes a {type(made).__name__}, which has no method summarize(document, "
            "budget, *, focus=None, seed=0); give it one."
        )
    if isinstance(made, System):
        return made
    return OwnSystem(str(getattr(made, "name", None) or called), made)


def own_summary(
    system: Summarizer, request: Request, *, fill: Fill | None = None, shorten: bool | None = None
) -> Summary:
    """Summarize with a summarizer that is not a `System` and may be anyone's.

    Args:
        system: The summarizer.
        request: What is asked of it.
        fill: How to fill the length, which it does not support.
        shorten: Whether to shorten sentences, which it does not support.

    Raises:
        LongsumError: An option is not supported, or it returns no summary.
    """
    name = getattr(system, "name", type(system).__name__)
    if fill is not None:
        raise LongsumError(
            f"The system '{name}' has no setting for how to fill a length; leave out fill."
        )
    if shorten:
        raise LongsumError(f"The system '{name}' cannot shorten sentences; leave out shorten.")
    made: object = system.summarize(
        request.document, request.budget, focus=request.focus, seed=request.seed
    )
    if not isinstance(made, Summary):
        raise LongsumError(
            f"The system '{name}' returned a value of type {type(made).__name__} instead of "
            "a Summary; longsum.summary_of(document, text, budget) makes one from a text."
        )
    return made


def _imported(place: str) -> ModuleType:
    if not place.endswith(".py"):
        # The program's module path does not contain the working directory.
        folder = str(Path.cwd())
        if folder not in sys.path:
            sys.path.insert(0, folder)
        module: ModuleType = _run(place, pkgutil.resolve_name, place)
        return module
    path = Path(place)
    if not is_file(path):
        raise LongsumError(f"There is no file {quote(place)}; check the path of the system.")
    spec = importlib.util.spec_from_file_location(f"longsum_own_{path.stem}", path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look up their module; modules beside the file can be imported.
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.resolve().parent))
    _run(place, spec.loader.exec_module, module)
    return module


def _run(name: str, call: Any, *given: Any) -> Any:
    """Call the user's code; an exception becomes a sentence with the line that raised it."""
    try:
        return call(*given)
    except LongsumError:
        raise
    except Exception as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        file = "" if trace is None else Path(trace.tb_frame.f_code.co_filename).name
        line = "" if trace is None else f", {file} line {trace.tb_lineno}"
        raise LongsumError(
            f"{quote(name)} cannot be loaded ({type(error).__name__}: {error}{line}); correct it."
        ) from error
