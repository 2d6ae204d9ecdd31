"""What is said of checkpoints, receipts and the log's key."""

NO_KEY = (
    "The audit log has no key yet. The bot makes it when it signs its first checkpoint: run "
    "`vouch jobs run checkpoint`."
)
KEY_MISSING = (
    "The key is missing with which the audit log was signed: bring audit.key back into the home, "
    "or set VOUCH_AUDIT_KEY. If it is lost, move audit-checkpoints.txt and audit-verified.txt out "
    "of the home and keep them: then a new key signs what comes."
)
NO_CHECKPOINT = "There is no checkpoint in that file. Give one that a witness keeps."
NOT_EARLIER = (
    "That checkpoint is not an earlier one of this log: it is signed with another key, or over "
    "more entries than there are. `vouch audit verify --checkpoint` tells more."
)
KEY_OF_THE_HOME = (
    "its checkpoints are signed with a key of this home: where several bots share the log, or the "
    "home may be lost, give all as VOUCH_AUDIT_KEY what its audit.key says, or where there is none "
    "yet what `openssl rand -hex 32` says"
)
BESIDE = "The checkpoint and the key to check it with stand beside it."


def unreadable(home: str, why: str) -> str:
    return f"The checkpoints in {home} cannot be read ({why}). See who may read there."


def written(what: str, path: object) -> str:
    return f"{what} written to {path}. Check it with deploy/verify/vouch_verify.py."


def proven(size: int, at: str) -> str:
    if not at:
        return "No checkpoint says since when: `vouch jobs run checkpoint` signs one."
    return f"The first {size} entries are those that were signed on {at}."


def unread(entries: int) -> str:
    return (
        f"The first {entries} entries were verified before, and held to that by their tree alone. "
        "--all reads them again."
    )
