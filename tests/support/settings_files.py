import json
from pathlib import Path
from typing import Any


def change(path: Path, **settings: Any) -> None:
    """Change settings in a file; those that are dicts are merged into what is there."""

    def merged(old: Any, new: Any) -> Any:
        if not isinstance(old, dict) or not isinstance(new, dict):
            return new
        return {**old, **{name: merged(old.get(name), value) for name, value in new.items()}}

    old = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps(merged(old, settings)))
