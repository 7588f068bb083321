"""The template in a model's folder that determines how a conversation is written.

A template is a program from somebody else. It is run once, on placeholders, in a separate process
that has no rights and ends after seconds; only the text that it puts around them is kept. The text
of documents never goes through it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from longsum.common.errors import LongsumError
from longsum.documents.readers.isolation.bounds import bound, confine, drop_privileges, end_with
from longsum.writers.calls import Message

_SYSTEM, _USER = "longsumsystemtext", "longsumusertext"
_SECONDS = 2.0
_MEMORY = 256 << 20
_LONGEST = 100_000
"""Maximum characters of a conversation with placeholders, most of which are in every call."""
_WAIT = 60.0
"""Seconds after which a process that has not even started is given up."""
_PROGRAM = "from longsum.models.writing.chat_template import main; main()"
# Templates write the date into prompts; with that of today, summaries would change every day.
_DATE = "01 Jan 2025"


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """The template's text before, between and after the texts of a conversation.

    Attributes:
        before: The text before the first one.
        between: The text between the system's and the user's; None if there is no place for a
            system's text, which is then put before the user's.
        after: The text after the user's, where the model continues.
    """

    before: str
    between: str | None
    after: str

    def parts(self, messages: Sequence[Message]) -> Iterator[tuple[str, bool]]:
        """Yield the parts of a prompt, and whether each comes from the template."""
        system, user = (
            "\n\n".join(text for role, text in messages if role == speaker)
            for speaker in ("system", "user")
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
    """Return the text that a template puts around the texts of a conversation.

    Args:
        text: The template, in Jinja's language.
        special: The tokens that it may name, such as `bos_token`.
        name: The name of the model, for messages.

    Raises:
        LongsumError: It does not write a conversation of two texts, or takes too long.
    """
    for roles in ((("system", _SYSTEM), ("user", _USER)), (("user", _USER),)):
        code, rendered = _rendered_in_process(text, special, roles)
        if rendered is not None:
            template = _divided(rendered, [placeholder for _, placeholder in roles])
            if template is not None:
                return template
        if code < 0:
            # It was killed for taking too long, and would be again.
            break
    raise LongsumError(
        f"The chat template of '{name}' cannot be used; give another model, or serve this one and "
        "give the server's address."
    )


def _divided(rendered: str, texts: Sequence[str]) -> ChatTemplate | None:
    """Return the text around others; None if one of them is missing, repeated or moved.

    Also None if the whole is too long, or is not valid text: half of a surrogate pair.
    """
    if len(rendered) > _LONGEST or any("\ud800" <= char <= "\udfff" for char in rendered):
        return None
    if any(rendered.count(text) != 1 for text in texts):
        return None
    before, _, rest = rendered.partition(texts[0])
    if len(texts) == 1:
        return ChatTemplate(before, None, rest)
    between, second, after = rest.partition(texts[1])
    return ChatTemplate(before, between, after) if second else None


def _rendered_in_process(
    text: str, special: dict[str, str], roles: Sequence[tuple[str, str]]
) -> tuple[int, str | None]:
    """Return the exit status of a process that renders messages, and the rendered text."""
    messages = [{"role": role, "content": content} for role, content in roles]
    request = json.dumps({"template": text, "messages": messages, "special": special})
    # Nothing of the environment except where Python finds its modules.
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-B", "-c", _PROGRAM, str(os.getpid())],
            input=request.encode(),
            capture_output=True,
            env=environment,
            timeout=_WAIT,
            check=False,
        )
        return done.returncode, str(json.loads(done.stdout)) if done.returncode == 0 else None
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return 1, None


def main() -> None:
    """Render the template from standard input, without any rights, and print the result."""
    end_with(int(sys.argv[1]))
    environment = _environment()
    request: dict[str, Any] = json.loads(sys.stdin.buffer.read())
    bound(_MEMORY, _SECONDS)
    drop_privileges()
    confine()
    rendered = environment.from_string(request["template"]).render(
        messages=request["messages"],
        add_generation_prompt=True,
        enable_thinking=False,
        tools=None,
        **request["special"],
    )
    sys.stdout.write(json.dumps(rendered))
    sys.stdout.flush()
    os._exit(0)


def _environment() -> Any:
    """Return Jinja's sandbox with the extensions that templates of models expect."""
    from jinja2 import nodes
    from jinja2.exceptions import TemplateError
    from jinja2.ext import Extension, loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(Extension):
        """Accepts `{% generation %}`, which marks the text that a model learns to write."""

        tags = {"generation"}  # noqa: RUF012 - what Jinja reads

        def parse(self, parser: Any) -> Any:
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return nodes.Scope(body).set_lineno(line)

    def refuse(message: object) -> None:
        raise TemplateError(str(message))

    sandbox = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols, Generation]
    )
    sandbox.filters["tojson"] = lambda value, indent=None: json.dumps(
        value, ensure_ascii=False, indent=indent
    )
    sandbox.globals |= {"raise_exception": refuse, "strftime_now": lambda _: _DATE}
    return sandbox
