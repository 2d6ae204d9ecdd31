"""Somebody opens a citation in a browser: on a phone, at a desk, in the dark, with keys alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from at_length import first
from cited_shelf import ANA, CS, TODAY, CitedShelf
from pdf_pages import handbook_pdf
from playwright.sync_api import Browser, Page, expect
from sound_pages import DESK, PHONE, Site, is_sound, kept, serving, signed_in

from audit.values import CellRecord
from bot.answering.digest import Digest, Week
from bot.web.pages import DigestPages
from bot.wording import web as wording
from retrieval.rendering.renderer import PageRenderer

HANDBOOK = """# Leave and absence

Everybody who works here has annual leave. It is granted for a calendar year.

## Parental leave

A parent may take leave when a child is born or adopted.

1. Tell your manager four weeks before.
2. Fill in form P-14, and have it signed.
3. Send it to the office of human resources at hr@example.org.

Parental leave is 14 weeks, on full pay. It may be taken in two parts.

| Grade | Days a year | Carried over |
|-------|-------------|--------------|
| Junior | 25 | 5 |
| Senior | 30 | 10 |

```
leave --kind parental \\
    --weeks 14
```

## Sick leave

A note is needed after three days. <script>document.title = "taken over"</script>
"""


@pytest.fixture(scope="module")
def renderer() -> Iterator[PageRenderer]:
    """One process that draws, as a bot has it."""
    with PageRenderer() as renderer:
        yield renderer


@pytest.fixture
def server(tmp_path: Path, renderer: PageRenderer) -> Iterator[Site]:
    shelf = CitedShelf(tmp_path, lambda *asked: renderer.page(*asked).png)
    no_week = DigestPages(lambda week, _: Digest(week, ()), lambda: Week.of(TODAY), dict)
    with serving(shelf, no_week) as site:
        yield site


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def page(request: pytest.FixtureRequest, browser: Browser, server: Site) -> Iterator[Page]:
    with signed_in(browser, request.param, server, ANA) as page:
        yield page


AT_A_DESK = pytest.mark.parametrize(
    "page",
    [pytest.param(DESK, id="desk"), pytest.param(PHONE, id="phone", marks=pytest.mark.exhaustive)],
    indirect=True,
)
"""That it fits a phone is proven of each kind of page."""


def markdown(server: Site, words: str = "14 weeks, on") -> str:
    document = server.shelf.put("hr/leave.md", HANDBOOK)
    record = server.shelf.answer(
        server.shelf.cite(document, words, subtype="policy", level="institution"),
        text="Parental leave is 14 weeks, on full pay.",
        channel=CS,
    )
    return f"{server.url}/cited/{record.audit_id}/1-1"


def changed(server: Site) -> str:
    """A cell is cited, and the document says otherwise today."""
    document = server.shelf.put("hr/leave.md", HANDBOOK)
    cell = CellRecord(name="Days a year", value="30", sentence=0)
    record = server.shelf.answer(
        server.shelf.cite(document, "Senior", cells=(cell,)), text="Seniors have 30 days a year."
    )
    today = HANDBOOK.replace("| Senior | 30 |", "| Senior | 28 |").replace(
        "It may be taken in two parts.", "It is taken at once. Ask your manager first."
    )
    server.shelf.put("hr/leave.md", today)
    return f"{server.url}/cited/{record.audit_id}/1-1"


def pdf(server: Site) -> str:
    document = server.shelf.put("handbook.pdf", handbook_pdf(), title="The handbook")
    record = server.shelf.answer(server.shelf.cite(document, "Rule 7 of page 2"))
    return f"{server.url}/cited/{record.audit_id}/1-1"


def pdf_changed(server: Site) -> str:
    """The handbook has a page more today."""
    address = pdf(server)
    server.shelf.put("handbook.pdf", handbook_pdf(4), title="The handbook")
    return address


def is_drawn(page: Page) -> None:
    width = page.get_by_role("img").evaluate("it => it.decode().then(() => it.naturalWidth)")
    assert width > 1_000


@pytest.mark.parametrize("scheme", first(1, ["light", "dark"]))
@pytest.mark.parametrize("opened", [markdown, changed, pdf])
def test_everybody_can_use_the_page(page: Page, server: Site, scheme: str, opened: Any) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of its literals
    page.goto(opened(server))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    kept(page, f"{opened.__name__}-{scheme}")
    is_sound(page)


def test_the_first_key_leads_past_everything_to_the_cited_words(page: Page, server: Site) -> None:
    page.goto(markdown(server))
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name=wording.SKIP)
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("mark")).to_be_in_viewport()
    expect(page.locator("#cited")).to_be_focused()


def test_a_link_with_the_anchor_opens_at_the_cited_words(page: Page, server: Site) -> None:
    page.goto(markdown(server, "A note is needed") + "#cited")
    expect(page.locator("mark")).to_be_in_viewport()


@AT_A_DESK
def test_a_page_of_a_pdf_is_seen_as_it_looks_and_one_goes_on_from_it(
    page: Page, server: Site
) -> None:
    page.goto(pdf(server))
    is_drawn(page)
    assert "Page 2" in str(page.get_by_role("img").get_attribute("alt"))
    expect(page.locator("mark")).to_contain_text("Rule 7 of page 2")
    page.get_by_role("link", name=wording.PAGE_AFTER).first.click()
    expect(page.get_by_text(wording.page_of(3, 3)).first).to_be_visible()
    is_drawn(page)
    page.get_by_role("link", name=wording.BACK_TO_CITED).first.click()
    expect(page.locator("mark")).to_contain_text("Rule 7 of page 2")


def test_two_places_of_one_claim_lead_to_each_other(page: Page, server: Site) -> None:
    document = server.shelf.put("leave.md", HANDBOOK)
    cited = [server.shelf.cite(document, words) for words in ("14 weeks, on", "A note is needed")]
    record = server.shelf.answer(*cited)
    page.goto(f"{server.url}/cited/{record.audit_id}/1-1")
    expect(page.locator("mark")).to_contain_text("14 weeks")
    page.get_by_role("link", name=wording.place(2)).click()
    expect(page.locator("mark")).to_contain_text("A note is needed")
    is_sound(page)


@pytest.mark.parametrize(
    ("page", "opened"),
    [
        pytest.param(PHONE, changed, id="phone-changed"),
        pytest.param(DESK, pdf_changed, id="desk-pdf_changed"),
        pytest.param(DESK, changed, id="desk-changed", marks=pytest.mark.exhaustive),
        pytest.param(PHONE, pdf_changed, id="phone-pdf_changed", marks=pytest.mark.exhaustive),
    ],
    indirect=["page"],
)
def test_another_version_is_opened_and_left_again(page: Page, server: Site, opened: Any) -> None:
    page.goto(opened(server))
    marked = page.locator("mark").inner_text()
    page.get_by_role("link", name=wording.OPEN_VERSION).first.click()
    expect(page.get_by_text(wording.ANOTHER_VERSION)).to_be_visible()
    if opened is pdf_changed:
        is_drawn(page)
        expect(page.locator("mark")).to_contain_text("Rule 7 of page 2")
        page.get_by_role("link", name=wording.PAGE_AFTER).first.click()
        expect(page.get_by_text(wording.page_of(3, 4)).first).to_be_visible()
        is_drawn(page)
    else:
        expect(page.get_by_role("cell", name="28", exact=True)).to_be_visible()
        expect(page.locator("mark")).to_have_count(0)
    kept(page, f"other-{opened.__name__}")
    is_sound(page)
    page.get_by_role("link", name=wording.BACK_TO_CITED_VERSION).click()
    expect(page.get_by_text(wording.ANOTHER_VERSION)).to_have_count(0)
    assert page.locator("mark").inner_text() == marked


@AT_A_DESK
def test_a_script_in_a_document_is_read_and_never_run(page: Page, server: Site) -> None:
    page.goto(markdown(server, "A note is needed"))
    assert "taken over" not in page.title()
