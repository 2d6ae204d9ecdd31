"""Who asks in a terminal or a script learns where the cited documents are read."""

import json
from dataclasses import replace
from typing import Any

import pytest
from answering_values import an_outcome, passage
from rich.console import Console

from audit.record import Confidence, Decision
from audit.values import ClaimKind, Prevails, Status
from bot.answering.as_json import outcome_as_json
from bot.answering.outcome import Outcome
from bot.answering.quoting import Quotation
from bot.answering.values import Citation, Claim, Contradiction, Verdict
from bot.cli.replies import render
from retrieval.types import Metadata

SURE = Confidence(0.9, 1.0, 0.9, None, 0.9)
SAFE = "https://docs.example.org/leave.pdf"
UNSAFE = [
    "javascript:alert(1)",
    "https://docs.example.org@evil.example/x",
    "https://user:secret@docs.example.org/x",
    "file:///etc/passwd",
    "docs/leave.md",
    "https://docs.example.org/a b",
    "https://docs.example.org/\x1b]8;;",
    "https://docs.example.org/\u202egpj",
]


def outcome_with(link: str, page: int | None = None) -> Outcome:
    """An answer that cites, contradicts and comes near documents with this link."""
    known = passage("leave", "You earn 6 hours.", metadata=Metadata(link=link))
    sentences = tuple(replace(each, page=page) for each in known.sentences)
    cited = Citation(replace(known, sentences=sentences), 0, 0, Status.VERIFIED, 1.0)
    claim = Claim("You earn 6 hours.", Status.VERIFIED, ClaimKind.CITED, (cited,), 1.0)
    against = (Contradiction(cited, cited, ("6 / 7",), Prevails.NEWER),)
    verdict = Verdict(Decision.ANSWER, (claim,), (claim,), (), SURE, (), contradictions=against)
    return replace(an_outcome(verdict), nearest=(Quotation(cited.passage, 0, 0),))


def as_json(outcome: Outcome) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(json.dumps(outcome_as_json(outcome)))
    return said


def printed(outcome: Outcome, pages: str = "") -> str:
    console = Console(width=120)
    with console.capture() as captured:
        console.print(render(outcome, pages))
    return captured.get()


def test_a_script_reads_where_each_citation_and_what_came_near_can_be_opened() -> None:
    said = as_json(outcome_with(SAFE))
    [claim], [near], [found] = said["claims"], said["nearest"], said["contradictions"]
    assert claim["citations"][0]["link"] == SAFE
    assert near["link"] == SAFE
    assert found["against"]["link"] == SAFE


def test_of_a_pdf_the_link_leads_to_the_page() -> None:
    [claim] = as_json(outcome_with(SAFE, page=3))["claims"]
    assert claim["citations"][0]["link"] == f"{SAFE}#page=3"


def test_the_address_of_a_source_stands_below_it_in_a_terminal() -> None:
    lines = [line.strip("│ ") for line in printed(outcome_with(SAFE)).splitlines()]
    source = next(n for n, line in enumerate(lines) if line.startswith("[1] "))
    assert lines[source + 1] == SAFE
    ours = "http://127.0.0.1:8089"
    both = [line.strip("│ ") for line in printed(outcome_with(SAFE), ours).splitlines()]
    assert both[source + 1 : source + 3] == [f"{ours}/cited/id/1-1", SAFE]


@pytest.mark.parametrize("link", ["", *UNSAFE])
def test_a_link_that_leads_elsewhere_than_it_seems_to_is_told_nowhere(link: str) -> None:
    outcome = outcome_with(link)
    said = as_json(outcome)
    [claim], [near] = said["claims"], said["nearest"]
    assert (claim["citations"][0]["link"], near["link"]) == ("", "")
    assert not link or json.dumps(link)[1:-1] not in json.dumps(said)
    assert printed(outcome) == printed(outcome_with(""))
