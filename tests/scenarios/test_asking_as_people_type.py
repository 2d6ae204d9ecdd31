"""People ask as they type in a chat: with a situation first, in shorthand, with a slip."""

import pytest
from vouch_home import Home

DOCS = {
    "phones.md": "# Phones and laptops\n\n## Replacing a phone\n\n"
    "A work phone is replaced once it is four years old. Ask the service desk for a new one.\n\n"
    "## Losing a phone\n\nReport a lost or stolen phone to the service desk at once.\n\n"
    "## Laptops\n\nA laptop is replaced after three years.\n\n"
    "## Apps\n\nOnly apps from the managed store may be installed on an "
    "Android phone of the company.\n",
    "hours.md": "# Working hours\n\n## Compressed weeks\n\n"
    "Whoever works four days of ten hours a week (a 4/10 schedule) has one regular day off. "
    "Where a public holiday falls on the regular day off, the workday before it is taken off "
    "instead.\n\n"
    "## Holidays\n\nThe office is closed on public holidays. Work on a holiday is paid double.\n\n"
    "## Days off\n\nA day off is asked for in the calendar, two weeks ahead.\n",
}
PHONE, COMPRESSED = ("phones.md", 5), ("hours.md", 5)
ANDROID = "had my company android since 2021, when can I get a newer one"
HOLIDAY = "4/10s day off lands on a holiday?"


@pytest.fixture(scope="module")
def office(shared_home: Home) -> Home:
    shared_home.reads(DOCS)
    return shared_home


@pytest.mark.parametrize(
    ("typed", "searched", "rule"),
    [
        (ANDROID, ANDROID, PHONE),
        (HOLIDAY, HOLIDAY, COMPRESSED),
        (f"hey all :wave: {ANDROID}? thx!!", f"{ANDROID}?", PHONE),
        (ANDROID.replace("company android", "compnay andriod"), ANDROID, PHONE),
        (f"quick q: {HOLIDAY.replace('holiday', 'hoilday')} tia", HOLIDAY, COMPRESSED),
    ],
)
def test_what_is_looked_for_is_what_was_asked_and_the_rule_comes_first(
    office: Home, typed: str, searched: str, rule: tuple[str, int]
) -> None:
    reply = office.ask(typed)
    best = reply["ranked"][0]
    assert (best["file"], best["line_start"]) == rule
    assert office.record(reply["audit_id"])["standalone_question"] == searched
