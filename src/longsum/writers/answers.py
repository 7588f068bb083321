"""What a chat endpoint answers, whole or as a stream of parts."""

from typing import Any, TypeGuard

from longsum.common.checked_settings import LARGEST
from longsum.common.structured_text import parse_json
from longsum.writers.calls import CallError, Reply


class TryAgainError(CallError):
    """A call that may succeed when it is made again.

    Attributes:
        after: The seconds that the server asks to wait; None if it does not say.
    """

    def __init__(self, reason: str, after: float | None = None) -> None:
        super().__init__(reason)
        self.after = after


def is_size(value: Any) -> TypeGuard[int]:
    """Return whether a value is a number of tokens that a model may have."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST


def reply_of(answer: str) -> Reply:
    """Return the reply that an answer holds.

    Raises:
        CallError: It holds none.
    """
    try:
        said = _joined(answer) if is_streamed(answer) else parse_json(answer)
        choice = said["choices"][0]
        text = choice["message"]["content"]
        reason, usage = choice.get("finish_reason"), said.get("usage") or {}
        counts = usage.get("prompt_tokens"), usage.get("completion_tokens")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        raise CallError("the server's answer is no chat completion") from None
    if text is not None and not isinstance(text, str):
        raise CallError("the server's answer has no text")
    read, wrote = (each if is_size(each) else None for each in counts)
    return Reply(text or "", reason != "length", read, wrote)


def is_streamed(answer: str) -> bool:
    """Return whether an answer comes in parts."""
    return answer.startswith(("data:", "event:", ":"))


def _joined(answer: str) -> Any:
    """Return the completion whose parts a stream holds.

    Raises:
        ValueError: A part is no JSON.
        CallError: The stream ends before the answer does, or with an error.
    """
    text, reason, usage, ended = "", None, None, False
    for line in answer.splitlines():
        field, _, data = line.partition(":")
        if field != "data" or not data.strip():
            continue
        if data.strip() == "[DONE]":
            ended = True
            continue
        part = parse_json(data)
        if "error" in part:
            raise TryAgainError("the server broke off its answer")
        usage = part.get("usage") or usage
        for choice in part["choices"][:1]:
            text += (choice.get("delta") or {}).get("content") or ""
            reason = choice.get("finish_reason") or reason
    if reason is None and not ended:
        raise TryAgainError("the answer ends before its end")
    return {"choices": [{"message": {"content": text}, "finish_reason": reason}], "usage": usage}
