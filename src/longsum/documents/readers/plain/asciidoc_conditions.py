"""What conditions and attributes of AsciiDoc say of the lines between them.

AsciiDoc Language Documentation (Eclipse), "Preprocessor Directives", "Attribute Entries".
"""

import re
from collections.abc import Iterator, Sequence

from longsum.documents.builder import DocumentBuilder

ATTRIBUTE = re.compile(
    r":(?P<unset>!)?(?P<name>\w[\w -]{0,60})(?P<off>!)?:(?:\s+(?P<value>.*))?\s*"
)
"""An attribute entry: `:name: value`, and `:!name:` to unset it."""
_DIRECTIVE = re.compile(
    r"(?P<name>ifdef|ifndef|ifeval|endif|include)::(?P<target>[^\[\]]{0,300})\[(?P<text>.*)\]\s*"
)


def without_conditions(
    lines: Sequence[str], attributes: dict[str, str], builder: DocumentBuilder
) -> Iterator[str]:
    """Yield the lines whose conditions are met, without directives.

    Nothing is included, and no expression is evaluated: what depends on one stays.

    Args:
        lines: The lines of the document.
        attributes: Filled with the attributes that its entries define.
        builder: Takes what is left out.
    """
    # Whether each open condition is met, the innermost last.
    met: list[bool] = []
    left: list[str] = []
    for line in lines:
        found = _DIRECTIVE.fullmatch(line)
        if found is None:
            if not all(met):
                left.append(line)
                continue
            _note(line, attributes)
            yield line
        elif found["name"] == "include":
            if all(met):
                builder.omit("included file", line)
        elif found["name"] == "endif":
            if met:
                met.pop()
            if left and all(met):
                builder.omit("conditional passage", "\n".join(left))
                left = []
        else:
            holds = found["name"] == "ifeval" or _holds(found, attributes)
            if found["name"] == "ifeval" or not found["text"]:
                met.append(holds)
            elif holds and all(met):
                yield found["text"]
            else:
                builder.omit("conditional passage", found["text"])
    if left:
        builder.omit("conditional passage", "\n".join(left))


def _holds(condition: re.Match[str], attributes: dict[str, str]) -> bool:
    """Return whether attributes are defined: all of `a+b`, one of `a,b`; for `ifndef` not."""
    target = condition["target"].strip()
    joined = all if "+" in target else any
    defined = joined(name.strip() in attributes for name in re.split(r"[+,]", target))
    return defined == (condition["name"] == "ifdef")


def _note(line: str, attributes: dict[str, str]) -> None:
    entry = ATTRIBUTE.fullmatch(line)
    if entry is None:
        return
    if entry["unset"] or entry["off"]:
        attributes.pop(entry["name"], None)
    else:
        attributes[entry["name"]] = (entry["value"] or "").strip()
