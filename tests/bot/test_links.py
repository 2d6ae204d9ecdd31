"""Where the links of a copied sentence lead is shown beside it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.wording.links import LONGEST_ADDRESS, Link, at_page, host_of, links_in, names_another_host

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
