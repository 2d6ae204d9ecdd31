"""What is kept beside questions: their files, to whom they were passed on, settings of channels.

A file is found from a question of the same thread alone, by what `queries.files_for` says, and goes
with the message that it came with.
"""

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, update

from audit.storing.tables import of_team, storable
from bot.slack.exchange import MOST_FILES, Answers, AttachedFile, Exchange, first_key
from bot.slack.inbox import queries
from bot.slack.inbox.database import DueRows, Transact
from bot.slack.inbox.tables import (
    attached_in,
    attachments,
    channel_settings,
    exchange_of,
    exchanges,
    referrals,
)
from retrieval.types import Passage


@dataclass(frozen=True, slots=True)
class ChannelSettings:
    """What managers of a channel set; without any, what is set here."""

    answers: Answers = Answers.MENTIONED
    sources: frozenset[str] = frozenset()
    """Names of those that answers come from; empty for all that may be read there."""
    beside: bool = False
    outsiders: bool = False
    ask_person: str = ""
    """Id of the channel where "Ask a person" goes; empty for none."""
    changed_by: str = ""
    """Slack's id; empty where nobody changed anything yet."""
    changed_at: datetime | None = None


class ChannelSettingsStore:
    """Read at every use, so that several processes see a change at once."""

    def __init__(self, transact: Transact) -> None:
        self._transact = transact

    def of(self, channel: str) -> ChannelSettings:
        """Return what was set, whatever may be set; raise `InboxUnavailable`."""
        query = select(channel_settings).where(channel_settings.c.channel == channel)
        with self._transact() as connection:
            row = connection.execute(query).mappings().one_or_none()
        if row is None:
            return ChannelSettings()
        kept = {name: value for name, value in row.items() if name != "channel"}
        read = {
            "answers": Answers(row["answers"]),
            "sources": frozenset(json.loads(row["sources"])),
        }
        return ChannelSettings(**{**kept, **read})

    def keep(self, channel: str, settings: ChannelSettings, by: str, now: datetime) -> None:
        """Keep them in place of what was set before; raise `InboxUnavailable`."""
        row = {
            **asdict(replace(settings, changed_by=by, changed_at=now)),
            "channel": channel,
            "answers": settings.answers.value,
            "sources": json.dumps(sorted(settings.sources)),
        }
        with self._transact() as connection:
            mine = channel_settings.c.channel == channel
            connection.execute(delete(channel_settings).where(mine))
            connection.execute(insert(channel_settings).values(row))


_PASSAGES = TypeAdapter(tuple[Passage, ...])
_mine = attachments.c


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that a question may be answered from."""

    key: str
    """Of the message that it came with."""
    channel: str
    """Where that stands."""
    file: AttachedFile
    is_new: bool = True
    """It came with the question, or without one since the last."""
    why: str = ""
    """Why it is not read, as it follows on its name; empty where it is, or waits."""
    passages: tuple[Passage, ...] = ()
    """None where it is not read, or waits."""

    @property
    def waits(self) -> bool:
        return not self.why and not self.passages


class Attachments:
    def __init__(self, transact: Transact) -> None:
        self._transact = transact

    def of(self, exchange: Exchange) -> list[StoredFile]:
        """Return the files of a question and of those before it in its thread, oldest first."""
        with self._transact() as connection:
            return [_as_read(connection, each) for each in _came(connection, exchange)]

    def new_of(self, exchange: Exchange) -> list[StoredFile]:
        """Return those that came with a question, or without one since the last."""
        with self._transact() as connection:
            came = [each for each in _came(connection, exchange) if each.is_new]
            return [_as_read(connection, each) for each in came]

    def with_question(self, audit_id: str) -> tuple[AttachedFile, ...]:
        """Return the newest of the same by a record's id, to be carried to another question."""
        with self._transact() as connection:
            row = connection.execute(select(exchanges).filter_by(audit_id=audit_id)).one_or_none()
            came = _came(connection, exchange_of(row)) if row else []
        return tuple(replace(each.file, message=each.key) for each in came[-MOST_FILES:])

    def is_wanted(self, exchange: Exchange) -> bool:
        """Tell whether the question stands still: nothing is kept with one that was withdrawn."""
        with self._transact() as connection:
            found = select(exchanges.c.withdrawn_at).filter_by(exchange_id=exchange.exchange_id)
            row = connection.execute(found).one_or_none()
        return row is not None and row.withdrawn_at is None

    def begin(self, waiting: StoredFile, now: datetime) -> None:
        """Note that it is being read: what is taken away meanwhile is not kept."""
        with self._transact() as connection:
            there = select(_mine.file_id).where(*_row_of(waiting))
            if connection.scalar(there) is None:
                row = {"key": waiting.key, "file_id": waiting.file.file_id, "added_at": now}
                connection.execute(insert(attachments).values(**row, why="", passages=""))

    def settle(self, waiting: StoredFile, passages: Sequence[Passage], why: str = "") -> None:
        """Keep what was read of it, or why nothing was; not where it was taken away."""
        packed = _PASSAGES.dump_json(tuple(passages)).decode() if passages else ""
        with self._transact() as connection:
            changes = {"passages": packed, "why": why}
            connection.execute(update(attachments).where(*_row_of(waiting)).values(**changes))

    def passages(self, file_ids: Collection[str]) -> list[Passage]:
        """Return all that is kept of files, whoever asked: to show what a record names."""
        with self._transact() as connection:
            kept = select(_mine.passages).where(_mine.file_id.in_(file_ids), _mine.passages != "")
            rows = list(connection.scalars(kept))
        return [passage for packed in rows for passage in _PASSAGES.validate_json(packed)]

    def forget(self, file_id: str) -> None:
        with self._transact() as connection:
            connection.execute(delete(attachments).where(_mine.file_id == file_id))


