"""Where links lead, where citations open, and how what is cited is numbered and named."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from answering_values import an_outcome, answering, cites, claimed, passage
from block_records import read
from hypothesis import given
from hypothesis import strategies as st
from shown import in_slack, printed, recorded
from vouch_home import write

from audit.record import AuditRecord
from audit.values import ClaimKind, ClaimLine, Prevails
from bot.answering.as_json import outcome_as_json
from bot.answering.outcome import Outcome
from bot.answering.quoting import Quotation
from bot.answering.reply import reply_text
from bot.answering.values import Claim, Contradiction
from bot.errors import BadConfiguration
from bot.slack.blocks.reply import reply
from bot.wiring.sources import groups_in
from bot.wording.links import LONGEST_ADDRESS, Link, at_page, host_of, links_in, names_another_host
from retrieval.metadata.access import EVERYBODY
from retrieval.metadata.ontology import load_ontology
from retrieval.remote.urls import nearest, source_url
from retrieval.types import Metadata

CARD = "https://example.org/card?lost=1"
TEXT = "If the card is lost, follow these instructions."


@pytest.mark.parametrize(
    "quote",
    [
        f"If the card is lost, [follow these\n  instructions]({CARD}).",
        f"If the card is lost, [follow *these* `instructions`]({CARD} 'Card').",
        f"If the card is lost, [follow these instructions](<{CARD}>).",
        f"If the card is lost, [~~follow~~ these instructions]({CARD}).",
        f"<p>If the card is lost,\n<a href='{CARD}'>follow\nthese instructions</a>.</p>",
        f'If the card is lost, <a class="x" href="{CARD}">follow <b>these</b> instructions</a>.',
        f"If the card is lost, <A HREF='{CARD}'>follow these instructions</A>.",
    ],
)
def test_the_words_of_a_link_are_shown_with_its_address(quote: str) -> None:
    found = Link("follow these instructions", CARD)
    assert links_in(TEXT, [quote]) == (found,)
    assert found.host == "example.org"


def test_the_same_address_is_shown_once() -> None:
    quote = f"[If the card]({CARD}) is lost, [follow these instructions]({CARD})."
    assert links_in(TEXT, [quote, quote]) == (Link("If the card", CARD),)


def test_the_host_of_a_link_is_named_in_ascii() -> None:
    assert host_of("https://ex\u0430mple.org/card") == "xn--exmple-4nf.org"
    assert names_another_host("example.org", "https://ex\u0430mple.org/card")
    assert not names_another_host("b\u00fccher.example", "https://b\u00fccher.example/")


@pytest.mark.parametrize(
    "quote",
    [
        "[follow these instructions](/cards/lost/)",
        "[follow these instructions](../lost.md)",
        "[follow these instructions](javascript:alert(1))",
        "[follow these instructions](mailto:card@example.org)",
        "[follow these instructions](https://[)",
        "[follow these instructions](https://)",
        "[follow these instructions](https://example.org/\u202egro)",
        "[follow these instructions](https://example.org/\x1b[2J)",
        f"[follow these instructions](https://example.org/{'a' * LONGEST_ADDRESS})",
        "![follow these instructions](https://example.org/a.png)",
        "If the card is lost, <https://example.org>",
    ],
)
def test_what_nobody_can_open_from_a_reply_is_left_out(quote: str) -> None:
    assert links_in(f"{TEXT} https://example.org", [quote]) == ()


@pytest.mark.parametrize(
    "quote",
    [
        f"{TEXT} <!-- <a href='https://evil.example'>log in here</a> -->",
        f"{TEXT} <span hidden>[log in here](https://evil.example)</span>",
        f"{TEXT} [](https://evil.example)",
        f"{TEXT} [e](https://evil.example) [o w](https://evil.example)",
        f"<!-- <a href='https://evil.example'>follow these instructions</a> --> {TEXT}",
        f"<!-- [follow these instructions](https://evil.example) --> {TEXT}",
        f"{TEXT} `<a href='https://evil.example'>follow these instructions</a>`",
    ],
)
def test_a_link_that_readers_of_the_source_do_not_see_is_not_shown(quote: str) -> None:
    assert links_in(TEXT, [quote]) == ()


@pytest.mark.parametrize("piece", ["<a href=x>", "<a href=href=", "[", "](", "<!--", "<a "])
def test_a_hostile_quote_is_read_no_longer_than_a_long_one(piece: str) -> None:
    assert links_in(TEXT, [piece * 100_000]) == ()


@given(st.text(alphabet="a[]()<>!/\"'=: hrefhttps.-\n`*"), st.text())
def test_no_quote_is_too_broken(quote: str, text: str) -> None:
    for link in links_in(text, [quote]):
        assert link.host
        assert link.label.casefold() in text.casefold()


def test_a_page_of_a_pdf_has_an_address_and_a_slide_or_a_sheet_has_none() -> None:
    url = "https://example.org/deck.pdf"
    assert at_page(url, 3) == f"{url}#page=3"
    assert at_page(url, 3, "slide 3") == url
    assert at_page(url, None) == url


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


LEAVE = passage("leave-0", "Everyone gets 20 days of leave.")
MORE = passage("more-0", "Nurses get 5 days more.")
STATED = claimed(LEAVE.text, cites(LEAVE))
CONCLUDED = claimed(
    "Nurses get 25 days.", *map(cites, (LEAVE, MORE, LEAVE)), kind=ClaimKind.INFERENCE
)


def answered(*claims: Claim) -> Outcome:
    return an_outcome(answering(*claims))


def test_each_step_of_a_list_names_its_own_page() -> None:
    lines = (ClaimLine("To ask:", None, False, 0), ClaimLine("Sign.", 1, True, 1))
    listed = claimed("To ask: Sign.", cites(LEAVE), cites(MORE))
    outcome = answered(replace(listed, lines=lines))
    said = ["To ask: [1]", "1. Sign. [2]"]
    assert reply_text(outcome).splitlines()[:2] == said
    assert "Sign. [2]" in read(in_slack(outcome))


def test_an_item_of_a_list_within_a_list_is_set_in_at_every_door() -> None:
    lines = (
        ClaimLine("Handling: 2 years", None, True, 0),
        ClaimLine("Offices: 3 years", 1, True, 0, depth=1),
        ClaimLine("Porters: 1 year", None, True, 0, depth=7),
    )
    listed = replace(claimed(" ".join(each.text for each in lines), cites(LEAVE)), lines=lines)
    outcome = answered(listed, STATED)
    starts = [len(line) - len(line.lstrip()) for line in reply_text(outcome).splitlines()[:3]]
    assert starts == [0, 4, 28]
    shown = printed(outcome).splitlines()
    first, second = (next(each for each in shown if said in each) for said in ("Handling", "Offi"))
    assert second.index("Offices") > first.index("Handling")
    assert [each.get("indent", 0) for each in lists_in(in_slack(answered(listed)))] == [0, 1, 7]
    assert [each["indent"] for each in lists_in(in_slack(outcome))[:3]] == [1, 2, 8]


def lists_in(blocks: Any) -> list[dict[str, Any]]:
    held = [each for block in blocks for each in block.get("elements", ())]
    return [each for each in held if each["type"] == "rich_text_list"]


@pytest.mark.parametrize("claims", [(STATED,), (STATED, CONCLUDED)])
def test_pages_are_numbered_in_older_records_too(claims: tuple[Claim, ...]) -> None:
    outcome = answered(*claims)
    kept = recorded(outcome).model_dump(mode="json")
    del kept["citation_style"]
    doors = [reply_text(outcome), printed(outcome), read(in_slack(outcome))]
    for form in ({}, {"citation_style": "src"}):
        older = AuditRecord.model_validate(kept | form)
        doors.append(read(reply(older, 7, quoted=False).blocks))
    for door in doors:
        assert "Everyone gets 20 days of leave. [1]" in door
        assert ("Nurses get 25 days. [1][2]" in door.replace("] [", "][")) is (len(claims) > 1)


def people(home: Path, sources: str) -> Path:
    return write(home, {"people.yaml": f"people: []\nsources: {sources}"}) / "people.yaml"


def test_groups_are_those_of_the_longest_url_that_begins_so(tmp_path: Path) -> None:
    stated = """
  confluence://a.example: {hr: {departments: [hr]}, all: everyone, 7: {courses: CS101}}
  confluence://a.example/IT: {hr: {departments: [it]}}"""
    groups = groups_in(people(tmp_path, stated), load_ontology())
    assert nearest(source_url("confluence://a.example/HR"), groups) == {
        "hr": (("departments", ("hr",)),),
        "all": EVERYBODY,
        "7": (("courses", ("CS101",)),),
    }
    assert nearest(source_url("confluence://a.example/IT"), groups).keys() == {"hr"}
    assert nearest(source_url("confluence://A.Example/IT"), groups).keys() == {"hr"}
    assert nearest(source_url("confluence://b.example/HR"), groups) == {}
    assert nearest(source_url("confluence://a.example/ITX"), groups).keys() == {"hr", "all", "7"}


