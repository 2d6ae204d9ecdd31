"""An administrator asks the audit in a browser, and others try to: phone, desk, in the dark."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import unquote_plus, urlencode

import httpx
import pytest
from cited_shelf import ANA, ROOT, CitedShelf
from playwright.sync_api import Browser, Page, expect
from sample_records import NOON, a_citation, a_record
from sound_pages import EACH_WINDOW_AND_EACH_SCHEME, Site, is_sound, kept, serving, signed_in

from audit.record import Confidence, Decision
from audit.values import ClaimRecord, PersonRecord, Status
from bot.access.names import AuditNames
from bot.access.people import People, Person
from bot.answering.digest import Digest, Week
from bot.web.audits import AuditRecordPages
from bot.web.pages import DigestPages
from bot.wording import auditing as wording
from bot.wording import evidence
from bot.wording import web as web_wording

HOSTILE = '<script>document.title = "taken over"</script> how long?'
THEIRS = "Their own question elsewhere"
ELSEWHERE = Person("T0OTHER//U1", "Olga", "", {}, admin=True)
TODAY = date(2025, 3, 20)
LONG = "handbook/" + "leaveandabsence" * 12 + ".md"


def asked(shelf: CitedShelf) -> None:
    for number in range(30):
        at = NOON + timedelta(hours=7 * number)
        refused, dropped = number % 4 == 0, number % 6 == 1
        file = LONG if number % 3 else "handbook/travel.md"
        claim = ClaimRecord(text="x", status=Status.VERIFIED, citations=(a_citation(file),))
        left = ClaimRecord(text="y", status=Status.UNSUPPORTED, citations=(a_citation(file),))
        shelf.writer.append(
            a_record(
                number,
                time=at,
                question=HOSTILE if number == 28 else f"How long is leave number {number}?",
                decision=Decision.ABSTAIN if refused else Decision.ANSWER,
                claims=() if refused else (claim,),
                dropped=(left,) if dropped else (),
                reasons=("no passage passes the threshold",) if refused else (),
                confidence=Confidence(overall=(number % 10) / 10),
                latency_ms={"search": 40.0 + number, "reranking": 300.0 + number},
            )
        )
    theirs = {"person": PersonRecord(id=ELSEWHERE.id), "question": THEIRS}
    shelf.writer.append(a_record(99, time=NOON + timedelta(hours=1), **theirs))


def opened_by(site: Site, who: Person, words: str) -> httpx.Response:
    return opened_at(site, who, urlencode({"q": words}))


def opened_at(site: Site, who: Person, asked: str) -> httpx.Response:
    with httpx.Client(base_url=site.url, follow_redirects=True) as client:
        client.get(site.once(who))
        return client.get(f"/audit?{asked}")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    shelf = CitedShelf(tmp_path)
    asked(shelf)
    shelf.put("never.md", "Nobody asks for this.")
    people = People({**shelf.access.people.by_id, ELSEWHERE.id: ELSEWHERE})
    week = Week.named("2026-W48")
    assert week
    digests = DigestPages(lambda of, _: Digest(of, ()), lambda: week, dict)
    audits = AuditRecordPages(
        shelf.reader,
        AuditNames(shelf.reader, lambda: people, lambda: shelf.library, tuple),
        lambda: TODAY,
    )
    with serving(shelf, digests, audits.page, lambda: people) as site:
        yield site


@pytest.fixture
def page(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Iterator[Page]:
    with signed_in(browser, request.param, site, ROOT) as page:
        yield page


@EACH_WINDOW_AND_EACH_SCHEME
def test_an_administrator_sees_what_was_answered_and_asks_on(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of its literals
    page.get_by_role("link", name=wording.TITLE).click()
    expect(page.get_by_text(wording.counted(30, ""))).to_be_visible()
    expect(page.get_by_role("img", name=wording.CHART)).to_be_visible()
    expect(page.get_by_role("region", name=wording.UNANSWERED, exact=True)).to_contain_text(HOSTILE)
    expect(page.get_by_role("region", name=wording.STAGES)).to_contain_text("reranking")
    assert THEIRS not in page.content()
    assert wording.TITLE in page.title()
    expect(page.get_by_role("region", name=wording.LEAST)).to_contain_text("never.md")
    page.get_by_text(wording.AS_TABLE).click()
    kept(page, f"audit-{scheme}")
    is_sound(page)
    page.get_by_role("region", name=wording.MOST).get_by_role("link", name=LONG).click()
    field = page.get_by_label(wording.ASK)
    expect(field).to_have_value(f'document "{LONG}"')
    field.fill(f"unsupported cited {LONG} last 30 days")
    page.get_by_role("button", name=wording.SEARCH).click()
    expect(page.get_by_text("5 records")).to_be_visible()
    page.get_by_label(wording.ASK).fill("confidence high")
    page.get_by_role("button", name=wording.SEARCH).click()
    expect(page.get_by_role("alert")).to_have_text(wording.no_confidence("high"))
    is_sound(page)
    page.get_by_label(wording.ASK).fill("text 29")
    page.get_by_role("button", name=wording.SEARCH).click()
    page.get_by_role("link", name="How long is leave number 29?").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How long is leave number 29?")
    expect(page.get_by_role("region", name=evidence.CLAIMS)).to_contain_text("version sha256:12ab")
    kept(page, f"exchange-{scheme}")
    is_sound(page)
    page.get_by_role("link", name=wording.likewise("person")).click()
    expect(page.get_by_label(wording.ASK)).to_have_value('person "ana"')
    expect(page.get_by_text("30 records")).to_be_visible()


def test_nobody_else_is_shown_the_audit_and_each_workspace_its_own(site: Site) -> None:
    outside = httpx.get(f"{site.url}/audit", params={"q": "abstain"}, follow_redirects=True)
    assert web_wording.SIGN_IN_TO_AUDIT.title in outside.text
    assert "leave number" not in outside.text
    refused = opened_by(site, ANA, "")
    assert (refused.status_code, web_wording.NOT_SHOWN.title in refused.text) == (404, True)
    theirs = opened_by(site, ELSEWHERE, "")
    assert THEIRS in theirs.text
    for words in ("", "cited handbook/travel.md", "person ana", "until 2026-01-01"):
        assert "leave number" not in opened_by(site, ELSEWHERE, words).text
    ours = opened_by(site, ROOT, "")
    assert THEIRS not in ours.text
    assert HOSTILE not in ours.text
    assert "&lt;script&gt;" in ours.text
    (hers,) = set(re.findall(r'/audit\?(id=[^"]+)">Their own question', theirs.text))
    (own, *_) = re.findall(r'/audit\?(id=[^"]+)">How long', ours.text)
    for who, address, status in (
        (ELSEWHERE, hers, 200),
        (ELSEWHERE, own, 404),
        (ROOT, own, 200),
        (ROOT, hers, 404),
        (ANA, own, 404),
        (ROOT, "id=nothing", 404),
        (ROOT, f"id={own[3:6]}", 404),
    ):
        shown = opened_at(site, who, address)
        assert shown.status_code == status, (who, address)
        assert (web_wording.NOT_SHOWN.title in shown.text) == (status == 404)
    without = httpx.get(f"{site.url}/audit?{own}", follow_redirects=True)
    assert web_wording.SIGN_IN_TO_AUDIT.title in without.text
    attacked = opened_by(site, ROOT, '"><script>alert(1)</script>')
    assert "<script>" not in attacked.text


def test_a_column_of_the_chart_leads_to_no_more_than_was_asked_for(site: Site) -> None:
    shown = opened_by(site, ROOT, "since 2025-03-03T12:00 until 2025-03-05T12:00").text
    links = {unquote_plus(each) for each in re.findall(r"/audit\?q=(since[^\"&]*)", shown)}
    noons = [f"2025-03-0{day}T12:00:00+00:00" for day in (3, 5)]
    assert {
        f'since "{noons[0]}" until "2025-03-03"',
        f'since "2025-03-05" until "{noons[1]}"',
    } <= links
