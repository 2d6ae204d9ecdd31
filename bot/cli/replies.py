"""Replies at a terminal, laid out alike by every command, and talks of several questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from audit.errors import AuditError
from audit.record import Decision
from audit.values import Channel, CitationRecord, ClaimKind, ClaimLine, ClaimRecord, Status
from bot import wording
from bot.access.people import Person
from bot.answering.citations.layout import (
    BULLET,
    CitedPlace,
    Page,
    cited_by_line,
    has_lines,
    numbered,
    page_of,
    places_in_words,
)
from bot.answering.citations.links import CitedLinks, own_link
from bot.answering.followups import recalled
from bot.answering.outcome import Outcome, reviewed
from bot.answering.reply import disagreements, reply_text, when_it_holds
from bot.answering.values import Question
from bot.cli.console import Terminal
from bot.errors import BotError
from bot.wiring import Container
from bot.wiring.container import pages_at
from bot.wording.links import links_in
from bot.wording.untrusted_text import in_one_line
from retrieval.errors import RetrievalError

COLOURS = {Decision.ANSWER: "green", Decision.PARTIAL: "yellow", Decision.ABSTAIN: "red"}


def render(outcome: Outcome, base: str = "") -> RenderableType:
    """The decision, sentences with numbered sources, what is missing; pages stand at `base`."""
    verdict = outcome.verdict
    by_whom = reviewed(verdict.reasons, outcome.claims)
    links = CitedLinks(base, outcome.audit_id)
    body: list[RenderableType] = []
    if outcome.own_rule_in_private:
        body += [Text(wording.OWN_RULE_IN_PRIVATE, style="magenta"), Text()]
    body += _understood(outcome)
    if outcome.decision is Decision.ABSTAIN:
        body.append(Text(_without_badge(outcome, reply_text(outcome, links))))
    else:
        body += [
            *([Text(by_whom, style="green")] if by_whom else []),
            *(Text(said, style="yellow") for said in [when_it_holds(outcome)] if said),
            *_claims(outcome.claims),
            Text(),
            *_sources(outcome.claims, links),
        ]
        body += [
            Text(line, style="yellow")
            for line in wording.caveats(
                verdict.badge,
                answered=verdict.answered,
                missing=verdict.missing,
                unsure=outcome.unsure,
                reasons=verdict.reasons,
            )
        ]
        body += [Text(line, style="yellow") for line in disagreements(outcome, links)]
        if outcome.owners and outcome.decision is Decision.PARTIAL:
            body.append(Text(wording.ask_whom(outcome.owners)))
        body += [Text(line, style="magenta") for line in outcome.degraded]
    if outcome.upcoming and not outcome.is_as_of:
        body.append(Text(wording.upcoming_offer(outcome.upcoming.day), style="magenta"))
    if outcome.more_in_private and not outcome.own_rule_in_private:
        body.append(Text(wording.MORE_IN_PRIVATE, style="magenta"))
    return Panel(
        Group(*body),
        title=Text(wording.BADGES[outcome.shown_as], style="bold"),
        subtitle=Text(_aside(outcome), style="dim"),
        border_style=COLOURS[outcome.decision],
        title_align="left",
        subtitle_align="right",
    )


def _aside(outcome: Outcome) -> str:
    overall = outcome.verdict.confidence.overall
    sure = f"{overall:.0%} sure" if outcome.verdict.claims and overall is not None else ""
    said = (f"audit {outcome.audit_id}", sure, f"{outcome.latency_ms} ms")
    return " · ".join(filter(None, said))


def _without_badge(outcome: Outcome, text: str) -> str:
    """The badge stands above already."""
    badge = wording.BADGES[outcome.shown_as]
    return text.removeprefix(badge).lstrip(".: \n")


def _understood(outcome: Outcome) -> list[Text]:
    meant = wording.understood(outcome.question.text, outcome.evidence.query)
    return [Text(f"{wording.UNDERSTOOD}: {meant}", style="dim")] if meant else []


def _claims(claims: Sequence[ClaimRecord]) -> list[RenderableType]:
    numbers = numbered(page_of(each) for claim in claims for each in claim.citations)
    lines: list[RenderableType] = []
    for kind, some in groupby(claims, key=lambda claim: claim.kind):
        if kind is ClaimKind.INFERENCE:
            lines.append(Text(f"{wording.CONCLUDED}:", style="italic"))
        for claim in some:
            lines += _claim(claim, numbers, alone=len(claims) == 1)
    return lines


def _claim(claim: ClaimRecord, numbers: Mapping[Page, int], *, alone: bool) -> list[RenderableType]:
    because = wording.because(claim.reasoning)
    why = [Text(because, style="italic")] if because else []
    cited = [numbers[page_of(each)] for each in claim.citations]
    if has_lines(claim, alone=alone):
        marked = zip(claim.lines, map(_marks, cited_by_line(claim.lines, cited)), strict=True)
        return [*(_line(line, each) for line, each in marked), *why]
    line = Text()
    if claim.status is Status.UNSUPPORTED:
        line.append(wording.UNSUPPORTED_MARK, style="bold yellow")
    line.append(in_one_line(claim.text))
    return [line.append(_marks(cited)), *why]


def _line(line: ClaimLine, marks: Text) -> RenderableType:
    """An item stands in from its number, over as many lines as the terminal needs."""
    text = Text(in_one_line(line.text)).append(marks)
    if not line.in_list:
        return text
    mark = BULLET if line.number is None else f"{line.number}."
    row = Table.grid(padding=(0, 1, 0, 0))
    row.add_column(justify="right", min_width=4 * (1 + line.depth))
    row.add_row(Text(mark), text)
    return row


def _marks(cited: Sequence[int]) -> Text:
    return Text("".join(f" [{number}]" for number in dict.fromkeys(cited)), style="cyan")


def _sources(claims: Sequence[ClaimRecord], links: CitedLinks) -> list[Text]:
    """With the addresses at which the first cited place of each opens: our page, the document."""
    linked = [
        f"{wording.LINKED}: {link.label} <{link.url}>"
        for claim in claims
        for link in links_in(claim.text, (citation.quote for citation in claim.citations))
    ]
    cited = [each for claim in claims for each in claim.citations]
    numbers = numbered(map(page_of, cited))
    first: dict[Page, tuple[str, str]] = {}
    for number, claim in enumerate(claims):
        for at, each in enumerate(claim.citations):
            opens = links.of_citation(number, at), own_link(each)
            first.setdefault(page_of(each), opens)
    lines = []
    for page, number in numbers.items():
        places = _places([each for each in cited if page_of(each) == page])
        lines.append(Text(f"[{number}] {places}", style="dim"))
        lines += [
            Text(f"    {address}", style=f"dim link {address}")
            for address in filter(None, first[page])
        ]
    return [*lines, *(Text(each, style="dim") for each in dict.fromkeys(linked))]


def _places(cited: Sequence[CitationRecord]) -> str:
    """`cited`: of one page or passage, one at least."""
    where = places_in_words(
        (CitedPlace(each.place, each.references) for each in cited), cited[0].file
    )
    kind = wording.document_kind(cited[0].subtype, cited[0].level)
    also = f"{wording.ALSO_IN} " if all(each.also for each in cited) else ""
    return also + " · ".join(filter(None, (where, in_one_line(kind))))


def reply_to(container: Container, question: Question) -> RenderableType:
    return render(container.answering(question), pages_at(container.settings))


@dataclass(frozen=True, slots=True)
class Talk:
    container: Container
    person: Person | None
    on: date
    channel: str | None = None
    previous: tuple[str, ...] = ()
    place: Channel | None = None

    def until_the_end(self) -> None:
        """Read questions until a word that ends it, or the input ends; an error is said."""
        console = Terminal()
        console.print()
        console.print(wording.talk_begins(self.person.name if self.person else None))
        previous = self.previous
        while True:
            try:
                text = console.input(Text("> ", style="bold")).strip()
            except (EOFError, KeyboardInterrupt):
                console.print()
                return
            if text.casefold() in wording.ENDS_A_TALK:
                return
            if not text:
                continue
            try:
                asked = Question(text, self.person, self.on, self.channel, previous, self.place)
                console.print(reply_to(self.container, asked))
            except (BotError, RetrievalError, AuditError) as error:
                console.print(str(error), style="red")
            previous = recalled((*previous, text))
