"""Responses of chat endpoints, complete or streamed."""

import re
from typing import Any, TypeGuard

from longsum.common.checked_settings import LARGEST
from longsum.common.structured_text import parse_json
from longsum.writers.calls import CallError, Reply

_DATA = re.compile(r"^data:(.*\S)", re.MULTILINE)


class TryAgainError(CallError):
    """A failed call that may succeed when retried.

    Attributes:
        after: Seconds to wait, as requested by the server; None if it does not say.
    """

    def __init__(self, reason: str, after: float | None = None) -> None:
        super().__init__(reason)
        self.after = after


def is_size(value: Any) -> TypeGuard[int]:
    """Return whether a value is a plausible number of tokens."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST


def is_streamed(answer: str) -> bool:
    """Return whether an answer is streamed."""
    return answer.startswith(("data:", "event:", ":"))


def reply_of(answer: str) -> Reply:
    """Return the reply in an answer.

    Raises:
        TryAgainError: It is streamed and ends early or with an error.
        CallError: It contains none.
    """
    streamed = is_streamed(answer)
    text, reason = "", None
    usage: dict[str, Any] = {}
    try:
        for data in _DATA.findall(answer) if streamed else [answer]:
            if data.strip() == "[DONE]":
                reason = reason or "stop"
                continue
            part = parse_json(data)
            if streamed and "error" in part:
                raise TryAgainError("the server broke off its answer")
            usage = part.get("usage") or usage
            for choice in part["choices"][:1] if streamed else [part["choices"][0]]:
                message = choice.get("delta") or {} if streamed else choice["message"]
                content = message.get("content") or ""
                if not isinstance(content, str):
                    raise CallError("the server's answer has no text")
                text += content
                reason = choice.get("finish_reason") or reason
        counts = usage.get("prompt_tokens"), usage.get("completion_tokens")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        raise CallError("the server's answer is not a chat completion") from None
    if streamed and reason is None:
        raise TryAgainError("the answer is cut off")
    read, wrote = (each if is_size(each) else None for each in counts)
    return Reply(text, reason != "length", read, wrote)
