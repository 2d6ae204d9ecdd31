"""An administrator reads a week's digest in a browser: on a phone, at a desk, in the dark."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from cited_shelf import ROOT, CitedShelf
from playwright.sync_api import Browser, Page, expect
from sound_pages import EACH_WINDOW_AND_EACH_SCHEME, is_sound, kept, serving, signed_in

from bot.answering.digest import Digest, DigestLine, UnitDigest, Week
from bot.answering.digest import DigestPage as Near
from bot.web.pages import DigestPages
from bot.wording import digest as wording

NOW, LAST, BEFORE = (Week.named(f"2026-W{number}") for number in (48, 47, 46))
LONG = "Leave" + "andabsence" * 20
HOSTILE = '<script>document.title = "taken over"</script> how long?'


def made(week: Week) -> Digest:
    """Of last week; the one before had none."""
    lines = (
        DigestLine(
            3,
            2,
            ("How many days of paternity leave do I get?", "paternity leave length?"),
            (Near(LONG, f"https://docs.example.org/{LONG}"), Near("Sick leave", "")),
        ),
        DigestLine(1, 1, (HOSTILE,), ()),
    )
    units = (
        UnitDigest("hr@example.org", "C0HR", lines, 2),
        UnitDigest("", "", (DigestLine(1, 1, (LONG,), ()),), 0),
    )
    return Digest(week, units if week == LAST else ())


@pytest.fixture
def page(request: pytest.FixtureRequest, browser: Browser, tmp_path: Path) -> Iterator[Page]:
    assert NOW
    this_week = NOW
    digests = DigestPages(lambda week, _: made(week), lambda: this_week, lambda: {"C0HR": "ask-hr"})
    with (
        serving(CitedShelf(tmp_path), digests) as site,
        signed_in(browser, request.param, site, ROOT) as page,
    ):
        yield page


@EACH_WINDOW_AND_EACH_SCHEME
def test_an_administrator_reads_a_week_and_chooses_another(page: Page, scheme: str) -> None:
    assert LAST
    assert BEFORE
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of its literals
    page.get_by_role("link", name=wording.TITLE).click()
    hr = page.get_by_role("region", name="hr@example.org")
    expect(hr).to_contain_text(wording.times(3, 2))
    expect(hr).to_contain_text("ask-hr")
    expect(hr.get_by_role("link", name=LONG)).to_have_attribute(
        "href", f"https://docs.example.org/{LONG}"
    )
    expect(hr).to_contain_text(HOSTILE)
    expect(page.get_by_role("region", name=wording.NOBODYS)).to_contain_text(wording.UNHEARD)
    assert wording.TITLE in page.title()
    kept(page, f"digest-{scheme}")
    is_sound(page)
    chosen = page.get_by_label(wording.WEEK)
    expect(chosen).to_have_value(LAST.name)
    chosen.select_option(BEFORE.name)
    page.get_by_role("button", name=wording.SHOW).click()
    expect(page.get_by_text(wording.NOTHING)).to_be_visible()
    expect(page.get_by_label(wording.WEEK)).to_have_value(BEFORE.name)
    is_sound(page)