def test_without_any_nobody_is_mapped(tmp_path: Path) -> None:
    assert groups_in(tmp_path / "people.yaml", load_ontology()) == {}
    assert groups_in(people(tmp_path, ""), load_ontology()) == {}
    stated = "{confluence://a.example: {}}"
    assert groups_in(people(tmp_path, stated), load_ontology()) == {"confluence://a.example": {}}


@pytest.mark.parametrize(
    "sources",
    [
        *("[a]", "everyone", "{confluence://a: everyone}", "{confluence://a: [hr]}"),
        *("{confluence://a: {hr: }}", "{confluence://a: {hr: {}}}", "{confluence://a: {hr: hr}}"),
        *("{confluence://a: {hr: {department: hr}}}", "{confluence://a: {hr: {departments: }}}"),
        "{confluence://a: {hr: {departments: []}}}",
        *('{"confluence://[a": {hr: {departments: hr}}}', "{a.example: {hr: {departments: hr}}}"),
        "{notion://: {a: everyone}}",
        *("{wiki://a: {hr: {departments: hr}}}", "{s3://a: {hr: {departments: hr}}}"),
    ],
)
def test_what_is_not_understood_is_said(tmp_path: Path, sources: str) -> None:
    with pytest.raises(BadConfiguration, match=r"people\.yaml"):
        groups_in(people(tmp_path, sources), load_ontology())
