"""What proves the audit log: its key, its checkpoints, those who witness them, and receipts."""

import json
import re
from base64 import b64decode
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from audit.errors import AuditError, AuditUnavailable
from audit.proof.checkpoints import (
    Checkpoint,
    CheckpointBucket,
    CheckpointFile,
    Notary,
    Signer,
    Witness,
    consistency_of,
    receipt,
)
from audit.proof.verification import Signed, Verification
from audit.storing.store import is_on_server
from bot.access.names import AuditNames
from bot.access.reading import foreign_sources
from bot.errors import BadConfiguration, JobFailed, WrongUse
from bot.settings import Settings
from bot.wiring.container import Container, Stores
from bot.wording import jobs as wording
from bot.wording import log_proofs
from retrieval.errors import BadSource, RetrievalError
from retrieval.remote.urls import is_url, source_url

KEY, CHECKPOINTS, VERIFIED = "audit.key", "audit-checkpoints.txt", "audit-verified.txt"
CHANNEL = re.compile(r"[CDG][A-Z0-9]{2,30}")


def everything(_: str) -> bool:
    """Opens all that a receipt can."""
    return True


def made_signer(settings: Settings) -> Signer:
    """The log's key, made where nothing was signed yet; raise `AuditUnavailable` if missing."""
    from retrieval.documents.database import stored_key

    if key_is_missing(settings):
        raise AuditUnavailable(log_proofs.KEY_MISSING)
    stated = settings.audit_key.get_secret_value()
    return Signer.of(stated or stored_key(settings.home / KEY).hex())


def existing_signer(settings: Settings) -> Signer | None:
    return made_signer(settings) if _has_key(settings) else None


def demanded_signer(settings: Settings) -> Signer:
    """The log's key; raise `WrongUse` where there is none."""
    signer = existing_signer(settings)
    if signer is None:
        raise WrongUse(no_key(settings))
    return signer


def no_key(settings: Settings) -> str:
    return log_proofs.KEY_MISSING if key_is_missing(settings) else log_proofs.NO_KEY


def key_is_missing(settings: Settings) -> bool:
    """Whether the home has checkpoints, and no key that can have signed them."""
    return (settings.home / CHECKPOINTS).exists() and not _has_key(settings)


def _has_key(settings: Settings) -> bool:
    return bool(settings.audit_key.get_secret_value()) or (settings.home / KEY).exists()


def key_is_apart(settings: Settings) -> bool:
    """Whether the log is on a server and its key in this home, which no other bot has."""
    return is_on_server(settings.audit_database) and not settings.audit_key


def audit_names(stores: Stores) -> AuditNames:
    return AuditNames(
        stores.audit_reader,
        lambda: stores.access.people,
        lambda: stores.library,
        lambda: foreign_sources(stores.library, stores.ontology),
        lambda: stores.access.channels.names,
    )


def notary(container: Container) -> Notary:
    return Notary(
        made_signer(container.settings),
        CheckpointFile(container.home / CHECKPOINTS),
        container.stores.audit_reader.tree_head,
        _now,
    )


def signed(settings: Settings, more: Sequence[Checkpoint] = (), *, anew: bool) -> Signed | None:
    """What was signed, here and by `more`, or None; `anew` reads all. Raise `WrongUse`."""
    signer = existing_signer(settings)
    try:
        noted = CheckpointFile(settings.home / CHECKPOINTS).all()
        verified = CheckpointFile(settings.home / VERIFIED).all()
    except OSError as error:
        raise WrongUse(log_proofs.unreadable(str(settings.home), error.strerror or "")) from error
    checkpoints = (*noted, *verified, *more)
    if signer is None:
        return Signed(None, checkpoints) if checkpoints else None
    own = [each for each in verified if each.is_of(signer.key)]
    last = own[-1] if own and not anew else None
    return Signed(signer.key, checkpoints, last)


