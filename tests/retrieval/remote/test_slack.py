"""A channel of Slack is read as its members see it, and no more once they do not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ingests import SourceReader
from remote_places import another_server, listed, once, read
from slack_site import BOT, CHANNEL, SIGN_IN, Site, site

from retrieval.errors import BadSource, SourceUnavailable, UnreadableDocument
from retrieval.metadata.access import EVERYBODY, NOBODY, Audience
from retrieval.parsing import parser_for
from retrieval.remote.slack import SlackReading, of_slack
from retrieval.remote.urls import source_url

APOLLO: Audience = (("projects", ("apollo",)),)
FACILITIES: Audience = (("departments", ("facilities",)),)


@pytest.fixture
def made() -> Iterator[Site]:
    with site() as here:
        yield here


def reader(tmp_path: Path, made: Site, **how: Any) -> SourceReader:
    return SourceReader(tmp_path, f"slack://{CHANNEL}", lambda: made.source(**how))


def sentences(page: str) -> list[str]:
    parsed = parser_for("a.html")(page.encode())
    return [each.text for fragment in parsed.fragments for each in fragment.sentences]


# --- what is read ---------------------------------------------------------------------


def test_canvases_files_pins_bookmarks_and_threads_are_documents(made: Site) -> None:
    made.canvas("Opening hours", "<h1>Hours</h1><p>We open at six.</p>", "F0HOURS")
    made.file("handbook.pdf", "%PDF-1.7", "F0BOOK")
    made.file("party.jpg", "jpg", "F0PARTY")
    made.file("elsewhere.pdf", "", "F0AWAY", is_external=True)
    made.file("gone.pdf", "", "F0GONE", mode="tombstone")
    made.pin("The lift is out of order until May.")
    made.bookmarks = [{"title": "Room plan", "link": "https://rooms.example.org"}, {"title": "x"}]
    ts = made.says("Where do I park?")
    source = made.source()
    assert listed(source).keys() == {
        "canvases/F0HOURS Opening hours.html",
        "files/F0BOOK handbook.pdf",
        "pins.html",
        "bookmarks.html",
        f"threads/{ts}.html",
    }
    assert read(source, "files/F0BOOK handbook.pdf") == "%PDF-1.7"
    assert "Room plan: https://rooms.example.org" in sentences(read(source, "bookmarks.html"))
    assert "The lift is out of order until May." in sentences(read(source, "pins.html"))


def test_a_thread_is_read_below_what_it_began_with_and_says_who_answered(made: Site) -> None:
    made.at_once = 2
    ts = made.says("Where do I get a <https://keys.example.org|key>? &amp; when?")
    made.says("Ask <@U0ANA> at the desk.\n• before *ten*\n• with your ~badge~ card", "U0BEN", ts)
    made.says("```make key```", "U0BEN", ts)
    page = read(made.source(), f"threads/{ts}.html")
    said = sentences(page)
    assert "#facilities › Where do I get a key (https://keys.example.org)? &amp; when?" in page
    assert "Ask @Ana Lopez at the desk." in said
    assert "before ten" in said
    assert "Ben Okafor, 21 September 2026" in page
    assert not [each for each in said if "badge" in each or "*" in each or "•" in each]


def test_what_bots_say_and_what_asks_the_bot_is_no_source(tmp_path: Path, made: Site) -> None:
    made.pin("Parking costs two euros.", BOT, bot_id="B0VOUCH")
    made.says(f"<@{BOT}> how much is parking?")
    made.says("Parking costs three euros.", BOT, bot_id="B0VOUCH")
    made.says("Ana joined", subtype="channel_join")
    ts = made.says("How much is parking?")
    made.says("Parking costs four euros.", BOT, ts, bot_id="B0VOUCH")
    made.says("Parking costs five euros.", "U0BEN", ts)
    source = reader(tmp_path, made)
    source.read()
    assert source.served.keys() == {f"threads/{ts}.html"}
    assert "five" in source.copied
    assert "four" not in source.copied


def test_history_is_read_where_that_is_set_and_no_farther_back(made: Site) -> None:
    made.now = iter(range(1_000_000_000, 1_000_000_009))
    made.says("Long ago the desk was on floor two.")
    assert list(listed(made.source(days=365))) == []
    assert len(listed(made.source(days=36_000))) == 1
    made.asked.clear()
    assert list(listed(made.source(days=0))) == []
    assert not [path for path in made.paths if "history" in path]


def test_who_left_slack_is_called_as_it_still_tells(made: Site) -> None:
    told = {"name": "cara", "profile": {"real_name": "Cara Diaz"}}
    made.people["U0CARA"], made.people["U0DAN"] = told, {"name": "dan"}
    for user in ("U0CARA", "U0DAN", "U0NOBODY"):
        made.pin(f"Ask <@{user}> for the key of the yard.", user)
    page = read(made.source(), "pins.html")
    for called in ("Cara Diaz", "dan", "U0NOBODY"):
        assert f"Ask @{called} for the key of the yard." in page
        assert f">{called}, 21 September 2026" in page


def test_a_reply_that_is_shown_to_the_channel_too_is_read_once(made: Site) -> None:
    made.at_once = 2
    ts = made.says("When is the fire drill?")
    shown = made.says("On Friday at nine.", "U0BEN", ts, subtype="thread_broadcast")
    made.threads[shown] = [made.threads[ts][1]]
    for number in range(3):
        made.says(f"Reply {number}.", "U0BEN", ts)
    source = made.source()
    assert listed(source).keys() == {f"threads/{ts}.html"}
    assert read(source, f"threads/{ts}.html").count(f'id="{ts}"') == 1


def test_each_place_links_to_where_it_stands_in_slack(made: Site) -> None:
    made.canvas("Hours", "<p>We open at six.</p>", "F0HOURS")
    made.file("a.txt", "words", "F0A", permalink="https://elsewhere.example.org/a.txt")
    made.pin("Words.")
    ts = made.says("Where do I park?")
    source = made.source()
    listed(source)
    here = f"http://{made.place}"
    assert source.link(f"threads/{ts}.html") == f"{here}/archives/{CHANNEL}/p{ts.replace('.', '')}"
    assert source.link("pins.html") == f"{here}/archives/{CHANNEL}"
    assert source.link("canvases/F0HOURS Hours.html").startswith(f"{here}/files-pri/T0-F0HOURS")
    assert source.link("files/F0A a.txt") == ""


def test_a_long_name_keeps_its_kind_and_a_file_of_the_bots_is_none(made: Site) -> None:
    made.file(f"{'議事録' * 30}.txt", "Words.", "F0LONG")
    made.file("lines.txt", "Words.", "F0BOTS", user=BOT)
    (path,) = listed(made.source())
    assert path.startswith("files/F0LONG ")
    assert path.endswith(".txt")


def test_many_files_come_in_parts(made: Site) -> None:
    made.at_once = 2
    for number in range(5):
        made.file(f"{number}.txt", "words", f"F0{number}")
    assert len(listed(made.source())) == 5


# --- who may read it ------------------------------------------------------------------


def test_a_public_channel_is_for_whom_everyone_there_is(made: Site) -> None:
    made.pin("Words.")
    assert listed(made.source())["pins.html"].audience == EVERYBODY
    assert listed(made.source(everyone=FACILITIES))["pins.html"].audience == FACILITIES


def test_a_private_channel_is_for_its_members_alone(made: Site) -> None:
    made.channel["is_private"] = True
    made.pin("Words.")
    shown = listed(made.source(members=APOLLO, everyone=FACILITIES))
    assert shown["pins.html"].audience == APOLLO


@pytest.mark.parametrize(
    ("closed", "why"),
    [
        ({"is_private": True}, "usergroups"),
        ({"is_ext_shared": True}, "another company"),
        ({"is_pending_ext_shared": True}, "another company"),
        ({"is_org_shared": True}, "another company"),
        ({"is_member": False}, "Invite"),
        ({"is_im": True}, "a talk of a few"),
        ({"is_mpim": True}, "a talk of a few"),
    ],
)
def test_a_channel_that_closed_is_served_to_nobody_and_why_is_told(
    tmp_path: Path, made: Site, closed: dict[str, bool], why: str
) -> None:
    made.pin("The code of the door is 4711.")
    source = reader(tmp_path, made, everyone=FACILITIES)
    assert source.served_then() == {"pins.html": FACILITIES}
    made.channel |= closed
    report = source.read()
    assert why in str(report.problems)
    assert source.served == {}
    made.channel |= {each: not closed[each] for each in closed}
    assert source.served_then() == {"pins.html": FACILITIES}


def test_a_channel_that_the_bot_was_removed_from_is_served_no_more(
    tmp_path: Path, made: Site
) -> None:
    made.pin("Words that were there.")
    source = reader(tmp_path, made)
    source.read()
    made.refused["conversations.info"] = {"error": "channel_not_found"}
    source.read()
    assert source.served == {}


@pytest.mark.parametrize(
    "lacking", ["is_private", "is_member", "is_ext_shared", "name", "id"]
)  # of whoever reads along nothing may be missing
def test_a_channel_that_is_not_understood_changes_nothing(made: Site, lacking: str) -> None:
    del made.channel[lacking]
    with pytest.raises(SourceUnavailable, match="not understood"):
        made.source().listing()


def test_nobody_reads_what_nobody_may(made: Site) -> None:
    made.pin("Words.")
    assert listed(made.source(members=NOBODY))["pins.html"].audience == NOBODY


# --- what changed ---------------------------------------------------------------------


def test_what_changed_is_fetched_again_and_nothing_else(tmp_path: Path, made: Site) -> None:
    made.canvas("Hours", "<p>We open at six.</p>", "F0HOURS")
    made.file("rules.txt", "No bikes in the hall.", "F0RULES")
    ts = made.says("The desk moves to floor four.")
    source = reader(tmp_path, made)
    source.read()
    made.asked.clear()
    source.read()
    assert not [path for path in made.paths if "files-pri" in path or "replies" in path]
    made.canvas("Hours", "<p>We open at seven.</p>", "F0HOURS", updated=2)
    made.says("On Monday.", "U0BEN", ts)
    source.read()
    assert "seven" in source.copied
    assert "On Monday." in source.copied
    assert len([path for path in made.paths if "files-pri" in path]) == 1


def test_what_was_touched_is_fetched_anew_whatever_its_mark_says(
    tmp_path: Path, made: Site
) -> None:
    ts = made.says("When is the fire drill?")
    made.says("On Friday at nine.", "U0BEN", ts)
    source = reader(tmp_path, made)
    source.read()
    made.threads[ts][1]["text"] = "On Tuesday at nine."  # an edited reply changes no listing
    source.read()
    assert "Friday" in source.copied
    source.mirror.touch([f"threads/{ts}.html"])
    assert source.mirror.touched()
    source.read()
    assert "Tuesday" in source.copied
    assert "Friday" not in source.copied
    assert not source.mirror.touched()


def test_what_is_touched_again_while_it_is_read_is_read_again(tmp_path: Path, made: Site) -> None:
    ts = made.says("The drill is on Friday.")
    source = reader(tmp_path, made)
    source.read()
    source.mirror.touch([f"threads/{ts}.html"])
    made.before_answering = once("pins.list", lambda: source.mirror.touch([f"threads/{ts}.html"]))
    source.read()
    assert set(source.mirror.touched().values()) == {f"threads/{ts}.html"}


def test_a_touch_outlasts_a_reading_that_fails(tmp_path: Path, made: Site) -> None:
    ts = made.says("The drill is on Friday.")
    source = reader(tmp_path, made)
    source.read()
    source.mirror.touch([f"threads/{ts}.html"])
    made.refused["pins.list"] = {"error": "internal_error"}
    with pytest.raises(SourceUnavailable, match="internal_error"):
        source.read()
    assert source.mirror.touched()


# --- strangers ------------------------------------------------------------------------


def test_a_page_to_sign_in_on_is_no_canvas(made: Site) -> None:
    made.canvas("Hours", SIGN_IN, "F0HOURS")
    with pytest.raises(UnreadableDocument, match="sign in"):
        read(made.source(), "canvases/F0HOURS Hours.html")


def test_the_token_goes_to_no_other_host(made: Site) -> None:
    with another_server(b"words") as (place, told):
        made.file("a.txt", "words", "F0A", url_private=f"http://{place}/a.txt")
        made.file("b.txt", "words", "F0B")
        made.instead["/files-pri/T0-F0B"] = [(302, {"Location": f"http://{place}/b.txt"}, "")]
        source = made.source()
        for path in ("files/F0A a.txt", "files/F0B b.txt"):
            with pytest.raises(UnreadableDocument, match="leads to a host"):
                read(source, path)
    assert told == []


def test_names_of_strangers_lead_nowhere(tmp_path: Path, made: Site) -> None:
    made.canvas("../../x", "<p>One.</p>", "F0ONE")
    made.file("../metadata.yaml", '"*": {audience: everyone}', "F0TWO")
    made.file("a/b\0.txt", "Words.", "F0THREE")
    shown = set(listed(made.source()))
    assert shown == {"canvases/F0ONE ..-..-x.html", "files/F0THREE a-b-.txt"}
    source = reader(tmp_path, made)
    source.read()
    assert not (tmp_path / "x.html").exists()


@pytest.mark.parametrize("key", ["../F0", "F0/../x", "f0", ""])
def test_a_file_whose_id_is_none_stops_the_reading(made: Site, key: str) -> None:
    made.file("a.txt", "words", "F0A")["id"] = key
    with pytest.raises(SourceUnavailable, match="not understood"):
        made.source().listing()


def test_what_somebody_types_is_words_and_no_page(made: Site) -> None:
    ts = made.says("<!channel> &lt;meta name='audience' content='everyone'&gt; </p><script>x")
    page = read(made.source(), f"threads/{ts}.html")
    assert "<script" not in page
    assert "<meta name='audience'" not in page


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"error": "missing_scope", "needed": "pins:read"}, "without pins:read"),
        ({"error": "missing_scope", "needed": "<b>secret</b>"}, "without a scope"),
        ({"error": "token_revoked"}, "credentials that are set"),
        ({"error": "<b>secret</b>"}, "what is not understood"),
    ],
)
def test_a_refusal_says_what_to_do_and_repeats_nothing(
    made: Site, said: dict[str, str], told: str
) -> None:
    made.refused["pins.list"] = said
    with pytest.raises(SourceUnavailable, match=told) as refused:
        made.source().listing()
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("url", ["slack://general", f"slack://{CHANNEL}/threads", "slack://U0ANA1"])
def test_what_is_no_channel_is_said(url: str) -> None:
    reading = SlackReading("xoxb-1", "https://slack.com/api/", 0)
    with pytest.raises(BadSource, match="CHANNEL_ID"):
        of_slack(source_url(url), reading, 1)
    with pytest.raises(BadSource, match="VOUCH_SLACK_BOT_TOKEN"):
        of_slack(source_url(f"slack://{CHANNEL}"), SlackReading("", "https://slack.com/api/", 0), 1)
