"""A workspace in the test's process, the real `vouch up` in another, and people who use it."""

import json
import signal
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

import workspace_client
from slack_people import Somebody, add_doubles, double, seed_for
from slack_reading import Shown, audit_id_of, words
from vouch_home import PATIENCE, Home
from workspace_client import Slack

from audit.finding.queries import RecordQuery, Summary
from audit.log import open_reader
from audit.record import AuditEvent, AuditRecord
from bot.wording import slack as wording
from bot.workspace.seed import BOT_USER
from bot.workspace.server import Options, Workspace

GENERAL, CS, IS, STAFF = "C0GENERAL", "C0CSBACHELOR", "C0ISBACHELOR", "C0STAFF"
UNHURRIED = replace(workspace_client.UNHURRIED, redelivery=(0.0, 1.0, 2.0, 4.0, 8.0, 16.0))
QUICK = {"VOUCH_SLACK_PICTURES": "false"}
"""Without pictures, for which a modal changes once more: tests of those ask for them."""
WITHIN = 120.0
"""Seconds after which a test gives up; everything here takes a few."""

Found = TypeVar("Found")


@dataclass(frozen=True)
class Asked:
    who: Somebody
    channel: str
    thread: str
    """Where the reply belongs; empty for the top level of a direct message."""
    ts: str
    text: str
    alone: bool = False
    """The reply stands there for the asker alone, and is gone when Slack is loaded anew."""


@dataclass(frozen=True)
class Reply:
    """A message of the bot that replies, and the record that it stands for."""

    channel: str
    message: Shown
    record: AuditRecord

    @property
    def ts(self) -> str:
        return str(self.message["ts"])

    @property
    def words(self) -> str:
        return words(self.message)


