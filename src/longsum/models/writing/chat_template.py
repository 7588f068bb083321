"""The template by which a model's folder says how a conversation is written.

A template is a program of somebody else's. It is run once, on placeholders, in a process apart that
may use nothing and ends after seconds; what it puts around them is kept. The text of documents
never goes through it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from longsum.common.errors import LongsumError
from longsum.documents.readers.isolation.bounds import bound, confine, end_with, give_up_rights
from longsum.writers.calls import Message

_SYSTEM, _USER = "longsumsystemtext", "longsumusertext"
_SECONDS = 2.0
_MEMORY = 256 << 20
_LONGEST = 100_000
"""Characters of a conversation with placeholders; tokens of every call are made of them."""
_WAIT = 60.0
"""Seconds until a process that cannot even start is given up."""
_PROGRAM = "from longsum.models.writing.chat_template import main; main()"
# Templates write the date into prompts, and then a summary would be another one each day.
_DATE = "01 Jan 2025"


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """What stands before, between and after the texts of a conversation.

    Attributes:
        before: What stands before the first text.
        between: What stands between the system's text and the user's; None where there is no place
            for a system's text, which then opens the user's.
        after: What stands after the user's text, where the model goes on.
    """

    before: str
    between: str | None
    after: str

    def parts(self, messages: Sequence[Message]) -> Iterator[tuple[str, bool]]:
        """Yield the parts of a prompt, and whether each is of the template."""
        system, user = (
            "\n\n".join(text for role, text in messages if role == asked)
            for asked in ("system", "user")
        )
        yield self.before, True
        if self.between is None:
            yield f"{system}\n\n{user}", False
        else:
            yield system, False
            yield self.between, True
            yield user, False
        yield self.after, True


def read_template(text: str, special: dict[str, str], name: str) -> ChatTemplate:
    """Return what a template puts around texts.

    Args:
        text: The template, in Jinja's language.
        special: The tokens that it may name, such as `bos_token`.
        name: What the model is called, for messages.

    Raises:
        LongsumError: It does not write a conversation of two texts, or takes too long.
    """
    for roles in ((("system", _SYSTEM), ("user", _USER)), (("user", _USER),)):
        code, rendered = _rendered_apart(text, special, roles)
        if rendered is not None and (found := _divided(rendered, [each for _, each in roles])):
            return found
        if code < 0:
            # It went on for too long, and would again.
            break
    raise LongsumError(
        f"The chat template of '{name}' cannot be used; give another model, or serve this one and "
        "give the server's address."
    )


def _divided(rendered: str, texts: Sequence[str]) -> ChatTemplate | None:
    """Return what stands around texts; None if one of them is missing, twice there or moved.

    None too for what is too long, or no text: half of a surrogate pair.
    """
    if len(rendered) > _LONGEST or any("\ud800" <= each <= "\udfff" for each in rendered):
        return None
    if any(rendered.count(each) != 1 for each in texts):
        return None
    before, _, rest = rendered.partition(texts[0])
    if len(texts) == 1:
        return ChatTemplate(before, None, rest)
    between, found, after = rest.partition(texts[1])
    return ChatTemplate(before, between, after) if found else None


def _rendered_apart(
    text: str, special: dict[str, str], roles: Sequence[tuple[str, str]]
) -> tuple[int, str | None]:
    """Return the status of a process that renders messages, and what it makes of them."""
    messages = [{"role": role, "content": content} for role, content in roles]
    asked = json.dumps({"template": text, "messages": messages, "special": special})
    # Nothing of the environment but where Python finds its modules.
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-B", "-c", _PROGRAM, str(os.getpid())],
            input=asked.encode(),
            capture_output=True,
            env=environment,
            timeout=_WAIT,
            check=False,
        )
        return done.returncode, str(json.loads(done.stdout)) if done.returncode == 0 else None
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return 1, None


def main() -> None:
    """Render the template that standard input holds, with no rights, and write what it makes."""
    end_with(int(sys.argv[1]))
    environment = _environment()
    asked: dict[str, Any] = json.loads(sys.stdin.buffer.read())
    bound(_MEMORY, _SECONDS)
    give_up_rights()
    confine()
    rendered = environment.from_string(asked["template"]).render(
        messages=asked["messages"],
        add_generation_prompt=True,
        enable_thinking=False,
        tools=None,
        **asked["special"],
    )
    sys.stdout.write(json.dumps(rendered))
    sys.stdout.flush()
    os._exit(0)


def _environment() -> Any:
    """Return Jinja's sandbox with what templates of models expect."""
    from jinja2 import nodes
    from jinja2.exceptions import TemplateError
    from jinja2.ext import Extension, loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(Extension):
        """Reads `{% generation %}`, which marks what a model learns to write."""

        tags = {"generation"}  # noqa: RUF012 - what Jinja reads

        def parse(self, parser: Any) -> Any:
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return nodes.Scope(body).set_lineno(line)

    def refuse(message: object) -> None:
        raise TemplateError(str(message))

    made = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols, Generation]
    )
    made.filters["tojson"] = lambda value, indent=None: json.dumps(
        value, ensure_ascii=False, indent=indent
    )
    made.globals |= {"raise_exception": refuse, "strftime_now": lambda _: _DATE}
    return made
