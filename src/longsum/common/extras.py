"""Optional dependencies, and messages that say how to install them."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from longsum.common.errors import LongsumError

_EXTRAS = {
    "httpx2": "endpoints",
    **dict.fromkeys(("torch", "transformers", "onnx"), "models"),
    "torchao": "int8",
    "accelerate": "train",
    "matplotlib": "plots",
    "scipy": "statistics",
    "pyarrow": "parquet",
    "ray": "ray",
    "mcp": "mcp",
    **dict.fromkeys(("fastapi", "prometheus-client", "python-multipart", "uvicorn"), "serve"),
    **dict.fromkeys(("jinja2", "pillow", "python-docx"), "serve"),
}
"""The extra (`pip install 'longsum[NAME]'`) of each package; import names have `_` for `-`."""
_PACKAGES = {"PIL": "pillow", "docx": "python-docx"}
"""The packages with another import name."""


@contextmanager
def missing_extras_explained() -> Iterator[None]:
    """Turn the failed import of an optional package into a message that says how to install it.

    A context manager or decorator around code that may import such a package.

    Raises:
        LongsumError: A package of an extra is not installed. Other import errors pass unchanged.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        imported = (error.name or "").partition(".")[0]
        package = _PACKAGES.get(imported, imported.replace("_", "-"))
        if package not in _EXTRAS:
            raise
        raise LongsumError(
            f"This needs {package}, which is not installed; run pip install "
            f"'{requirement(package)}'."
        ) from None


def requirement(package: str) -> str:
    """Return the pip requirement for an optional package, such as `longsum[models]`."""
    return f"longsum[{_EXTRAS[package]}]"


def is_installed(package: str) -> bool:
    """Return whether a package can be imported, without importing it."""
    return find_spec(package) is not None


def require(package: str) -> None:
    """Raise an error early if an optional package is missing; it is not imported."""
    with missing_extras_explained():
        if not is_installed(package):
            raise ModuleNotFoundError(name=package)