class Program:
    """`vouch up`, running; what it says is kept."""

    def __init__(self, home: Home, *options: str | Path, **environment: str) -> None:
        self._process = home.start("up", *options, **environment)
        self._lines: list[str] = []
        Thread(target=self._read, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def log(self) -> str:
        return "".join(self._lines)

    def wait_for_log(self, part: str) -> None:
        self.wait_for(lambda: part in self.log)

    def wait_for(self, found: Callable[[], Found | None]) -> Found:
        """What `found` returns as soon as that is something; else the log tells why not."""
        until = time.monotonic() + WITHIN
        while time.monotonic() < until:
            if result := found():
                return result
            time.sleep(0.05)
        raise AssertionError(f"Nothing came within {WITHIN} seconds.\n{self.log[-6_000:]}")

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.send(number)
        return self.ended()

    def send(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def ended(self) -> int:
        return self._process.wait(PATIENCE)

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def _read(self) -> None:
        assert self._process.stderr
        self._lines.extend(iter(self._process.stderr.readline, ""))


class Scene:
    """What a test drives: people on one side, what became of their questions on the other."""

    def __init__(self, home: Home, workspace: Workspace, **environment: str) -> None:
        self.home = home
        self.workspace = workspace
        self.slack = Slack(workspace.url)
        self._environment = {**connecting_to(workspace), **QUICK, **environment}
        self._taken: Counter[str] = Counter()
        self.program = Program(home, **self._environment)

    @property
    def audit_url(self) -> str:
        return f"sqlite:///{self.home.path / 'audit.sqlite'}"

    def start(self) -> None:
        self.program = Program(self.home, **self._environment)

    def wait_for(self, found: Callable[[], Found | None]) -> Found:
        return self.program.wait_for(found)

    def wait_until_connected(self) -> None:
        self.wait_for(lambda: self.slack.state()["bot"]["connected"])

    def somebody(self, like: str) -> Somebody:
        self._taken[like] += 1
        return double(like, self._taken[like])

    def mentions(
        self,
        who: Somebody,
        text: str,
        channel: str = GENERAL,
        thread: str = "",
        files: Mapping[str, bytes] | None = None,
    ) -> Asked:
        ts = self.slack.says(who.user, channel, f"@Vouch {text}", thread or None, files)
        return Asked(who, channel, thread or ts, ts, text)

    def adds(self, asked: Asked, text: str, who: Somebody | None = None) -> Asked:
        who = who or asked.who
        ts = self.slack.says(who.user, asked.channel, text, asked.thread)
        return Asked(who, asked.channel, asked.thread, ts, text)

    def writes(
        self, who: Somebody, text: str, thread: str = "", files: Mapping[str, bytes] | None = None
    ) -> Asked:
        channel = self.slack.direct(who.user)
        ts = self.slack.says(who.user, channel, text, thread or None, files)
        return Asked(who, channel, thread, ts, text)

    def commands(self, who: Somebody, text: str, channel: str = GENERAL) -> Asked:
        self.slack.command(who.user, channel, "/ask", text)
        return Asked(who, channel, "", "0", text, alone=True)

    def fills_form(self, who: Somebody, text: str, channel: str = "") -> dict[str, str]:
        """Asks from anywhere, with the form; what is wrong with it by block."""
        view = self.shown(who, lambda: self.slack.shortcut(who.user, "ask_anywhere"))
        typed = {"question": {"question": {"value": text}}}
        chosen = {"channel": {"channel": {"selected_conversation": channel}}}
        return self.slack.submits(who.user, view["id"], typed | chosen)

    def home_of(self, who: Somebody) -> str:
        """The words of a person's Home tab, as the bot draws it now."""
        with self.slack.page(who.user) as page:
            self.slack.post("home", {"as": who.user})
            return json.dumps(page.next("home")["view"], ensure_ascii=False)

    def said_by_bot(self, asked: Asked) -> list[Shown]:
        """All that the bot said where the reply belongs, and to whom it is, since the question."""
        said = self.slack.messages(asked.channel, asked.who.user)
        return [
            one
            for one in said
            if one["user"] == BOT_USER
            and bool(one.get("ephemeral")) is asked.alone
            and one.get("thread_ts", "") == asked.thread
            and one["ts"] > asked.ts
        ]

    def whispers(self, who: Somebody, channel: str) -> list[str]:
        """What the bot told somebody alone there."""
        said = self.slack.messages(channel, who.user)
        return [words(one) for one in said if one.get("ephemeral")]

    def offer_beside(self, reply: Reply, who: Somebody) -> Reply:
        """What the asker alone is told beside a reply: that they may read more."""

        def offered() -> Reply | None:
            told = self.slack.messages(reply.channel, who.user)
            mine = (one for one in told if one.get("ephemeral"))
            found = (one for one in mine if audit_id_of(one) == reply.record.audit_id)
            return next((replace(reply, message=one) for one in found), None)

        return self.wait_for(offered)

    def placeholder_of(self, asked: Asked) -> Shown:
        return self.wait_for(lambda: next(iter(self.said_by_bot(asked)), None))

    def reads(self, asked: Asked, part: str) -> Shown:
        return self.wait_for(
            lambda: next((one for one in self.said_by_bot(asked) if part in words(one)), None)
        )

    def reply_to(self, asked: Asked) -> Reply:
        return self.wait_for(lambda: next(self._replies(asked), None))

    def delivered_to(self, asked: Asked) -> Reply:
        """The reply, as soon as the bot knows, too, that it stands there."""
        reply = self.reply_to(asked)
        self.wait_for(lambda: self.events(reply.record.audit_id, "delivered"))
        return reply

    def only_reply_to(self, asked: Asked) -> Reply:
        """The reply, which must be the only one, with the only record, and stay."""
        reply = self.delivered_to(asked)
        if not asked.alone:
            self.let_settle(asked)
        self.wait_for(lambda: all(self._answers(asked)))  # the placeholder goes after the reply
        assert self._answers(asked) == [reply.record.audit_id]
        recorded = [(each.question, each.channel_id) for each in self.records_of(asked.who)]
        assert recorded.count((asked.text, "" if asked.alone else asked.channel)) == 1
        return reply

    def let_settle(self, asked: Asked) -> None:
        """Wait until all said before has its placeholder: two thanks, each with a short word."""
        self._thanks(asked)
        self._thanks(asked)

    def _thanks(self, asked: Asked) -> None:
        before = len(self._welcomes(asked))
        if asked.channel.startswith("D"):
            self.writes(asked.who, "thanks", asked.thread)
        else:
            self.mentions(asked.who, "thanks", asked.channel, asked.thread)
        self.wait_for(lambda: len(self._welcomes(asked)) > before)

    def records_of(self, who: Somebody) -> tuple[Summary, ...]:
        """What was recorded of somebody's questions, newest first."""
        with open_reader(self.audit_url) as reader:
            return reader.find(RecordQuery(person=who.id)).records

    def record(self, audit_id: str) -> AuditRecord:
        with open_reader(self.audit_url) as reader:
            entry = reader.record(audit_id).entry
        assert isinstance(entry, AuditRecord)
        return entry

    def events(self, audit_id: str, kind: str) -> list[AuditEvent]:
        with open_reader(self.audit_url) as reader:
            entries = [each.entry for each in reader.events(audit_id)]
        return [each for each in entries if isinstance(each, AuditEvent) and each.kind == kind]

    def opens(self, who: Somebody, reply: Reply, action_id: str) -> dict[str, Any]:
        return self.shown(who, lambda: self.clicks(who, reply, action_id))

    def shown(self, who: Somebody, does: Callable[[], object]) -> dict[str, Any]:
        with self.slack.page(who.user) as page:
            does()
            view: dict[str, Any] = page.next("view")["view"]
        return view

    def audits(self, who: Somebody, asked: str) -> dict[str, Any]:
        return self.shown(who, lambda: self.slack.command(who.user, GENERAL, "/audit", asked))

    def clicks(self, who: Somebody, reply: Reply, action_id: str, value: str | None = None) -> None:
        self.slack.clicks(who.user, reply.channel, reply.ts, action_id, value)

    def watching(self, who: Somebody) -> Callable[[], str]:
        """All that this person's page is shown from now on: messages, changes, modals."""
        lines: list[str] = []
        url = f"{self.workspace.url}/page/events?as={who.user}"
        stream = urllib.request.urlopen(url)  # noqa: S310 - the workspace's own
        stream.readline()
        Thread(target=lambda: lines.extend(line.decode() for line in stream), daemon=True).start()
        return lambda: "".join(lines)

    def _answers(self, asked: Asked) -> list[str]:
        """The audit id of each message but thanks; empty of a placeholder."""
        said = self.said_by_bot(asked)
        heard = (wording.THANKS, wording.ASKED_IN_PLACE)
        return [audit_id_of(one) for one in said if words(one) not in heard]

    def _replies(self, asked: Asked) -> Iterator[Reply]:
        for message in self.said_by_bot(asked):
            audit_id = audit_id_of(message)
            record = self.record(audit_id) if audit_id else None
            if record and record.question == asked.text:
                yield Reply(asked.channel, message, record)

    def _welcomes(self, asked: Asked) -> list[Shown]:
        return [one for one in self.said_by_bot(asked) if words(one) == wording.THANKS]


def connecting_to(workspace: Workspace) -> dict[str, str]:
    """What stands in the shell of somebody whose Slack this is."""
    return {
        "VOUCH_SLACK_BOT_TOKEN": workspace.bot_token,
        "VOUCH_SLACK_APP_TOKEN": workspace.app_token,
        "VOUCH_SLACK_SIGNING_SECRET": workspace.signing_secret,
        "VOUCH_SLACK_API_URL": workspace.api_url,
        "VOUCH_HEALTH_PORT": "0",
    }


@contextmanager
def opened(
    home: Home, folder: Path, options: Options = UNHURRIED, **environment: str
) -> Iterator[Scene]:
    """A scene with a copy of a home; at its end the bot must stop by itself."""
    own = home.copy_to(folder / "home").without_answers()
    add_doubles(own)
    with Workspace(seed_for(own), options=options) as workspace:
        scene = Scene(own, workspace, **environment)
        try:
            scene.wait_until_connected()
            yield scene
        finally:
            scene.program.end()
