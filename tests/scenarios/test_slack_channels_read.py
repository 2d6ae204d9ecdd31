"""A channel of Slack is a source, until somebody takes back what they said there."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from slack_scene import GENERAL, UNHURRIED, connecting_to, opened
from slack_site import CHANNEL, TOKEN, Site, site
from vouch_home import LENIENT, Home, write

from bot.jobs.work import Finished
from bot.settings import Settings
from bot.wiring import Container
from bot.wiring.sources import AGAIN, ChannelSources
from bot.wording.redaction import Address

URL = f"slack://{CHANNEL}"
PARKING = "how much is parking a day?"


@dataclass
class Reader:
    """A bot that hears of a channel, and reads it in."""

    home: Home
    made: Site
    now: float = 0.0
    runs: list[Sequence[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        settings = Settings(_env_file=None, home=self.home.path)  # type: ignore[call-arg]  # pydantic-settings' own
        changed = {
            "slack_bot_token": SecretStr(TOKEN),
            "slack_api_url": Address(self.made.api_url),
            "slack_history_days": 36_500,
        }
        container = Container(settings.model_copy(update=changed))
        self.sources = ChannelSources(container, self.run, lambda: self.now)

    @property
    def environment(self) -> dict[str, str]:
        return {
            **LENIENT,
            "VOUCH_SLACK_BOT_TOKEN": TOKEN,
            "VOUCH_SLACK_API_URL": self.made.api_url,
            "VOUCH_SLACK_HISTORY_DAYS": "36500",
        }

    def run(self, words: Sequence[str], _: threading.Event) -> Finished:
        self.runs.append(words)
        done = self.home.vouch(*words, **self.environment)
        return Finished(done.status, None, done.said)

    def hears(self, event: Mapping[str, Any]) -> bool:
        """Whether there was something to do."""
        self.sources.heard(event)
        return self.sources()


@pytest.fixture
def reader(home: Home) -> Iterator[Reader]:
    with site() as made:
        yield Reader(home, made)


def changed(ts: str, subtype: str = "message_changed", **before: Any) -> dict[str, Any]:
    previous = {"ts": ts, "user": "U0BEN", **before}
    told = {"type": "message", "subtype": subtype, "channel": CHANNEL}
    return {**told, "message": {"ts": ts, "text": "Now."}, "previous_message": previous}


def test_a_reply_that_is_corrected_or_deleted_is_answered_from_no_more(reader: Reader) -> None:
    home, made = reader.home, reader.made
    root = made.says("How much is parking a day in the yard?")
    made.says("Parking costs two euros a day in the yard.", "U0BEN", root)
    home.does("ingest", URL, "--for=everyone", **reader.environment)
    answer = home.ask(PARKING)
    assert "two euros" in str(answer["claims"])
    made.threads[root][1]["text"] = "Parking costs three euros a day in the yard."
    assert reader.hears(changed(made.threads[root][1]["ts"], thread_ts=root))
    assert reader.runs == [("ingest", URL)]
    assert "three euros" in str(home.ask(PARKING)["claims"])
    assert not reader.sources()
    del made.threads[root]
    assert not reader.hears(changed(root, "message_deleted")), "it was read just now"
    assert "euros" not in str(home.ask(PARKING)), "and is served no more nevertheless"
    reader.now += AGAIN
    assert reader.sources()
    assert home.texts() == {}


def test_what_was_taken_back_is_not_served_while_slack_is_away(reader: Reader) -> None:
    home, made = reader.home, reader.made
    root = made.says("Parking costs two euros a day in the yard.")
    home.does("ingest", URL, "--for=everyone", **reader.environment)
    made.refused["files.list"] = {"error": "internal_error"}
    del made.threads[root]
    assert reader.hears(changed(root, "message_deleted"))
    assert "euros" not in str(home.ask(PARKING))
    assert not reader.sources()  # tried again in a minute
    made.refused.clear()
    reader.now += AGAIN
    assert reader.sources()
    assert home.texts() == {}


def test_a_file_that_is_deleted_and_a_pin_that_is_removed_leave(reader: Reader) -> None:
    home, made = reader.home, reader.made
    made.file("yard.txt", "Parking costs two euros a day in the yard.", "F0YARD")
    made.pin("The gym opens at six in the morning on weekdays.")
    home.does("ingest", URL, "--for=everyone", **reader.environment)
    assert set(home.texts()) == {"files/F0YARD yard.txt", "pins.html"}
    made.files.clear()
    assert reader.hears({"type": "file_deleted", "file_id": "F0YARD"})
    assert set(home.texts()) == {"pins.html"}
    made.pins.clear()
    reader.sources.heard({"type": "pin_removed", "channel_id": CHANNEL})
    assert home.texts() == {}
    reader.now += AGAIN
    assert reader.sources()


@pytest.mark.parametrize(
    "event",
    [
        changed("1790000000.000100", bot_id="B0VOUCH"),
        changed("1790000000.000100", text="Now."),  # with a link's preview
        {**changed("1790000000.000100"), "channel": "C0ANOTHER"},
        {**changed("1790000000.000100"), "subtype": None},
        {"type": "file_deleted", "file_id": "F0OTHER"},
        {"type": "file_deleted", "file_id": "*"},
        {"type": "file_deleted", "file_id": "../../x"},
        {"type": "pin_removed"},
    ],
)
def test_what_concerns_no_document_of_a_channel_reads_nothing(
    reader: Reader, event: Mapping[str, Any]
) -> None:
    reader.made.file("yard.txt", "Parking costs two euros.", "F0YARD")
    reader.home.does("ingest", URL, "--for=everyone", **reader.environment)
    assert not reader.hears(event)
    assert reader.runs == []


@pytest.mark.parametrize("ts", ["../../../x", "", "1.2", "1790000000.000100/.."])
def test_a_timestamp_that_is_none_names_no_file(reader: Reader, ts: str) -> None:
    reader.made.pin("The gym opens at six in the morning.")
    reader.home.does("ingest", URL, "--for=everyone", **reader.environment)
    assert not reader.hears(changed(ts, thread_ts="1790000000.000100"))
    assert not list(reader.home.path.glob(".mirrors/*/touched/*"))


def test_a_pinned_message_that_is_corrected_is_read_anew_and_others_touch_nothing(
    reader: Reader,
) -> None:
    home, made = reader.home, reader.made
    made.pin("The gym opens at six in the morning on weekdays.")
    pinned = made.pins[0]["message"]
    home.does("ingest", URL, "--for=everyone", **reader.environment)
    assert not reader.hears(changed("1790000999.000100"))
    made.pins[0]["message"] = {**pinned, "text": "The gym opens at seven in the morning."}
    assert reader.hears(changed(pinned["ts"]))
    assert "seven" in str(home.texts())


def test_another_reading_that_serves_it_again_is_undone(reader: Reader) -> None:
    home, made = reader.home, reader.made
    root = made.says("Parking costs two euros a day in the yard.")
    home.does("ingest", URL, "--for=everyone", **reader.environment)
    made.refused["pins.list"] = {"error": "internal_error"}
    reader.hears(changed(root, "message_deleted"))
    library = home.library
    (held,) = library.holdings(library.sources()[0].name).values()
    library.suspend([held.document.document_id], False)
    assert "euros" in str(home.ask(PARKING))
    reader.sources()
    assert "euros" not in str(home.ask(PARKING))


PRIVATE = f"usergroups:\n  {CHANNEL}: {{courses: [apollo]}}\n"


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"people.yaml": f"people: []\nusergroups: {{{CHANNEL}: {{courses: [apollo, zeus]}}}}\n"},
        {"people.yaml": f"people: [{{id: eve, courses: [apollo, zeus]}}]\n{PRIVATE}"},
        {"people.yaml": f"people: []\n{PRIVATE}  tutors: {{courses: [apollo]}}\n"},
        {
            "people.yaml": f"people: []\n{PRIVATE}",
            "channels.yaml": "channels: [{id: C0OTHER1, audience: {courses: [apollo]}}]\n",
        },
    ],
)
def test_a_private_channel_is_for_nobody_where_not_its_members_alone_have_the_value(
    reader: Reader, files: Mapping[str, str]
) -> None:
    reader.made.channel["is_private"] = True
    reader.made.pin("Parking costs two euros a day in the yard.")
    write(reader.home.path, files)
    read = reader.home.vouch("ingest", URL, "--for=everyone", **reader.environment)
    assert "what its members have and nobody else" in read.said
    assert reader.home.texts() == {}


def test_a_private_channel_is_for_its_members_alone(reader: Reader) -> None:
    home, made = reader.home, reader.made
    made.channel["is_private"] = True
    made.pin("Parking costs two euros a day in the yard.")
    write(home.path, {"people.yaml": f"people: [{{id: eve, courses: [zeus]}}]\n{PRIVATE}"})
    home.does("ingest", URL, "--for=everyone", **reader.environment)
    (document,) = {each.document for each in home.library.all_passages()}
    assert document.metadata.access.audience == (("courses", ("apollo",)),)
    assert "euros" not in str(home.ask(PARKING, "--as", "eve"))
    assert "euros" not in str(home.ask(PARKING))


def test_a_source_without_the_bots_token_says_so(home: Home) -> None:
    refused = home.refuses("VOUCH_SLACK_BOT_TOKEN", "ingest", URL, "--for=everyone")
    assert "Traceback" not in refused.said


def test_a_running_bot_serves_no_more_what_is_deleted_in_its_channel(
    university: Home, tmp_path: Path
) -> None:
    said, asked = "The boat house opens at nine on Sundays.", "When does the boat house open?"
    lasting = {"VOUCH_SLACK_HISTORY_DAYS": "30"}
    with opened(university, tmp_path, UNHURRIED, **lasting) as scene:
        ana, ben = scene.somebody("ana"), scene.somebody("ben")
        ts = scene.slack.says(ben.user, GENERAL, said)
        environment = {**connecting_to(scene.workspace), **lasting}
        reading = ("ingest", f"slack://{GENERAL}", "--for=everyone", "--name=general")
        scene.home.does(*reading, **environment)
        assert said in scene.only_reply_to(scene.writes(ana, asked)).words
        scene.slack.deletes(ben.user, GENERAL, ts)
        scene.program.wait_for(lambda: f"threads/{ts}.html" not in scene.home.texts())
        copies = scene.home.path / ".mirrors"
        scene.program.wait_for(lambda: not list(copies.glob("*/touched/*")))
        assert not list(copies.glob(f"*/files/threads/{ts}.html"))
        assert said not in scene.only_reply_to(scene.writes(ana, f"{asked} Please.")).words
