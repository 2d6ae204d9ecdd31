"""A person is erased everywhere; killed in between, the same command does the rest, inbox first."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from audit.engines import append_durably, text_of
from audit.erasure.concerned import Concerned
from audit.erasure.erasing import AuditEraser, Erasure, open_eraser, scrub
from audit.errors import AuditUnavailable
from audit.record import EventKind
from bot.backup.archive import ERASURES
from bot.settings import Settings
from bot.slack.inbox.removals import erase_in
from bot.wiring.container import Container
from bot.wiring.given_answers import publish_answers
from bot.wiring.workspace import workspace_inbox

SCRUB_OWED = "audit-scrub-owed"
"""A file of the home: what was erased may stand in the database's files still."""


def eraser(settings: Settings) -> AuditEraser:
    return open_eraser(settings.audit_database)


def erase_person(container: Container, person: str, erasure: Erasure) -> tuple[Concerned, int]:
    """Return what was erased of the audit store, and how much of the inbox; raise `UnderHold`."""
    settings, waiting = container.settings, 0
    with eraser(settings) as audit:
        found = audit.concerning(person)
        for url in dict.fromkeys((settings.inbox_database, workspace_inbox(container.home))):
            waiting += erase_in(url, person, found.audit_ids)
        found = audit.erase(person, erasure, lambda ids: _note(container.home, erasure, ids))
    scrub(settings.audit_database)
    publish_answers(container)
    return found, waiting


def expire(container: Container, before: datetime, erasure: Erasure) -> int:
    """Erase what was asked before then and is under no hold; how many entries."""
    count = expire_log(container.settings.audit_database, container.home, before, erasure)
    if count:
        publish_answers(container)
    return count


def expire_log(audit_url: str, home: Path, before: datetime, erasure: Erasure) -> int:
    """The same of the log alone; what was cut off before the end is done by the next."""

    def erase(audit: AuditEraser) -> int:
        return audit.expire(before, erasure, lambda ids: _note(home, erasure, ids))

    return _scrubbed(audit_url, home, erase)


def _scrubbed(audit_url: str, home: Path, erase: Callable[[AuditEraser], int]) -> int:
    """Erase, and take what was erased out of the files, also what an earlier one left there."""
    owed = home / SCRUB_OWED
    is_owed = owed.exists()
    _append(owed, "")
    with open_eraser(audit_url) as audit:
        count = erase(audit)
    if count or is_owed:
        scrub(audit_url)
    with suppress(OSError):  # the next one scrubs once more
        owed.unlink()
    return count


def _note(home: Path, erasure: Erasure, entry_ids: Sequence[str]) -> None:
    said = {
        "at": erasure.at.isoformat(),
        "by": erasure.by,
        "because": erasure.because,
        "kind": erasure.kind,
        "entries": list(entry_ids),
    }
    _append(home / ERASURES, f"{json.dumps(said)}\n")


def _append(file: Path, text: str) -> None:
    try:
        append_durably(file, text)
    except OSError as error:
        raise AuditUnavailable(
            f"Nothing was erased: {file}, by which the rest is done after a restore or a fault, "
            f"cannot be written ({error.strerror}). See that there is room."
        ) from error


def erase_again(audit_url: str, inbox_url: str, listed: Path) -> int:
    """Erase what a list names and an older backup brought back; how many records and events."""
    if not listed.exists():
        return 0
    with open_eraser(audit_url) as audit:
        count = sum(audit.erase_again(ids, erasure) for erasure, ids in _listed(listed))
    if count:
        scrub(audit_url)
    named = {each for _, ids in _listed(listed) for each in ids}
    erase_in(inbox_url, "", named)  # what waits there may have been answered, and erased, since
    return count


def reconcile(container: Container) -> int:
    """Erase again what the log says was erased and a database brought back; not what is held."""
    listed, settings = container.home / ERASURES, container.settings
    with eraser(settings) as audit:
        known = {each for _, ids in _listed(listed) for each in ids}
        for event, ids in audit.erasures():
            by = event.person.id if event.person else ""
            if new := [each for each in ids if each not in known]:
                _note(container.home, Erasure(by, event.text, event.time, event.kind), new)

    def erase(audit: AuditEraser) -> int:
        return sum(audit.erase_again(ids, by, held_too=False) for by, ids in _listed(listed))

    count = _scrubbed(settings.audit_database, container.home, erase)
    if count:
        erase_in(settings.inbox_database, "", known)
        publish_answers(container)
    return count


def _listed(file: Path) -> list[tuple[Erasure, list[str]]]:
    said = [json.loads(line) for line in text_of(file).splitlines() if line.strip()]
    return [
        (
            Erasure(
                each["by"],
                each["because"],
                datetime.fromisoformat(each["at"]),
                EventKind(each["kind"]),
            ),
            each["entries"],
        )
        for each in said
    ]


def join_lists(stands: Path, packed: Path) -> None:
    """Have the list that came with an archive say what the one of the home says, too."""
    lists = [each.read_text(encoding="utf-8") for each in (packed, stands) if each.exists()]
    lines = dict.fromkeys(line for each in lists for line in each.splitlines() if line)
    if lines:
        packed.write_text("".join(f"{each}\n" for each in lines), encoding="utf-8")
