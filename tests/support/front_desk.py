"""Commands, buttons and modals in a real workspace; what is recorded is made up."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any

from libraries import library_in
from office import ANA, BEN, GENERAL, LOUNGE, MEANINGS, PEOPLE, SEED, NotedClient, rules_of
from slack_sdk import WebClient
from workspace_client import UNHURRIED, Slack

from audit.log import AuditReader, AuditWriter, open_reader, open_writer
from audit.record import AuditEvent, AuditRecord, EventKind
from audit.values import Channel
from bot.access.channels import Channels
from bot.access.names import AuditNames
from bot.access.people import Access
from bot.access.reading import RecordAccess, kept_out_in, readable, sources_in
from bot.jobs.runs import JobStatus
from bot.slack.admin import Admin
from bot.slack.app import slack_app
from bot.slack.blocks.reply import reply
from bot.slack.channels import ChannelManager
from bot.slack.citations import Draw, EvidencePictures
from bot.slack.clicked import Replies
from bot.slack.clicks import Clicks, FeedbackStore
from bot.slack.directory import BotIdentity, SlackChannels, SlackPeople
from bot.slack.failures import Advising, Throttle
from bot.slack.home import ABOUT_MESSAGE, ANYWHERE, AppHome, LibraryView, Shortcuts
from bot.slack.inbox.store import Inbox
from bot.slack.intake import Intake, Notices
from bot.slack.referring import AskPerson
from bot.slack.transport import SocketTransport
from bot.workspace.seed import BOT_USER, Command, Room, Shortcut
from bot.workspace.server import Options, Workspace
from retrieval.documents.sql_library import SqlLibrary
from retrieval.metadata.ontology import load_ontology

WITHOUT_BOT = "C0WITHOUT"
ANAS = "C0ANAS"
"""Where the bot is, and of people Ana alone."""
PAGES = "https://pages.test"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


COMMANDS = ("/ask", "/audit", "/ask-settings")
SOURCES = ["handbook", "notices"]
"""Of which everyone in any channel may read something."""


@dataclass
class FrontDesk:
    workspace: Workspace
    slack: Slack
    bot: WebClient
    writer: AuditWriter
    records: AuditReader
    library: SqlLibrary
    store: Path
    inbox: Inbox
    jobs: list[JobStatus]
    advised: list[str]

    def posted(self, record: AuditRecord, moved_to: str = "", *, shareable: bool = False) -> str:
        """The reply to a recorded question stands where it was asked, or had to move; its `ts`."""
        self.writer.append(record)
        place = Channel(id=moved_to) if moved_to else record.channel
        shown = reply(record, 7, quoted=bool(moved_to), shareable=shareable)
        if moved_to:
            self.writer.append(_delivered(record, place))
        posted = self.bot.chat_postMessage(
            channel=place.id,
            thread_ts=place.thread or None,
            text=shown.text,
            blocks=[dict(block) for block in shown.blocks],
        )
        return str(posted["ts"])

    def audit(self, said: str, channel: str = GENERAL) -> dict[str, Any]:
        """What an administrator is shown who writes `/audit ...`."""
        return self.told(lambda: self.slack.command(ANA, channel, "/audit", said), ANA, channel)

    def told(
        self, does: Callable[[], object], user: str = BEN, channel: str = GENERAL
    ) -> dict[str, Any]:
        before = len(self.whispers(user, channel))
        does()
        return self.slack.wait_for(
            lambda: next(iter(self.whispers(user, channel)[before:]), None), 30
        )

    def whispers(self, user: str, channel: str = GENERAL) -> list[dict[str, Any]]:
        said = self.slack.messages(channel, user)
        return [message for message in said if message.get("ephemeral")]

    def opens(self, does: Callable[[], object], user: str = BEN) -> dict[str, Any]:
        with self.slack.page(user) as page:
            does()
            view: dict[str, Any] = page.next("view")["view"]
        return view

    def feedback(self, record: AuditRecord) -> list[AuditEvent]:
        events = [stored.entry for stored in self.records.events(record.audit_id)]
        return [event for event in events if isinstance(event, AuditEvent)]


@contextmanager
def open_desk(
    folder: Path,
    draw: Draw | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    workspace_options: Options = UNHURRIED,
) -> Iterator[FrontDesk]:
    """`draw`: makes the pictures of cited places; without it there are none."""
    elsewhere = (Room(WITHOUT_BOT, "without", (ANA, BEN)), Room(ANAS, "anas", (ANA, BOT_USER)))
    seed = replace(
        SEED,
        channels=(*SEED.channels, *elsewhere),
        commands=tuple(map(Command, COMMANDS)),
        shortcuts=(
            Shortcut(ABOUT_MESSAGE, "Ask Vouch about this", about_message=True),
            Shortcut(ANYWHERE, "Ask Vouch", about_message=False),
        ),
    )
    store = folder / "audit.sqlite"
    with (
        Workspace(seed, options=workspace_options) as workspace,
        open_writer(f"sqlite:///{store}") as writer,
        open_reader(f"sqlite:///{store}") as records,
        Inbox.open(f"sqlite:///{folder / 'inbox.sqlite'}") as inbox,
        ThreadPoolExecutor(1) as background,
    ):
        client = NotedClient(token=workspace.bot_token, base_url=workspace.api_url)
        library, jobs, advised = library_in(folder), list[JobStatus](), list[str]()
        people, identity = SlackPeople(client, lambda: PEOPLE), BotIdentity(client)
        rules = rules_of(inbox, people, client)
        pictures = EvidencePictures(client, draw, inbox.uploads, now) if draw else None
        home = AppHome(
            client,
            people,
            Access(PEOPLE, Channels({})).scope_for,
            records,
            LibraryView(
                partial(readable, library),
                lambda _: "",
                partial(sources_in, library, load_ontology()),
                partial(kept_out_in, library, load_ontology()),
                lambda source: len(library.holdings(source)),
                lambda _: (),
            ),
            lambda: jobs,
            date.today,
            "http://127.0.0.1:8701",
        )
        app = slack_app(
            WebClient(base_url=workspace.api_url, retry_handlers=[]),
            identity,
            "",
            Intake(
                inbox,
                Notices(
                    client,
                    inbox.stale_messages,
                    background,
                    Throttle(60, lambda: 0.0),
                    _now,
                    background,
                    Advising(advised.append),
                ),
                home,
                _now,
                MEANINGS,
                rules,
            ),
            Clicks(
                replies=Replies(records, people),
                kept=FeedbackStore(records, writer.append, _now),
                inbox=inbox,
                channels=SlackChannels(client),
                visibility=RecordAccess(
                    Access(PEOPLE, Channels({})).scope_for,
                    library.access_of,
                    library.rules_at,
                    date.today,
                ),
                rules=rules,
                texts=lambda _: {},
                now=_now,
                pictures=pictures,
                pages=PAGES,
            ).on,
            Admin(
                records,
                people,
                AuditNames(records, lambda: PEOPLE, lambda: library, tuple),
                partial(kept_out_in, library, load_ontology()),
                lambda: _now().date(),
            ).on,
            ChannelManager(rules, lambda _: SOURCES, _now).on,
            Shortcuts(inbox, SlackChannels(client), identity.bot_user, MEANINGS, _now).on,
        )
        asking = AskPerson(
            Replies(records, people),
            inbox.referrals,
            SlackChannels(client),
            lambda _: None,
            (),
            lambda _: LOUNGE,
            writer.append,
            identity.bot_user,
            now,
        )
        asking.on(app)
        home.on(app)
        transport = SocketTransport(app, workspace.app_token, identity)
        transport.start()
        try:
            slack = Slack(workspace.url)
            slack.wait_for_bot(30)
            yield FrontDesk(
                workspace, slack, client, writer, records, library, store, inbox, jobs, advised
            )
        finally:
            transport.stop()
            if pictures:
                pictures.stop()


def _delivered(record: AuditRecord, place: Channel) -> AuditEvent:
    return AuditEvent(
        kind=EventKind.DELIVERED,
        event_id=f"{record.audit_id}-delivered",
        audit_id=record.audit_id,
        time=NOON,
        channel=place,
    )


def _now() -> datetime:
    return datetime.now(UTC)
