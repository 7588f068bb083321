"""Separate summaries of several documents, each with its share of the length, in sequence."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from time import perf_counter

from longsum.common.wording import counted
from longsum.core.recursive.parts import apportion
from longsum.core.summaries import Budget, Notice, Summary, SummarySentence
from longsum.core.summaries.by_document import CoverageByDocument
from longsum.core.systems.system import Request
from longsum.documents.dossier import Dossier, Member
from longsum.dossiers.members import OfMembers, dossier_of, notices_of_members, requests, shares
from longsum.language.repeats import Repetitions

_SENTENCE = 30
"""Minimum words or tokens for a document, if the minimums of all fit in half of the length."""


class Separately(OfMembers):
    """Summarizes each document with its share, for systems whose sentences cannot be ranked.

    Documents with the smallest shares come first, and what one leaves unused goes to the next.
    Sentences that repeat an earlier one are left out.
    """

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        """Summarize each document at every length."""
        worth = shares(dossier_of(request), request.focus)
        for budget in budgets:
            yield self._at(replace(request, budget=budget), worth)

    def _at(self, request: Request, worth: Sequence[float]) -> Summary:
        began, dossier = perf_counter(), dossier_of(request)
        left = request.budget.absolute(dossier)
        most, count = int(left.amount), len(worth)
        least = 1 if left.unit == "sentences" else min(_SENTENCE, most // (2 * count))
        rooms = apportion(most, worth, max(least, 1))
        asked = list(requests(request))
        made: list[Summary | None] = [None] * count
        chosen: list[Sequence[SummarySentence]] = [()] * count
        carried = repeated = 0
        for place in sorted(range(count), key=lambda at: (worth[at], at)):
            room = rooms[place] + carried
            if room < 1:
                continue
            budget = replace(left, amount=room)
            (own,) = self._systems[place].lengths(replace(asked[place], budget=budget), [budget])
            sentences = () if own.finish_reason == "nothing_fits" else own.sentences
            made[place], chosen[place] = own, _new(sentences, list(chain(*chosen)))
            repeated += len(sentences) - len(chosen[place])
            carried = room - sum(budget.cost(sentence.text) for sentence in chosen[place])
        notices = [Notice("document", warning) for warning in dossier.warnings]
        if repeated:
            some = counted(repeated, "sentence")
            text = f"Left out, as another document says the same: {some}."
            notices.append(Notice("repetition", text))
        notices += notices_of_members(dossier, [each.notices if each else () for each in made])
        # All end for the same reason, or because nothing more fits.
        ends = {each.finish_reason for each in made if each}
        return Summary(
            document=dossier,
            sentences=_in_order(dossier, chosen),
            budget=request.budget,
            coverage=CoverageByDocument.of_members(
                dossier, [each.coverage if each else None for each in made]
            ),
            system=self.name,
            settings=self.settings | request.named_focus,
            seed=request.seed,
            finish_reason=ends.pop() if len(ends) == 1 else "budget",
            notices=tuple(notices),
            timings={"summarize": perf_counter() - began},
        )


def _new(
    found: Sequence[SummarySentence], before: Sequence[SummarySentence]
) -> list[SummarySentence]:
    """Return the sentences that do not repeat an earlier one."""
    repetitions = Repetitions([sentence.text for sentence in (*before, *found)])
    first = range(len(before))
    return [
        sentence
        for place, sentence in enumerate(found, start=len(before))
        if not any(repetitions.are_alike(place, other) for other in first)
    ]


def _in_order(
    dossier: Dossier, chosen: Sequence[Sequence[SummarySentence]]
) -> tuple[SummarySentence, ...]:
    """Return the sentences document by document, with positions in the dossier."""
    found: list[SummarySentence] = []
    for member, own in zip(dossier.members, chosen, strict=True):
        for sentence in own:
            found.append(_lifted(sentence, dossier, member, len(found)))
    return tuple(found)


def _lifted(
    sentence: SummarySentence, dossier: Dossier, member: Member, step: int
) -> SummarySentence:
    """Return a sentence with its positions mapped to the dossier."""
    doubts = tuple(
        doubt
        if doubt.sentence is None
        else replace(
            doubt,
            sentence=member.sentences[doubt.sentence],
            where=doubt.where or f"{member.name}, sentence {doubt.sentence + 1},",
        )
        for doubt in sentence.doubts
    )
    return replace(sentence.lifted(dossier, member.sentences, step), doubts=doubts)
