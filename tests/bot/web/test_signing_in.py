"""Somebody opens a link, signs in with Slack, and somebody else tries what is not theirs."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from starlette.testclient import TestClient
from web_door import ANA, ANAS_PAGE, BEN, CITED, EVE, Browser, Door, open_door

from bot.web.addresses import DIGEST
from bot.web.sessions import IDLE_S, LONGEST_S, ONCE_S, TOUCHED_EVERY_S, token_against_forgery
from bot.web.sign_in import BEGUN_S, MOST_FAILED
from bot.wording import web as wording

RECEIPT = "/cited/0190-audit/reply/receipt.json"


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with open_door(tmp_path) as opened:
        yield opened


@pytest.fixture
def browser(door: Door) -> Browser:
    return door.browser()


@pytest.mark.parametrize("page", [CITED, "/document/1-1"])
def test_a_link_leads_by_way_of_slack_to_the_page_that_it_names(
    browser: Browser, page: str
) -> None:
    asked = browser.opens(page)
    assert wording.SIGN_IN.title in asked.text
    at_slack = browser.opens(href(asked, wording.SIGN_IN_BUTTON))
    shown = browser.opens(str(at_slack.url.join(href(at_slack, "Ana Silva"))))
    assert (shown.url.path, shown.status_code) == (page, 200)
    assert "1-1 for Ana Silva" in shown.text


def href(page: httpx.Response, words: str) -> str:
    """Where the link with these words leads."""
    before = page.text.split(f">{words}</a>")[0]
    return before.rpartition('href="')[2].rstrip('"').replace("&amp;", "&")


def test_the_workspaces_page_signs_in_whoever_sits_there_and_of_nobody_known_a_guest(
    browser: Browser,
) -> None:
    for user, name in ((BEN, "Ben Okafor"), (ANA, "Ana Silva"), (EVE, "Eve")):
        assert f"1-1 for {name}" in browser.signs_in(user).text


def test_a_link_that_was_handed_on_shows_what_the_other_person_may_read(door: Door) -> None:
    assert "for Ana" in door.browser().signs_in(ANA, ANAS_PAGE).text
    for user in (BEN, EVE):
        shown = door.browser().signs_in(user, ANAS_PAGE)
        unknown = door.browser().signs_in(user, "/cited/0190-nothing/9-9")
        assert (shown.status_code, plain(shown)) == (404, plain(unknown))


def plain(page: httpx.Response) -> str:
    """Without the form's token, which is the session's."""
    return page.text.split('name="token"')[0] + page.text.split("</header>")[1]


def test_the_digest_is_for_administrators_and_to_others_it_is_not_there(
    door: Door, browser: Browser
) -> None:
    week = f"{DIGEST}?week=2026-W46"
    assert wording.SIGN_IN.title in browser.opens(week).text
    for user in (ANA, EVE):
        shown, unknown = (door.browser().signs_in(user, each) for each in (week, "/cited/0/9-9"))
        assert (shown.status_code, plain(shown)) == (404, plain(unknown))
    assert DIGEST not in browser.signs_in(ANA, "/").text
    door.people["ana"] = replace(door.people["ana"], admin=True)
    assert f'href="{DIGEST}"' in browser.opens("/").text
    assert "unanswered in 2026-W46" in door.browser().signs_in(ANA, week).text
    assert browser.opens(f"{DIGEST}?week=2099-W01").status_code == 404
    door.people["ana"] = replace(door.people["ana"], admin=False)
    assert browser.opens(week).status_code == 404, "from the next page on"


def test_who_leaves_the_list_of_people_reads_as_a_guest_from_the_next_page_on(
    door: Door, browser: Browser
) -> None:
    assert browser.signs_in(ANA, ANAS_PAGE).status_code == 200
    del door.people["ana"]
    assert browser.opens(ANAS_PAGE).status_code == 404
    assert "1-1 for Ana Silva" in browser.opens(CITED).text  # by the name in Slack


def test_where_slack_cannot_be_asked_nobody_becomes_a_guest(door: Door, browser: Browser) -> None:
    asked = browser.asks(f"/sign-in/slack?next={CITED}&login_hint={ANA}").headers["location"]
    back = browser.asks(asked).headers["location"]
    door.workspace.faults.refuse("users.info", "internal_error")
    shown = browser.opens(back)
    assert (shown.status_code, browser.session) == (503, "")


def test_without_signing_in_nothing_is_looked_up(door: Door, browser: Browser) -> None:
    assert browser.opens(CITED).url.path == "/sign-in"
    for beyond in ("page/1.png", "receipt.json"):
        assert browser.opens(f"{CITED}/{beyond}").status_code == 404
    assert door.pages.opened == []


def test_a_picture_and_a_receipt_are_shown_to_those_who_may_read_its_page(door: Door) -> None:
    for user, status in ((ANA, 200), (BEN, 404)):
        browser = door.browser()
        browser.signs_in(user)
        for beyond in ("page/3.png", "receipt.json"):
            assert browser.opens(f"{ANAS_PAGE}/{beyond}").status_code == status


def test_a_receipt_that_no_page_leads_to_is_had_by_signing_in(door: Door) -> None:
    asked = door.browser().opens(RECEIPT)
    assert wording.SIGN_IN.title in asked.text
    assert "reply for Ana Silva" in door.browser().signs_in(ANA, RECEIPT).text
    assert door.browser().signs_in(BEN, RECEIPT).status_code == 404


def test_signing_out_ends_the_session_everywhere(browser: Browser) -> None:
    page = browser.signs_in(ANA)
    stolen = browser.session
    assert wording.SIGNED_OUT.title in browser.signs_out(page).text
    assert browser.session == ""
    assert opens_with(browser, stolen).url.path == "/sign-in"


def opens_with(browser: Browser, session: str) -> httpx.Response:
    """What a browser is shown that holds this session."""
    with httpx.Client(base_url=browser.http.base_url, cookies={"vouch": session}) as other:
        return other.get(CITED, follow_redirects=True)


def test_a_session_that_was_made_up_opens_nothing(browser: Browser) -> None:
    for made_up in ("a" * 43, "", "' OR 1=1 --", "x" * 5_000):
        assert opens_with(browser, made_up).url.path == "/sign-in"


def test_each_sign_in_makes_a_session_of_its_own_and_takes_none_over(browser: Browser) -> None:
    browser.http.cookies.set("vouch", "fixed-by-somebody", domain="127.0.0.1")
    browser.signs_in(ANA)
    first = browser.session
    browser.signs_in(ANA)
    assert len({"", "fixed-by-somebody", first, browser.session}) == 4
    for gone in ("fixed-by-somebody", first):
        assert opens_with(browser, gone).url.path == "/sign-in"


def test_a_session_ends_a_day_after_its_last_use(door: Door, browser: Browser) -> None:
    browser.signs_in(ANA)
    for later, path in ((IDLE_S - 1, CITED), (IDLE_S - 1, CITED), (IDLE_S + 1, "/sign-in")):
        door.clock.ahead += later
        assert browser.opens(CITED).url.path == path


def test_a_session_ends_in_a_week_however_often_it_is_used(door: Door, browser: Browser) -> None:
    browser.signs_in(ANA)
    while door.clock.ahead < LONGEST_S - IDLE_S / 2:
        assert browser.opens(CITED).url.path == CITED
        door.clock.ahead += IDLE_S / 2
    door.clock.ahead = LONGEST_S + 1
    assert browser.opens(CITED).url.path == "/sign-in"


def test_of_a_session_nothing_is_kept_that_opens_it(door: Door, browser: Browser) -> None:
    browser.signs_in(ANA)
    door.clock.ahead = TOUCHED_EVERY_S
    browser.opens(CITED)
    once = door.once("ana").rpartition("/")[2]
    written = b"".join(path.read_bytes() for path in door.folder.iterdir())
    assert browser.session.encode() not in written
    assert once.encode() not in written
    assert ANA.encode() in written  # what is looked through is what was written


def told_to_try_again(shown: httpx.Response) -> bool:
    return shown.status_code == 503 and wording.TRY_AGAIN.title in shown.text


def test_where_the_sessions_cannot_be_read_people_are_told_to_try_again(
    door: Door, browser: Browser
) -> None:
    page = browser.signs_in(ANA)
    door.clock.ahead = TOUCHED_EVERY_S
    with closing(sqlite3.connect(door.folder / "web.sqlite")) as other:
        other.execute("BEGIN IMMEDIATE")
        assert told_to_try_again(browser.opens(CITED))
        other.rollback()
        assert browser.opens(CITED).status_code == 200
        other.execute("DROP TABLE session")
    assert told_to_try_again(browser.opens(CITED))
    assert told_to_try_again(browser.signs_out(page))
    assert told_to_try_again(door.browser().signs_in(ANA))


# --- a link that works once ---------------------------------------------------------


def test_of_many_who_open_a_link_of_the_command_line_at_once_one_gets_in(door: Door) -> None:
    link = door.once("ana", ANAS_PAGE)
    with ThreadPoolExecutor(12) as pool:
        shown = list(pool.map(lambda _: door.browser().opens(link), range(12)))
    assert sorted(each.status_code for each in shown) == [200] + [403] * 11
    for each in shown:
        assert ("2-1 for Ana" if each.status_code == 200 else wording.USED_LINK.title) in each.text


def test_such_a_link_waits_for_five_minutes(door: Door) -> None:
    link = door.once("ana")
    door.clock.ahead = ONCE_S
    assert door.browser().opens(link).status_code == 403


def test_who_only_looks_ahead_does_not_use_it_up(door: Door, browser: Browser) -> None:
    link = door.once("ana")
    assert browser.http.head(link).status_code == 404
    assert "for Ana" in browser.opens(link).text


def test_such_a_link_is_for_somebody_who_is_known_and_for_this_machine_alone(
    door: Door, browser: Browser
) -> None:
    assert browser.opens(door.once("somebody-else")).status_code == 404
    from_afar = {"x-forwarded-for": "203.0.113.9"}  # as a proxy on this machine tells
    assert browser.http.get(door.once("ana"), headers=from_afar).status_code == 403
    assert browser.session == ""


def test_who_was_signed_in_by_the_operator_and_leaves_the_list_is_nobody(
    door: Door, browser: Browser
) -> None:
    browser.opens(door.once("ana"))
    del door.people["ana"]
    assert browser.opens(CITED).status_code == 404
    assert browser.opens(CITED).url.path == "/sign-in"


# --- coming back from Slack ---------------------------------------------------------


def coming_back(browser: Browser, user: str = ANA) -> str:
    """Where Slack sends somebody who signs in, not gone to yet."""
    asked = browser.asks(f"/sign-in/slack?next={CITED}&login_hint={user}")
    return browser.asks(asked.headers["location"]).headers["location"]


def refused(shown: httpx.Response) -> bool:
    return shown.status_code == 403 and "vouch" not in shown.cookies


def test_what_slack_sends_back_counts_in_the_browser_that_began(door: Door) -> None:
    """Else somebody could sign others in as themselves, and see what they open."""
    assert refused(door.browser().opens(coming_back(door.browser())))
    evil, victim = door.browser(), door.browser()
    victim.asks("/sign-in/slack")
    assert refused(victim.opens(coming_back(evil, BEN)))


def test_another_state_is_refused(browser: Browser) -> None:
    address = coming_back(browser)
    code = parse_qs(urlsplit(address).query)["code"][0]
    for state in ("", "another", "é"):
        shown = browser.http.get("/sign-in/callback", params={"code": code, "state": state})
        assert refused(shown)
        browser.asks("/sign-in/slack")


def test_an_answer_of_slack_counts_once(browser: Browser) -> None:
    address = coming_back(browser)
    begun = dict(browser.http.cookies)
    assert browser.opens(address).url.path == CITED
    browser.http.cookies.clear()
    for name, value in begun.items():
        browser.http.cookies.set(name, value, domain="127.0.0.1")
    assert refused(browser.opens(address))


def test_who_takes_too_long_at_slack_begins_anew(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = coming_back(browser)
    later = __import__("time").time() + BEGUN_S + 2
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: later)
    assert refused(browser.opens(address))


def test_who_does_not_agree_at_slack_is_not_signed_in(browser: Browser) -> None:
    state = parse_qs(urlsplit(coming_back(browser)).query)["state"][0]
    answer = {"error": "access_denied", "state": state}
    assert refused(browser.http.get("/sign-in/callback", params=answer))


@pytest.mark.parametrize(
    "leads_to",
    [
        *("//evil.example/cited/a/1-1", "https://evil.example/cited/a/1-1", "/\\evil.example"),
        *("/cited/\\evil.example", "/%09/evil.example", "\t//evil.example", "/cited/../sign-out"),
        *("/cited/a/1-1\r\nset-cookie: a=b", "javascript:alert(1)", ""),
        "/sign-in/slack?next=/cited/a/1-1",
    ],
)
def test_a_sign_in_leads_to_no_other_place_than_a_citation(browser: Browser, leads_to: str) -> None:
    shown = browser.signs_in(ANA, leads_to)
    assert (shown.url.host, shown.url.path) == ("127.0.0.1", "/")
    assert "evil" not in browser.http.get("/sign-in", params={"next": leads_to}).text


def test_who_fails_again_and_again_has_to_wait(browser: Browser) -> None:
    statuses = []
    for _ in range(MOST_FAILED):
        state = parse_qs(urlsplit(coming_back(browser)).query)["state"][0]
        guess = {"code": "a-guess", "state": state}
        statuses.append(browser.http.get("/sign-in/callback", params=guess).status_code)
    assert statuses == [403] * MOST_FAILED
    assert browser.signs_in(ANA).status_code == 429


@pytest.mark.parametrize("address", ["/sign-in/callback", "/sign-in/once/guessed"])
def test_what_another_sites_page_has_a_browser_open_keeps_nobody_from_signing_in(
    browser: Browser, address: str
) -> None:
    asked = {"code": "a-guess", "state": "made-up"}
    statuses = {browser.http.get(address, params=asked).status_code for _ in range(MOST_FAILED + 1)}
    assert statuses == {403}
    assert browser.signs_in(ANA).status_code == 200


# --- requests that no page of ours sends --------------------------------------------


def test_a_form_of_another_site_or_a_link_signs_nobody_out(browser: Browser) -> None:
    browser.signs_in(ANA)
    for form in ({}, {"token": ""}, {"token": "a" * 64}, {"token": "x" * 10_000}):
        assert browser.http.post("/sign-out", data=form).status_code == 403
    assert browser.opens("/sign-out").status_code == 404
    assert browser.opens(CITED).url.path == CITED


def test_a_form_of_another_site_with_which_no_cookie_comes_takes_none_away(
    browser: Browser,
) -> None:
    """A browser sends no cookie of ours along with it, and would take one away that it is told."""
    anybodys = token_against_forgery("")
    sent = browser.http.post("/sign-out", data={"token": anybodys})
    assert (sent.status_code, "set-cookie" in sent.headers) == (403, False)


def test_a_name_that_somebody_else_gave_this_machine_is_refused(browser: Browser) -> None:
    """DNS rebinding, and links that would be made of a host that a request only says."""
    for host in ("evil.example", "127.0.0.1.evil.example", ""):
        assert browser.http.get("/sign-in", headers={"host": host}).status_code == 400


@pytest.mark.parametrize(
    "path",
    [
        *("/cited/../../etc/passwd", "/cited/%2e%2e/%2e%2e/etc/passwd", "/web.sqlite"),
        *("/cited/a/..%2f..%2fweb.sqlite", "/cited/a/1-1/page/..%2f..%2fweb.sqlite.png"),
        *("/static/../web.sqlite", "/cited/%00/1-1", "/cited/%ff/%ff", "/cited/a/1-1/"),
        f"/cited/{'a' * 20_000}/1-1",
        *("/document/", "/document/a/b", "/document/%00", "/document/..%2fweb.sqlite"),
    ],
)
def test_every_other_path_looks_the_same(door: Door, browser: Browser, path: str) -> None:
    browser.signs_in(ANA)
    shown = browser.opens(path)
    assert (shown.status_code, wording.NOT_SHOWN.title in shown.text) == (404, True)


def test_many_people_read_at_once_and_each_their_own(door: Door) -> None:
    people = [(ANA, "Ana Silva"), (BEN, "Ben Okafor"), (EVE, "Eve")] * 4
    browsers = [(door.browser(), user, name) for user, name in people]

    def reads(one: tuple[Browser, str, str]) -> bool:
        browser, user, name = one
        pages = [browser.signs_in(user), *(browser.opens(CITED) for _ in range(5))]
        return all(f"1-1 for {name} " in page.text for page in pages)

    with ThreadPoolExecutor(12) as pool:
        assert all(pool.map(reads, browsers))


def test_no_page_may_be_framed_kept_or_run_a_script(browser: Browser) -> None:
    for shown in (browser.opens(CITED), browser.signs_in(EVE, "/cited/a/9-9"), browser.opens("/")):
        assert "default-src 'none'" in shown.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in shown.headers["content-security-policy"]
        assert shown.headers["cache-control"] == "private, no-store"
        assert shown.headers["referrer-policy"] == "no-referrer"


def test_the_sessions_cookie_is_for_our_pages_alone(browser: Browser) -> None:
    browser.asks(f"/sign-in/slack?login_hint={ANA}")
    set_cookie = browser.asks(coming_back(browser)).headers.get_list("set-cookie")
    session = next(each for each in set_cookie if each.startswith("vouch="))
    assert {"HttpOnly", "Path=/", "SameSite=lax"} <= set(session.split("; "))


def test_behind_a_proxy_with_a_certificate_cookies_go_over_tls_to_that_host_alone(
    door: Door,
) -> None:
    app = replace(door.app, base="https://vouch.example.org").asgi()
    secret = door.sessions.make_once("ana", CITED)
    asked = f"/sign-in/slack?next={CITED}"
    with TestClient(app, "https://vouch.example.org", follow_redirects=False) as browser:
        begun = browser.get(asked).headers["set-cookie"]
        assert begun.startswith("__Host-vouch-sign-in=")
        assert {"Secure", "HttpOnly", "Path=/"} <= set(begun.split("; "))
        assert "Domain" not in begun
        # a link of the command line is for this machine, whatever a proxy lets through
        assert browser.get(f"/sign-in/once/{secret}").status_code == 403
    with TestClient(app, "http://localhost", follow_redirects=False) as browser:
        moved = browser.get(asked).headers
        assert moved["location"].startswith("https://vouch.example.org/sign-in/slack?")
        assert "set-cookie" not in moved


def test_no_secret_reaches_the_log(
    door: Door, browser: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    once = door.once("ana")
    browser.opens(once)
    browser.opens(once)
    address = coming_back(browser)
    query = parse_qs(urlsplit(address).query)
    browser.opens(address)
    browser.opens(address)
    ours = "\n".join(each.getMessage() for each in caplog.records if each.name.startswith("bot"))
    secrets = [once.rpartition("/")[2], *query["code"], *query["state"], browser.session]
    assert ours
    assert [secret for secret in secrets if secret in ours] == []