def _came(connection: Connection, exchange: Exchange) -> list[StoredFile]:
    """Find them, not read yet; one that stands with another message is looked for where that is."""
    rows = connection.execute(queries.files_for(exchange)).all()
    before = connection.execute(queries.previous_to(exchange)).all() if rows else []
    asked_last = before[-1].ts if before else ""
    came = [
        StoredFile(
            file.message or first_key(row.key),
            file.channel or row.asked_channel,
            file,
            row.ts > asked_last,
        )
        for row in rows
        for file in attached_in(row.attached)
    ]
    return list({(each.key, each.file.file_id): each for each in came}.values())


def forget_attachments(connection: Connection, key: str) -> None:
    connection.execute(delete(attachments).where(_mine.key == first_key(key)))


def _as_read(connection: Connection, file: StoredFile) -> StoredFile:
    row = connection.execute(select(attachments).where(*_row_of(file))).one_or_none()
    if row is None:
        return file
    passages = _PASSAGES.validate_json(row.passages) if row.passages else ()
    return replace(file, why=row.why, passages=passages)


def _row_of(file: StoredFile) -> tuple[ColumnElement[bool], ...]:
    return (_mine.key == file.key, _mine.file_id == file.file.file_id)


HOLD = timedelta(minutes=2)
"""How long one replica has one of them for itself."""


class ReferralStage(IntEnum):
    POSTING = 1
    """To be posted where somebody may know."""
    OPEN = 2
    """For somebody's answer."""
    GIVING = 3
    """There is an answer, and the asker does not have it yet."""
    PUBLISHING = 4
    """They have it, and others who ask are to be answered from it, too."""
    GIVEN = 5
    RESOLVED = 6
    """The asker said that it was answered."""
    REOPENED = 7
    """They said that it was not, and those who may know have yet to hear so."""
    CLOSING = 8
    """After that they said that it was, which those who may know have yet to see."""


TO_BE_SENT = (ReferralStage.POSTING.value, ReferralStage.GIVING.value)
OVER = (ReferralStage.GIVEN.value, ReferralStage.RESOLVED.value)
PUBLISHING = referrals.c.stage == ReferralStage.PUBLISHING.value
TALKING = referrals.c.stage.not_in((ReferralStage.PUBLISHING.value, *OVER))
"""Something is said in Slack."""


@dataclass(frozen=True, slots=True)
class Referral:
    """A question that the asker had passed on; there is one at most for each record."""

    audit_id: str
    asker: str
    named: bool
    """Whether those who are asked may know who asks."""
    note: str
    channel: str
    asked_channel: str
    """Where the answer goes; empty for the direct message with the asker."""
    asked_thread: str
    created_at: datetime
    stage: ReferralStage = ReferralStage.POSTING
    post: str = ""
    """`ts` of the message in `channel`; empty until it stands."""
    sending_since: datetime | None = None
    """A message may be on its way: look it up before sending another."""
    sends: int = 0
    """How often it was sent at this stage, each time with a mark of its own: what was taken for
    lost may come late."""
    due: datetime | None = None
    """When there is next something to do; None for nothing."""
    attempts: int = 0
    answer: str = ""
    question: str = ""
    """What others would have to ask to be answered from it."""
    answered_by: str = ""
    answered_at: datetime | None = None
    answers: int = 0
    """How many answers it was given so far: the asker may say that one is none."""
    audience: str = ""
    """Who else is to be answered from it, as JSON of facets; empty for nobody."""
    valid_to: str = ""
    """The answer's last day, ISO 8601; empty for none."""

    @property
    def is_over(self) -> bool:
        """Tell whether nobody's answer is waited for."""
        over = (ReferralStage.PUBLISHING.value, ReferralStage.CLOSING.value, *OVER)
        return self.stage.value in over

    @property
    def is_private(self) -> bool:
        return not self.asked_channel

    @property
    def answered_on(self) -> str:
        return self.answered_at.date().isoformat() if self.answered_at else ""

    @property
    def given_id(self) -> str:
        return f"{self.audit_id}-given-{self.answers}"

    def mark(self, what: str) -> str:
        """Return the `block_id` of a message's first block, by which a lost send is found."""
        return f"{self.marks}{self.answers}-{what}-{self.sends}"

    @property
    def marks(self) -> str:
        """Return what the mark of each of its messages begins with."""
        return f"vouch-referral-{self.audit_id}-"