def verify_all(container: Container, head: str | None) -> Verification:
    """Read the whole log, and witnesses that can be read; note how far. Raise `JobFailed`."""
    try:
        kept = [each for place in _witnesses_read(container) for each in place.all()]
    except OSError as error:
        raise JobFailed(log_proofs.unreadable(error.filename, error.strerror or "")) from error
    except RetrievalError as error:
        raise JobFailed(log_proofs.unreadable("a bucket", str(error))) from error
    held = container.stores.audit_reader.verify(head, signed(container.settings, kept, anew=True))
    signer = existing_signer(container.settings)
    if held.ok and held.root and signer is not None:
        size, root = held.records + held.events, b64decode(held.root)
        try:
            CheckpointFile(container.home / VERIFIED).keep(signer.sign(size, root, _now()))
        except OSError as error:
            why = error.strerror or "no reason"
            raise JobFailed(wording.heads_unwritable(VERIFIED, why)) from error
    return held


def receipt_of(
    container: Container, audit_id: str, opens: Callable[[str], bool] = everything
) -> str:
    """The receipt of a record as JSON, with a new checkpoint if need be; raise `UnknownRecord`."""
    reader, office = container.stores.audit_reader, notary(container)
    stored = reader.record(audit_id)
    checkpoint = office.note(at_least=stored.sequence)
    proven = reader.proven(stored.entry.audit_id, checkpoint.size)
    made = receipt(proven, checkpoint, office.signer.key, opens)
    return json.dumps(made, indent=1, ensure_ascii=True) + "\n"


def consistency_since(container: Container, earlier: Checkpoint) -> str:
    """The proof, as JSON, that the log only grew since an earlier checkpoint; raise `WrongUse`."""
    office = notary(container)
    later = office.note()
    if not earlier.is_of(office.signer.key) or not 0 < earlier.size <= later.size:
        raise WrongUse(log_proofs.NOT_EARLIER)
    proof = container.stores.audit_reader.consistency(earlier.size, later.size)
    made = consistency_of(earlier, later, proof, office.signer.key)
    return json.dumps(made, indent=1) + "\n"


def write_checkpoint(container: Container, export: Path, entries: int) -> bool:
    """Beside an export, the checkpoint and the key that it is held to; False without a key."""
    signer = existing_signer(container.settings)
    if signer is None:
        return False
    checkpoint = signer.sign(*container.stores.audit_reader.tree_head(entries), _now())
    export.with_name(f"{export.name}.checkpoint").write_text(checkpoint.note, encoding="utf-8")
    export.with_name(f"{export.name}.key").write_text(f"{signer.key}\n", encoding="utf-8")
    return True


def witnesses(container: Container) -> tuple[Witness, ...]:
    return tuple(_witness(container, name) for name in _named_witnesses(container.settings))


def _witness(container: Container, name: str) -> Witness:
    if CHANNEL.fullmatch(name):
        return _witness_in_slack(container, name)
    if Path(name).is_absolute() or is_url(name):
        return checkpoints_at(container, name)
    raise BadConfiguration(wording.bad_witness(name))


def checkpoints_at(container: Container, place: str) -> CheckpointFile | CheckpointBucket:
    """What a witness keeps, by a path or a bucket's URL; raise `BadConfiguration`."""
    from bot.wiring.sources import opening
    from retrieval.remote.opening import BUCKETS

    if not is_url(place):
        return CheckpointFile(Path(place))
    try:
        url = source_url(place)
    except BadSource as error:
        raise BadConfiguration(f"VOUCH_AUDIT_WITNESSES: {error}.") from None
    if url.parts.scheme not in BUCKETS:
        raise BadConfiguration(wording.bad_witness(place))
    return CheckpointBucket(url.text, lambda: opening(container, url).bucket(url))


def _named_witnesses(settings: Settings) -> list[str]:
    named = (each.strip() for each in settings.audit_witnesses.split(","))
    return [each for each in named if each]


def _witnesses_read(container: Container) -> list[CheckpointFile | CheckpointBucket]:
    named = _named_witnesses(container.settings)
    return [checkpoints_at(container, each) for each in named if not CHANNEL.fullmatch(each)]


def _witness_in_slack(container: Container, channel: str) -> Witness:
    from bot.slack.jobs import WitnessChannel
    from bot.wiring.slack_clients import slack_client

    return WitnessChannel(slack_client(container), channel)


def note_at_stop(container: Container) -> str:
    """Note a checkpoint of all that was appended; what went wrong, empty for nothing."""
    try:
        notary(container).note()
    except (AuditError, RetrievalError) as error:
        return str(error)
    return ""


def _now() -> datetime:
    return datetime.now(UTC)
