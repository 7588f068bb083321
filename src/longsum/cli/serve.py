"""`longsum serve`."""

from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

import typer

from longsum.cli.command import Command
from longsum.cli.streams import tell
from longsum.common.errors import LongsumError
from longsum.common.extras import require
from longsum.service.service_settings import MANY, Settings, described, read_settings

EXAMPLES = (
    "longsum serve",
    "longsum serve --port 9000 --workers 4 --folder /var/lib/longsum",
    "longsum serve --settings /etc/longsum.yaml",
    "curl -F file=@report.pdf -F length=250w http://127.0.0.1:8765/v1/summaries",
)
ABOUT = """Serve summaries over HTTP, only to this machine unless a key is set.

Documents, jobs and results are kept in a folder, across restarts. Every option is also a key of the
settings file (YAML) and an environment variable LONGSUM_SERVE_…; the command line overrides the
environment, which overrides the file. Keys come from LONGSUM_SERVE_KEYS or --key-file.
"""

_PACKAGES = ("fastapi", "uvicorn", "python_multipart", "prometheus_client", "jinja2", "docx", "PIL")


def serve(settings: Path | None = None, **given: Any) -> None:
    """Serve until interrupted."""
    writers: list[str] = given.pop("writers", None) or []
    named = dict(_named(entry) for entry in writers) or None
    lists = {name: value for name, value in given.items() if value not in (None, [])}
    chosen = read_settings(lists | ({"writers": named} if named else {}), settings)
    for package in _PACKAGES:
        require(package)
    from longsum.service.api.app import run
    from longsum.service.reader.routes import router

    run(chosen, lambda address: tell(f"longsum serves at {address}"), [router])


def _named(entry: str) -> tuple[str, str]:
    name, equals, where = entry.partition("=")
    if not (name and equals and where):
        raise LongsumError("--writers takes NAME=FOLDER or NAME=ADDRESS, once for each writer.")
    return name, where


def _options() -> list[Parameter]:
    """Return an option for each setting of the schema."""
    made = []
    defaults = Settings()
    for name, (kind, meaning) in described().items():
        flag = f"--{name.replace('_', '-')}"
        flags = f"{flag}/--no-{flag[2:]}" if kind is bool else flag
        option = typer.Option(flags, help=f"{meaning}{_shown(getattr(defaults, name))}")
        annotation: Any = Annotated[list[str] if kind in MANY else kind, option]
        made.append(Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation))
    return made


def _shown(default: Any) -> str:
    if isinstance(default, bool) or not isinstance(default, str | int | float):
        return ""
    value = default if isinstance(default, str) else f"{default:.12g}"
    return f"  [default: {value}]"


_FILE = Annotated[
    Path | None, typer.Option("--settings", metavar="FILE", help="File of settings, in YAML.")
]
_parameters = [
    Parameter("settings", Parameter.KEYWORD_ONLY, default=None, annotation=_FILE),
    *_options(),
]
serve.__signature__ = Signature(_parameters)  # type: ignore[attr-defined]
serve.__annotations__ = {each.name: each.annotation for each in _parameters}
COMMAND = Command(serve, "Serve summaries over HTTP.", EXAMPLES, help=ABOUT)