class Referrals(DueRows[Referral]):
    """A queue and an archive; safe to share between threads and processes."""

    def __init__(self, transact: Transact) -> None:
        super().__init__(transact, referrals, "due", HOLD, select(referrals), _referral)

    def add(self, referral: Referral) -> bool:
        """Store it; False where its record was passed on already."""
        with self._transact() as connection:
            if _find(connection, referral.audit_id) is not None:
                return False
            connection.execute(insert(referrals).values(**_values(referral)))
        return True

    def find(self, audit_id: str) -> Referral | None:
        with self._transact() as connection:
            return _find(connection, audit_id)

    def asked_with(self, audit_id: str) -> Exchange | None:
        """Return what was asked, and where its reply stands; None once the inbox forgot it."""
        with self._transact() as connection:
            row = connection.execute(select(exchanges).filter_by(audit_id=audit_id)).one_or_none()
        return exchange_of(row) if row else None

    def is_withdrawn(self, audit_id: str) -> bool:
        with self._transact() as connection:
            return _is_withdrawn(connection, audit_id)

    def close(self, connection: Connection, audit_ids: Collection[str]) -> list[Referral]:
        """Let nothing more come of questions that were deleted; return what they had come to."""
        mine = referrals.c.audit_id.in_(audit_ids)
        found = [_referral(row) for row in connection.execute(select(referrals).where(mine))]
        over = {"stage": ReferralStage.RESOLVED.value, "due": None}
        still_open = update(referrals).where(mine, referrals.c.stage.not_in(OVER))
        connection.execute(still_open.values(**over))
        return found

    def leave(self, connection: Connection, team: str) -> None:
        """Let nothing more come of what a workspace's people asked; empty for the home's own."""
        mine = of_team(referrals.c.asker, team), referrals.c.stage.not_in(OVER)
        over = {"stage": ReferralStage.RESOLVED.value, "due": None}
        connection.execute(update(referrals).where(*mine).values(**over))

    def save(self, referral: Referral, after: Referral) -> None:
        """Store where it stands `after` a step, unless somebody has done something meanwhile."""
        same = [getattr(referrals.c, name) == getattr(referral, name) for name in _AS_IT_WAS]
        with self._transact() as connection:
            connection.execute(update(referrals).where(*same).values(**_values(after)))

    def change(
        self, audit_id: str, changed: Callable[[Referral], Referral | None]
    ) -> Referral | None:
        """Change it in one transaction; None, and nothing, where `changed` refuses."""
        with self._transact() as connection:
            found = None if _is_withdrawn(connection, audit_id) else _find(connection, audit_id)
            new = changed(found) if found else None
            if new is not None:
                mine = referrals.c.audit_id == audit_id
                connection.execute(update(referrals).where(mine).values(**_values(new)))
        return new


_AS_IT_WAS = ("audit_id", "stage", "answers")


def _find(connection: Connection, audit_id: str) -> Referral | None:
    mine = select(referrals).where(referrals.c.audit_id == audit_id)
    row = connection.execute(mine).one_or_none()
    return _referral(row) if row else None


def _is_withdrawn(connection: Connection, audit_id: str) -> bool:
    when = select(exchanges.c.withdrawn_at).where(exchanges.c.audit_id == audit_id)
    return connection.scalar(when) is not None


def _values(referral: Referral) -> dict[str, object]:
    words = replace(
        referral,
        note=storable(referral.note),
        answer=storable(referral.answer),
        question=storable(referral.question),
    )
    return {**asdict(words), "stage": referral.stage.value}


def _referral(row: Row[Any]) -> Referral:
    values = dict(zip(referrals.c.keys(), row, strict=True))
    return Referral(**{**values, "stage": ReferralStage(row.stage)})
