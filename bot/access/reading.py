"""What somebody may read of a record, decided anew at every look, and why a document is open.

A button was drawn for whoever could read the reply then. Since, a document may have been withdrawn
or restricted, and a person may have changed department.

Of a document that is withheld nothing is shown: neither title, file, place and quote nor a claim's
words that may be copied from it. Which words those are only verification knows, so a claim is shown
where all that it cites may be read and bears it out; what was dropped, and why an inference
follows, may be anybody's words, and is shown only where nothing is withheld.

Where administrators ask why somebody may, or may not, read a document, the same rules are asked
that a search asks, so what is said is what holds.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path, PurePosixPath

from audit.record import AuditEvent, AuditRecord, Candidate, EventKind
from audit.values import (
    AGENTS,
    CitationRecord,
    ClaimRecord,
    ContradictionRecord,
    Status,
    is_attached,
    slack_id,
    team_of,
)
from bot.access.people import UNLISTED, Person
from retrieval.documents.holdings import Holding, KeptOut, SourceTimes
from retrieval.documents.port import LibraryReader, VersionKey
from retrieval.metadata.access import TEAM, Obstacle, is_for_the_home, obstacles, permits
from retrieval.metadata.ontology import Ontology
from retrieval.types import AccessRule, Document, Scope


def readable(library: LibraryReader, scope: Scope) -> list[Document]:
    mine = [
        each.document
        for source in library.sources()
        for each in library.holdings(source.name).values()
        if not each.suspended and permits(each.document.metadata.access, scope)
    ]
    return sorted(mine, key=lambda each: (each.metadata.owner, each.title, each.file))


def readable_sources(library: LibraryReader, scope: Scope) -> list[str]:
    mine = {each.document_id for each in readable(library, scope)}
    names = [source.name for source in library.sources()]
    return [name for name in names if mine & documents_of_sources(library, [name])]


def kept_out_in(library: LibraryReader, ontology: Ontology, team: str) -> list[KeptOut]:
    """Return what the last ingests kept from everyone, as far as a workspace is to hear of it."""
    hears_of = _is_source_of(team, library, ontology)
    return [each for each in library.kept_out() if hears_of(each.source)]


def sources_in(library: LibraryReader, ontology: Ontology, team: str) -> list[SourceTimes]:
    """Return when the sources were read of which a workspace is to hear."""
    hears_of = _is_source_of(team, library, ontology)
    return [each for each in library.source_times() if hears_of(each.name)]


def foreign_sources(library: LibraryReader, ontology: Ontology) -> frozenset[str]:
    """Return the names of the sources of which the home's own workspace is not to hear."""
    hears_of = _is_source_of("", library, ontology)
    return frozenset(each.name for each in library.sources() if not hears_of(each.name))


def _is_source_of(team: str, library: LibraryReader, ontology: Ontology) -> Callable[[str], bool]:
    """Tells whether a workspace's administrators hear how a source stands.

    Of another than the home's own where the operator said that it is for that one alone.
    """
    said = {each.name: ontology.with_home(each.said or ()) for each in library.sources()}

    def hears_of(name: str) -> bool:
        audience = said.get(name, ())
        return dict(audience).get(TEAM) == (team,) if team else is_for_the_home(audience)

    return hears_of


def documents_of_sources(library: LibraryReader, names: Collection[str]) -> frozenset[str]:
    """Return the ids of the documents of sources, whoever may read them; of an unknown one none."""
    holdings = (held for name in names for held in library.holdings(name).values())
    return frozenset(held.document.document_id for held in holdings)


