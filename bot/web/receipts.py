"""What a receipt opens to one reader: what they may see of the reply, and nothing of the rest."""

from bot.access.people import Person
from bot.access.reading import RecordView
from bot.citations.links import HOLDS, CitationRef, refs_in

_OF_ALL = frozenset({"audit_id", "kind", "time"})
"""That every citation's page shows."""


def names_opened(
    seen: RecordView, ref: CitationRef, reader: Person | None, *, is_audience: bool
) -> frozenset[str]:
    """Names of `audit.leaves.values`.

    Whoever came by a link sees the citation alone. The audience of the reply sees claims and
    citations, each where all that it rests on may be read by this reader today, as on the pages,
    and with a claim how its citations were judged. Who asked, and administrators, see the question
    too, and the reply where nothing is withheld.
    """
    opened = _OF_ALL | {name_of(ref)}
    if not is_audience:
        return opened
    record = seen.record
    is_theirs = reader is not None and (reader.admin or reader.id == record.person.id)
    told = {"question"} | (set() if seen.withheld else {"reply"}) if is_theirs else set()
    claims = {
        f"claims/{number}"
        for number, claim in enumerate(record.claims, start=1)
        if seen.may_show(claim)
    }
    cited = {name_of(each) for each in refs_in(record) if each.opened_in(seen)}
    judged = {
        f"{name_of(each)}/judged"
        for each in refs_in(record)
        if name_of(each) in cited and f"claims/{each.claim}" in claims
    }
    return opened | {"decision"} | told | claims | cited | judged


def name_of(ref: CitationRef) -> str:
    """What the leaf calls a citation."""
    if ref.disagreement is not None:
        side = "holds" if ref.number == HOLDS else "against"
        return f"contradictions/{ref.disagreement}/{side}"
    if ref.claim is None:
        return f"nearest/{ref.number}"
    return f"claims/{ref.claim}/citations/{ref.number}"
