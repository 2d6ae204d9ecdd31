"""Questions that were passed to people who may know, until somebody has answered them."""

from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from audit.storing.tables import storable
from audit.teams import of_team
from bot.slack.exchange import Exchange
from bot.slack.inbox.database import Transact
from bot.slack.inbox.due import DueRows
from bot.slack.inbox.tables import exchange_of, exchanges, referrals

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
    """By Slack's id."""
    named: bool
    """Whether those who are asked may know who asks."""
    note: str
    """What the asker added."""
    channel: str
    """Where it is passed on."""
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
    """Slack's id."""
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
        """The id of the event by which the audit has the answer."""
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
        """Tell whether its question was deleted or changed."""
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
        """Change it in one transaction; None, and nothing, where `changed` refuses or none is.

        So it is where its question was deleted or changed.
        """
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