@dataclass(frozen=True, slots=True)
class RecordAccess:
    scope_for: Callable[[Person | None, str | None, date], Scope]
    access_of: Callable[[Collection[str]], Mapping[str, AccessRule]]
    """Rules by document id; a document that left the library has none."""
    rules_at: Callable[[Collection[VersionKey]], Mapping[VersionKey, AccessRule]]
    """Rules of versions in their time; one that is not kept is left out."""
    today: Callable[[], date]

    def withheld(
        self,
        record: AuditRecord,
        clicker: Person | None,
        channel: str | None,
        *,
        expired: bool = False,
    ) -> frozenset[str]:
        """Return the ids of the record's documents that the clicker may not read now.

        Of a reply as of a day ahead: may not read on that day, being who they are today. One as of
        an earlier day may show what no longer holds, as may what asks for what is `expired`.

        `channel` is where the reply stands, None for a direct message: what everyone
        there may read the clicker may read too. A document must be open to them as it is, and
        the versions that the record names as they were; one that left opens to administrators.
        What came with the question opens to who asked, to administrators, and to everyone where
        the reply stands. To another workspace nothing is open.
        """
        if not is_of_team(record, team_of(clicker.id if clicker else channel or "")):
            return documents_of(record)
        attached = frozenset(filter(is_attached, documents_of(record)))
        named, as_of = documents_of(record) - attached, max(self.today(), record.filter.on)
        day_asked = record.time.astimezone().date()  # of this place, too
        expired = expired or record.filter.on < day_asked
        rules = self.access_of(named)
        versions = {each for each in versions_of(record) if each[0] in named}
        then = self.rules_at(versions)
        closed = {
            key[0]
            for key in versions
            if key not in then or not self._permitted(then[key], clicker, channel, record.filter.on)
        }
        open_now = {
            document_id
            for document_id in rules
            if self._permitted(rules[document_id], clicker, channel, as_of, expired=expired)
        }
        may_see_what_left = clicker is not None and clicker.admin
        left = named - rules.keys() if may_see_what_left else frozenset[str]()
        here = channel == record.channel.id or (channel and slack_id(channel)) == UNLISTED
        seen_here = here and not is_private(record.channel.id)
        is_theirs = clicker is not None and (clicker.admin or clicker.id == record.person.id)
        closed_files = frozenset() if is_theirs or seen_here else attached
        return frozenset(named - (open_now - closed) - left) | closed_files

    def _permitted(
        self,
        rule: AccessRule,
        clicker: Person | None,
        channel: str | None,
        on: date,
        *,
        expired: bool = False,
    ) -> bool:
        scopes = [self.scope_for(clicker, None, on)]
        if channel is not None:
            scopes.append(self.scope_for(None, channel, on))
        return any(permits(rule, replace(scope, expired=expired)) for scope in scopes)


def is_private(channel: str) -> bool:
    """Whether one person alone was answered: command lines, agents, and ids that begin with D."""
    return channel in ("", AGENTS.id) or slack_id(channel).startswith("D")


def is_told(record: AuditRecord, happened: Iterable[AuditEvent]) -> bool:
    """Whether somebody heard its answer: in a channel, unasked, it may have been silent."""
    delivered = any(each.kind is EventKind.DELIVERED for each in happened)
    return delivered or is_private(record.channel.id)


_TAKEN_BACK = frozenset({EventKind.WITHDRAWN, EventKind.FOLDED})
_SETTLES = frozenset({EventKind.GIVEN, EventKind.RESOLVED})


def is_still_asked(record: AuditRecord, happened: Sequence[AuditEvent]) -> bool:
    """Whether somebody heard its answer, and neither took it back nor was answered since."""
    kinds = [each.kind for each in happened]
    given = [each for each in kinds if each in _SETTLES or each is EventKind.REOPENED]
    settled = bool(given) and given[-1] in _SETTLES
    return is_told(record, happened) and not settled and _TAKEN_BACK.isdisjoint(kinds)


def is_of_team(record: AuditRecord, team: str) -> bool:
    """Tell whether somebody of a workspace asked; `team`: empty for the home's own."""
    return team_of(record.person.id) == team


def versions_of(record: AuditRecord) -> frozenset[VersionKey]:
    return frozenset(
        [
            *((each.document_id, each.version) for each in _cited(record)),
            *((each.document_id, each.version) for each in record.candidates),
            *((each.document_id, each.version) for each in record.nearest if each.version),
        ]
    )


def documents_of(record: AuditRecord) -> frozenset[str]:
    """Return the ids of all documents that a record names anywhere."""
    return frozenset(
        [
            *(citation.document_id for citation in _cited(record)),
            *(candidate.document_id for candidate in record.candidates),
            *(nearest.document_id for nearest in record.nearest),
            *(expired.source.document_id for expired in record.expired),
        ]
    )


