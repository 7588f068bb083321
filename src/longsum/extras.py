"""What is installed only on request, and the sentence that says how to get it."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from longsum.errors import LongsumError

_EXTRAS = {"transformers": "models", "accelerate": "train", "matplotlib": "plots"}
"""The extra (`pip install 'longsum[NAME]'`) that brings each package, by the name it imports as."""


@contextmanager
def missing_extras_explained() -> Iterator[None]:
    """Turn an import that fails for want of an extra into the line that installs it.

    As a context manager or as a decorator, around whatever may import such a package.

    Raises:
        LongsumError: A package of an extra is not installed. Any other failed import is raised as
            it is.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _EXTRAS:
            raise
        raise LongsumError(
            f"This needs {package}, which is not installed; run pip install "
            f"'longsum[{_EXTRAS[package]}]'."
        ) from None


def require(package: str) -> None:
    """Refuse to begin what fails without a package that is imported only later, or by others.

    Raises:
        LongsumError: It is not installed.
    """
    with missing_extras_explained():
        import_module(package)
