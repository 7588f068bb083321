"""The JSON Schemas in `docs/schema`, against which results are validated."""

import json
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

FOLDER = Path(__file__).parents[2] / "docs" / "schema"
SCHEMAS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.iterdir()}


@cache
def schema(name: str) -> Draft202012Validator:
    """Return a validator for a schema, which may refer to others by id or file name."""
    found = SCHEMAS[name]
    Draft202012Validator.check_schema(found)
    registry: Registry = Registry()
    for other, content in SCHEMAS.items():
        resource = Resource.from_contents(content)
        beside = f"{found['$id'].rpartition('/')[0]}/{other}.json"
        registry = registry.with_resources([(content["$id"], resource), (beside, resource)])
    return Draft202012Validator(found, registry=registry)
