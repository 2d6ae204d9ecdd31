"""Who asks in a terminal or a script learns where the cited documents are read."""

import json
from dataclasses import replace
from typing import Any

import pytest
from answering_values import an_outcome, answering, cites, claimed, passage
from shown import printed

from audit.values import Prevails
from bot.answering.as_json import outcome_as_json
from bot.answering.outcome import Outcome
from bot.answering.quoting import Quotation
from bot.answering.values import Contradiction
from retrieval.types import Metadata

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
    cited = cites(replace(known, sentences=sentences))
    claim = claimed("You earn 6 hours.", cited)
    against = (Contradiction(cited, cited, ("6 / 7",), Prevails.NEWER),)
    verdict = answering(claim, dropped=(claim,), contradictions=against)
    return replace(an_outcome(verdict), nearest=(Quotation(cited.passage, 0, 0),))


def as_json(outcome: Outcome) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(json.dumps(outcome_as_json(outcome)))
    return said


@pytest.mark.parametrize(("page", "link"), [(None, SAFE), (3, f"{SAFE}#page=3")])
def test_a_script_reads_where_each_citation_and_what_came_near_can_be_opened(
    page: int | None, link: str
) -> None:
    said = as_json(outcome_with(SAFE, page))
    [claim], [near], [found] = said["claims"], said["nearest"], said["contradictions"]
    links = [each["link"] for each in (claim["citations"][0], near, found["against"])]
    assert links == [link] * 3


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
