"""Whether the running bot can answer, for `/readyz`."""

from collections.abc import Callable, Sequence

from audit.errors import AuditError
from audit.queries import RecordQuery
from bot.errors import BotError
from bot.slack.identity import Identity
from bot.slack.transport import Transport
from bot.wiring.house import House
from bot.wording import EMPTY_LIBRARY
from retrieval.errors import RetrievalError


def problems(house: House, identity: Identity, sockets: Sequence[Transport]) -> dict[str, str]:
    """What keeps the bot from answering, by name; empty when nothing does."""
    looks: dict[str, Callable[[], str]] = {
        "slack": lambda: _slack(identity, sockets),
        "people": lambda: house.access.problem,
        "library": lambda: EMPTY_LIBRARY if house.library.is_empty() else "",
        "audit": lambda: _audit(house),
    }
    found = {name: _said(look) for name, look in looks.items()}
    return {name: problem for name, problem in found.items() if problem}


def _slack(identity: Identity, sockets: Sequence[Transport]) -> str:
    if not identity.is_known:
        return "Slack has not been reached yet"
    return next((each.problem for each in sockets if each.problem), "")


def _audit(house: House) -> str:
    """Reading raises where the store does not answer."""
    house.audit_reader.find(RecordQuery(limit=1))
    return ""


def _said(look: Callable[[], str]) -> str:
    try:
        return look()
    except (BotError, RetrievalError, AuditError) as error:
        return str(error)
