"""What is done and old leaves the inbox, and what a person said, once the audit store erases it."""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, delete, or_, select

from audit.engines import file_of, is_file, scrub_file
from bot.slack.exchange import Stage
from bot.slack.inbox.attachments import forget_attachments
from bot.slack.inbox.database import STORE, is_missing, opened
from bot.slack.inbox.referrals import OVER
from bot.slack.inbox.tables import (
    attached_in,
    attachments,
    early_follow_ups,
    exchanges,
    paces,
    referrals,
    stale_messages,
    tombstones,
)

RETENTION = timedelta(days=30)
"""To tell a late repetition from a new question and to go on with an old thread."""
FINISHED = (Stage.DONE.value, Stage.UNDELIVERABLE.value, Stage.WITHDRAWN.value)


def forget_in(url: str, now: datetime) -> int:
    """Remove what was finished and received long ago, and return how many exchanges.

    The audit store has it. What people said among themselves goes much sooner, as
    `queries.forget_early` says. Another process may own the inbox; one that is not there is
    left so. Raise `InboxUnavailable`.
    """
    if is_missing(url):
        return 0
    before = now - RETENTION
    done = exchanges.c.stage.in_(FINISHED), exchanges.c.received_at < before
    over = referrals.c.stage.in_(OVER), referrals.c.created_at < before
    with opened(url) as connection:
        removed = connection.execute(delete(exchanges).where(*done))
        connection.execute(delete(referrals).where(*over))
        connection.execute(delete(attachments).where(attachments.c.added_at < before))
        connection.execute(delete(paces).where(paces.c.next_expected < before))
        connection.execute(delete(tombstones).where(tombstones.c.since < before))
        connection.execute(delete(stale_messages).where(stale_messages.c.added_at < before))
    return removed.rowcount


_AT_ONCE = 500


def erase_in(url: str, person: str, audit_ids: Collection[str]) -> int:
    """Remove questions, files, notes and referrals of a person, and of records; how many.

    `person`: empty for none. An inbox that is not there is left so. Raise `InboxUnavailable`.
    """
    if is_missing(url):
        return 0
    with opened(url) as connection:
        removed = _of_person(connection, person) if person else 0
        ids = sorted(audit_ids)
        for start in range(0, len(ids), _AT_ONCE):
            removed += _of_records(connection, ids[start : start + _AT_ONCE])
    parsed = STORE.parse(url)
    with STORE.explained(parsed):
        if is_file(parsed):
            scrub_file(file_of(parsed))
    return removed


def _of_person(connection: Connection, person: str) -> int:
    mine = exchanges.c.user_id == person
    _files(connection, mine)
    removed = connection.execute(delete(exchanges).where(mine)).rowcount
    theirs = or_(referrals.c.asker == person, referrals.c.answered_by == person)
    connection.execute(delete(referrals).where(theirs))
    connection.execute(delete(early_follow_ups).where(early_follow_ups.c.user_id == person))
    connection.execute(delete(paces).where(paces.c.user_id == person))
    return removed


def _of_records(connection: Connection, audit_ids: list[str]) -> int:
    theirs = exchanges.c.audit_id.in_(audit_ids)
    _files(connection, theirs)
    connection.execute(delete(referrals).where(referrals.c.audit_id.in_(audit_ids)))
    return connection.execute(delete(exchanges).where(theirs)).rowcount


def _files(connection: Connection, of: ColumnElement[bool]) -> None:
    for key, attached in connection.execute(
        select(exchanges.c.key, exchanges.c.attached).where(of)
    ).all():
        for each in {key, *(file.message for file in attached_in(attached))}:
            forget_attachments(connection, each)
