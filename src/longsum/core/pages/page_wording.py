"""Wording of counts, lengths and finish reasons on pages."""

from longsum.common.wording import counted as counted
from longsum.core.summaries import FinishReason, Summary
from longsum.core.summaries.budget import Budget

FINISH_NOTES: dict[FinishReason, str] = {
    "budget": "no further sentence fits",
    "document": "it contains the whole text",
    "nothing_fits": "no sentence is short enough to fit",
    "model_end": "the model had no more to say",
    "model_limit": "the model can write no more",
    "complete": "what is left and fits would only fill the length",
}
"""Descriptions of finish reasons."""


def length_name(budget: Budget) -> str:
    """Return a length in words: `250 words`, `1 sentence`, `8%`."""
    if budget.unit == "percent":
        return f"{budget.amount:g}%"
    return counted(budget.amount, budget.unit.removesuffix("s"))


def length_label(summary: Summary) -> str:
    """Return the name of a length and the length reached: `250 words · 247 reached`."""
    asked, unit = length_name(summary.budget), summary.budget.unit
    if unit == "words":
        return f"{asked} · {summary.words:,} reached"
    words = counted(summary.words, "word")
    if unit == "percent":
        return f"{asked} · {summary.reached:.3g}% reached, {words}"
    return f"{asked} · {summary.reached:,g} reached, {words}"
