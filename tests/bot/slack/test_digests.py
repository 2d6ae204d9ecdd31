"""A digest is posted into a channel once, and into none that another company reads."""

from datetime import UTC, datetime

import pytest
from office import GENERAL, Office
from slack_reading import words

from bot.answering.digest import DigestLine, DigestPage, UnitDigest, Week
from bot.errors import JobFailed
from bot.slack.blocks.elements import MESSAGE, weight
from bot.slack.failures import NotInstalled
from bot.slack.jobs import DigestPosting, digest_message
from bot.slack.workspaces import TeamClient

LAST = Week.of(datetime.now(UTC).date()).earlier()
PAGE = "https://vouch.example.org/digest"
CALLS = "<!channel> *free* parking? <https://evil.example|here>"
FEES = UnitDigest(
    "fees@example.org",
    GENERAL,
    (
        DigestLine(
            2, 2, (CALLS, "parking?"), (DigestPage("Parking", "https://docs.example.org/p"),)
        ),
    ),
    0,
)


def posting(office: Office, admins: str = "") -> DigestPosting:
    return DigestPosting(office.client, UTC, admins, PAGE)


def test_it_is_posted_once_a_week_and_the_page_is_for_administrators(office: Office) -> None:
    post = posting(office)
    assert [post(LAST, GENERAL, [FEES]) for _ in range(2)] == [True, False]
    assert posting(office, GENERAL)(LAST.earlier(), GENERAL, [FEES])
    first, before = office.bot_said()
    assert PAGE not in str(first)
    assert PAGE in str(before["blocks"])
    assert CALLS in words(first), "letter for letter"
    assert "<!channel>" not in first["text"]


@pytest.mark.parametrize("told", ["is_ext_shared", "is_pending_ext_shared"])
def test_where_another_company_reads_along_nothing_is_posted(
    office: Office, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    described = {"channel": {"id": GENERAL, "name": "general", told: True}}
    monkeypatch.setattr(office.client, "conversations_info", lambda **_: described)
    with pytest.raises(JobFailed, match=f"{GENERAL} was not told"):
        posting(office)(LAST, GENERAL, [FEES])
    assert office.bot_said() == []


@pytest.mark.parametrize(
    "method", ["conversations.info", "conversations.history", "chat.postMessage"]
)
def test_where_slack_does_not_say_or_take_it_nothing_stands_and_it_is_posted_later(
    office: Office, method: str
) -> None:
    office.workspace.faults.refuse(method, "fatal_error")
    with pytest.raises(JobFailed, match=GENERAL):
        posting(office)(LAST, GENERAL, [FEES])
    assert office.bot_said() == []
    assert posting(office)(LAST, GENERAL, [FEES])


def test_where_the_bot_was_taken_out_its_channel_is_said_to_be_in_no_workspace_of_ours() -> None:
    def out_of(team: str) -> str:
        raise NotInstalled(team)

    channel = f"T0OTHER//{GENERAL}"
    with pytest.raises(JobFailed, match=f"{channel} was not told, for I am not installed"):
        DigestPosting(TeamClient(out_of), UTC, "", PAGE)(LAST, channel, [FEES])


def test_however_much_was_asked_slack_takes_it(office: Office) -> None:
    page = DigestPage("Ü" * 300, "https://docs.example.org/" + "p" * 175)
    line = DigestLine(9, 9, ("É" * 200,) * 3, (page,) * 3)
    units = [UnitDigest("ö" * 120, GENERAL, (line,) * 60, 7)] * 40
    assert weight(list(digest_message(LAST, units, PAGE).blocks)) <= MESSAGE
    assert posting(office)(LAST, GENERAL, units)
    [said] = office.bot_said()
    assert "and 38 more" in words(said)
