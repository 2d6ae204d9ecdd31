"""Foreign words at a door: nothing in them acts, and nothing that can be seen is lost."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.wording.untrusted_text import in_one_line, json_text, printable, uncalled

ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069"
    "\ufeff\ud800-\udfff\U000e0020-\U000e007f]"
)
WILD = st.text(st.characters(codec=None) | st.sampled_from("\x1b\x9b\r\x07\u202e\u200b<>!@#|:"))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b[2J\x1b[31mred", "[2J[31mred"),
        ("\x9b31mred", "31mred"),
        ("\x1b]8;;http://evil.example\x07here\x1b]8;;\x07", "]8;;http://evil.examplehere]8;;"),
        ("safe\revil", "safe\nevil"),
        ("a\u202egpj.exe", "agpj.exe"),
        ("Ig\u200bnore\u00ad this\u200d", "Ignore this"),
        ("two\n\tlines", "two\n\tlines"),
    ],
)
def test_what_acts_is_taken_out_and_the_rest_is_seen(text: str, seen: str) -> None:
    assert printable(text) == seen


@pytest.mark.parametrize(
    "text", ["👩‍👩‍👧‍👦 👍🏽", "می‌خواهم", "क्‍ष", "שלום", "e\u0301", "“Zoë’s” – 20 €", ""]
)
def test_what_people_write_in_any_script_stays(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("https://intranet.ex\u0430mple.org/login", "https://intranet.xn--exmple-4nf.org/login"),
        ("See www.\u0440aypal.com.", "See www.xn--aypal-uye.com."),
        ("it@ex\u0430mple.org", "it@xn--exmple-4nf.org"),
        ("\u0430\u0440\u0440\u04cf\u0435.com is new", "xn--80ak6aa92e.com is new"),
        ("https://a\u3002evil\uff0ecom/x", "https://a.evil.com/x"),
        ("https://example.org\u2215login.evil.com/", "https://example.xn--orglogin-0f7d.evil.com/"),
        ("https://b\u00fccher.example/stra\u00dfe", "https://xn--bcher-kva.example/stra\u00dfe"),
    ],
)
def test_a_host_is_shown_by_the_name_that_is_called_up(text: str, seen: str) -> None:
    assert printable(text) == seen


@pytest.mark.parametrize(
    "text",
    [
        "vacances d'\u00e9t\u00e9.Pour",
        "z.B.Gr\u00f6\u00dfe/Gewicht",
        "“https://example.org”…",
        "https://example.org/\u00e9t\u00e9",
    ],
)
def test_what_is_no_host_stays_in_its_letters(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    "call",
    ["<!channel>", "<!here|x>", "<@U012AB3CD>", "<#C012AB3CD|x>", "<https://evil.example|Leave>"],
)
def test_nobody_is_called(call: str) -> None:
    assert uncalled(f"See {call}.") == f"See ‹{call[1:]}."
    assert uncalled("2 < 3, a<b> & <b>c</b>") == "2 < 3, a<b> & <b>c</b>"


@given(WILD)
def test_whatever_is_shown_acts_on_nothing(text: str) -> None:
    for shown in (printable(text), in_one_line(text), uncalled(text)):
        assert not ACTING.search(shown)
        assert printable(shown) == shown
    assert "\n" not in in_one_line(text)
    assert not re.search("<[!@#]", uncalled(text))


@given(st.dictionaries(WILD, WILD | st.lists(WILD)))
def test_in_json_it_is_written_out_and_nothing_is_lost(values: dict[str, object]) -> None:
    text = json_text(values)
    assert not ACTING.search(text)
    assert json.loads(text) == json.loads(json.dumps(values))
