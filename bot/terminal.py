"""Replies for people at a terminal."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.text import Text

from audit.record import ClaimKind, Decision, Status
from bot import wording
from bot.answering.reply import disagreements
from bot.answering.values import Citation, Claim, Reply
from bot.links import links_in

COLOURS = {Decision.ANSWER: "green", Decision.PARTIAL: "yellow", Decision.ABSTAIN: "red"}


def render(reply: Reply) -> RenderableType:
    """A panel: the decision, the sentences with numbered sources, what is missing."""
    body: list[RenderableType] = []
    if reply.decision is Decision.ABSTAIN:
        body.append(Text(reply.text))
    else:
        body += [*_claims(reply.claims), Text(), *_sources(reply.claims)]
        body += [
            Text(line, style="yellow")
            for line in wording.caveats(
                partial=reply.decision is Decision.PARTIAL,
                answered=reply.answered,
                missing=reply.missing,
            )
        ]
        body += [
            Text(line, style="yellow")
            for line in disagreements(reply.contradictions, answered=True)
        ]
        if reply.owners and reply.decision is Decision.PARTIAL:
            body.append(Text(wording.ask_whom(reply.owners)))
        body += [Text(line, style="magenta") for line in reply.degraded]
    return Panel(
        Group(*body),
        title=_title(reply),
        subtitle=f"[dim]audit {escape(reply.audit_id)} · {reply.latency_ms} ms[/]",
        border_style=COLOURS[reply.decision],
        title_align="left",
        subtitle_align="right",
    )


def _title(reply: Reply) -> str:
    if reply.decision is Decision.ABSTAIN:
        return f"[bold]{reply.decision.value}[/]"
    return f"[bold]{reply.decision.value}[/] · {reply.confidence.overall:.0%} sure"


def _claims(claims: Sequence[Claim]) -> list[Text]:
    lines = []
    number = 0
    for claim in claims:
        line = Text()
        if claim.kind is ClaimKind.INFERENCE:
            line.append(wording.INFERENCE_MARK, style="italic")
        if claim.status is Status.UNSUPPORTED:
            line.append(wording.UNSUPPORTED_MARK, style="bold yellow")
        line.append(claim.text)
        for _ in claim.citations:
            number += 1
            line.append(f" [{number}]", style="cyan")
        lines.append(line)
    return lines


def _sources(claims: Sequence[Claim]) -> list[Text]:
    citations = [citation for claim in claims for citation in claim.citations]
    places = [place_in_words(citation) for citation in citations]
    linked = [
        f"{wording.LINKED}: {link.label} <{link.url}>"
        for claim in claims
        for link in links_in(claim.text, (citation.quote for citation in claim.citations))
    ]
    lines = [f"[{number}] {place}" for number, place in enumerate(places, start=1)]
    return [Text(each, style="dim") for each in (*lines, *dict.fromkeys(linked))]


def place_in_words(citation: Citation) -> str:
    """File, page and lines as a person would say them."""
    passage = citation.passage
    first = passage.sentences[citation.first]
    last = passage.sentences[citation.last]
    places = [passage.document.file]
    if first.page is not None:
        places.append(f"page {first.page}")
    if first.line_start is not None:
        one_line = last.line_end in (None, first.line_start)
        places.append(
            f"line {first.line_start}" if one_line else f"lines {first.line_start}-{last.line_end}"
        )
    if first.paragraph is not None:
        places.append(f"paragraph {first.paragraph}")
    section = " - ".join(passage.section_path)
    return f"{', '.join(places)} ({section})" if section else ", ".join(places)