def _cited(record: AuditRecord) -> Iterator[CitationRecord]:
    for claim in (*record.claims, *record.dropped):
        yield from claim.citations
    for each in record.contradictions:
        yield from (each.holds.citation, each.against.citation)


@dataclass(frozen=True, slots=True)
class RecordView:
    """`withheld`: ids of the record's documents that this person may not read today."""

    record: AuditRecord
    withheld: frozenset[str]

    @property
    def hidden(self) -> frozenset[str]:
        claims = (*self.record.claims, *self.record.dropped)
        cited = {citation.document_id for claim in claims for citation in claim.citations}
        used = {each.document_id for each in self.record.candidates if each.used}
        return self.withheld & (cited | used | self.contradicting)

    @property
    def contradicting(self) -> set[str]:
        sides = [s for each in self.record.contradictions for s in (each.holds, each.against)]
        return {side.citation.document_id for side in sides}

    @property
    def all_readable(self) -> bool:
        return not self.hidden

    def may_show(self, claim: ClaimRecord) -> bool:
        borne_out = claim.status is Status.VERIFIED and claim.citations
        return self.all_readable or bool(
            borne_out and len(self.readable(claim)) == len(claim.citations)
        )

    def may_compare(self, found: ContradictionRecord) -> bool:
        """Tell whether both sides may be read: one alone tells that there is another."""
        sides = {side.citation.document_id for side in (found.holds, found.against)}
        return not self.withheld & sides

    def readable(self, claim: ClaimRecord) -> list[CitationRecord]:
        return [each for each in claim.citations if each.document_id not in self.withheld]

    def candidates(self, *, used: bool) -> list[Candidate]:
        """Return what may be shown; and no hint of a rule that prevails but may not."""
        readable = [
            each for each in self.record.candidates if each.document_id not in self.withheld
        ]
        prevailing = {each.passage_id for each in readable}
        return [
            each
            if each.overridden_by in prevailing
            else each.model_copy(update={"overridden_by": None})
            for each in readable
            if each.used is used
        ]

    def title(self, candidate: Candidate) -> str:
        """Name the document as a citation does, else by its file."""
        claims = (*self.record.claims, *self.record.dropped)
        named = [(c.document_id, c.title) for claim in claims for c in claim.citations]
        named += [(each.document_id, each.title) for each in self.record.nearest]
        titles = (title for document_id, title in named if document_id == candidate.document_id)
        return next((title for title in titles if title.strip()), candidate.file)


@dataclass(frozen=True, slots=True)
class DocumentAccess:
    source: str
    file: str
    kept_out: tuple[str, ...] = ()
    """Why nobody reads it; empty where it is in the library and served."""
    rule: AccessRule = field(default_factory=AccessRule)
    stated_in: tuple[str, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    """What in its rule keeps this reader out."""

    @property
    def may_read(self) -> bool:
        return not self.kept_out and not self.obstacles


def document_accesses(
    name: str,
    holdings: Iterable[Holding],
    kept_out: Iterable[KeptOut],
    roots: Mapping[str, str],
    scope: Scope,
    suspended: str,
) -> Iterator[DocumentAccess]:
    """Each that a name or path may mean; `roots`: of sources by name, `suspended`: a reason."""
    for held in holdings:
        document = held.document
        yield DocumentAccess(
            held.source,
            document.file,
            kept_out=(suspended,) if held.suspended else (),
            rule=document.metadata.access,
            stated_in=document.metadata.restricted_in,
            obstacles=tuple(obstacles(document.metadata.access, scope)),
        )
    for each in kept_out:
        if _is_meant(name, each, roots.get(each.source, "")):
            yield DocumentAccess(each.source, each.file, kept_out=(each.reason,))


def _is_meant(name: str, kept_out: KeptOut, root: str) -> bool:
    path = PurePosixPath(kept_out.file)
    return name in (kept_out.file, path.name) or Path(name).expanduser().resolve() == (
        Path(root) / kept_out.file
    )
