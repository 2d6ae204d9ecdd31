"""Replies for people at a terminal."""

from collections.abc import Iterator, Sequence
from itertools import count, groupby

from rich.console import Group, RenderableType
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
        body += [*_understood(reply), *_claims(reply.claims), Text(), *_sources(reply.claims)]
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
    if reply.more_in_private:
        body.append(Text(wording.MORE_IN_PRIVATE, style="magenta"))
    return Panel(
        Group(*body),
        title=_title(reply),
        subtitle=Text(f"audit {reply.audit_id} · {reply.latency_ms} ms", style="dim"),
        border_style=COLOURS[reply.decision],
        title_align="left",
        subtitle_align="right",
    )


def _title(reply: Reply) -> Text:
    title = Text(reply.decision.value, style="bold")
    if reply.decision is not Decision.ABSTAIN:
        title.append(f" · {reply.confidence.overall:.0%} sure", style="not bold")
    return title


def _understood(reply: Reply) -> list[Text]:
    """An abstention says what it looked for anyhow."""
    meant = wording.understood(reply.question, reply.standalone_question)
    return [Text(f"{wording.UNDERSTOOD}: {meant}", style="dim")] if meant else []


def _claims(claims: Sequence[Claim]) -> list[Text]:
    numbers = count(1)
    lines = []
    for kind, some in groupby(claims, key=lambda claim: claim.kind):
        if kind is ClaimKind.INFERENCE:
            lines.append(Text(f"{wording.CONCLUDED}:", style="italic"))
        lines += [line for claim in some for line in _claim(claim, numbers)]
    return lines


def _claim(claim: Claim, numbers: Iterator[int]) -> list[Text]:
    """With the numbers of its citations, and how it follows where it was concluded."""
    line = Text()
    if claim.status is Status.UNSUPPORTED:
        line.append(wording.UNSUPPORTED_MARK, style="bold yellow")
    line.append(claim.text)
    for _ in claim.citations:
        line.append(f" [{next(numbers)}]", style="cyan")
    because = wording.because(claim.reasoning)
    return [line, Text(because, style="italic")] if because else [line]


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
