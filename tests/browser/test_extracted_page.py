"""Fields beside the document that they were read out of, in a real browser."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect
from vouch_home import Home

EXTRACTION = Path(__file__).resolve().parents[2] / "deploy" / "measured" / "extraction"


@pytest.fixture(scope="module")
def page_of_fields(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("extracted")
    page, schema = folder / "fields.html", f"{EXTRACTION / 'schemas.py'}:Invoice"
    document = EXTRACTION / "calibration" / "copper.pdf"
    made = Home(folder / "home").vouch("extract", document, "--schema", schema, "--html", page)
    assert made.status == 0, made.said
    return page


def test_a_reader_sees_each_value_marked_on_the_drawn_page(
    browser: Browser, page_of_fields: Path
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(page_of_fields.as_uri())
    row = page.get_by_role("row", name="due_date")
    expect(row).to_contain_text("2026-01-08")
    expect(row).to_contain_text("Due by: 8 January 2026")
    mark, sheet = page.get_by_title("due_date"), page.locator(".sheet")
    where, whole = mark.bounding_box(), sheet.bounding_box()
    assert where is not None
    assert whole is not None
    # It stands on the third line under "Invoice No", 182 of 842 points from the top.
    assert (where["y"] - whole["y"]) / whole["height"] == pytest.approx(0.21, abs=0.02)
    assert where["height"] / whole["height"] < 0.03
    assert [url for url in requested if not url.startswith(("file:", "data:"))] == []
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


def test_of_a_page_of_the_web_the_text_stands_there_and_a_field_leads_to_its_line(
    browser: Browser, tmp_path: Path
) -> None:
    schema, made = f"{EXTRACTION / 'schemas.py'}:Invoice", tmp_path / "lumen.html"
    document = EXTRACTION / "test" / "lumen.html"
    Home(tmp_path / "home").does("extract", document, "--schema", schema, "--html", made)
    page = browser.new_page(viewport={"width": 1280, "height": 300})
    page.goto(made.as_uri())
    page.get_by_role("link", name="6 total").click()
    expect(page.locator(":target ~ .field").first).to_be_in_viewport()
    assert "<td" not in page.locator("main").inner_text()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()
