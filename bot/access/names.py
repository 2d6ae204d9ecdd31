"""Who and which document an audit is asked for, by whatever name they go."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from bot.access.entries import folded
from bot.access.people import People
from bot.errors import UnknownDocument, UnknownPerson, WrongUse
from bot.wording import names as wording
from bot.wording.names import closest_names

if TYPE_CHECKING:
    from audit.queries import Asker, CitedDocument


@dataclass(frozen=True, slots=True)
class Named:
    """Something has an id, names of its own, and names that others may have too."""

    shown: str
    own: frozenset[str]
    """As they stand; the id among them."""
    shared: Sequence[str]
    """In any case and spacing."""


def person_id(said: str, people: People, askers: "Iterable[Asker]") -> str:
    """The id of somebody of `people.yaml`, or of whoever asked: a guest, or one who left.

    By id, e-mail or name, else by words of one's name. Raise `UnknownPerson` where there is none,
    or more than one.
    """
    known = {each.person_id: _named(each.person_id, each.name) for each in askers}
    known |= {who.id: _named(who.id, who.name, who.email) for who in people.by_id.values()}
    found = _meant(said, known) or _with_the_words(said, known)
    if len(found) > 1:
        raise UnknownPerson(wording.several_people(said, found))
    if not found:
        raise UnknownPerson(wording.unknown_asker(said, _near(said, known)))
    return found[0]


def document_id(said: str, cited: "Iterable[CitedDocument]") -> str:
    """The id of a cited document, under whichever path it was cited: also of one that left.

    By id or path, else by base name or title. Raise `UnknownDocument` where there is none,
    `WrongUse` where there are several.
    """
    known: dict[str, Named] = {}
    for each in cited:
        shared = (PurePosixPath(each.file).name, each.file, each.title)
        before = known.get(each.document_id, Named("", frozenset({each.document_id}), ()))
        own = before.own | {each.file}
        known[each.document_id] = Named(each.file, own, (*before.shared, *shared))
    found = _meant(said, known)
    if len(found) > 1:
        shown = [wording.called(known[each].shown, each) for each in found]
        raise WrongUse(wording.several_documents(said, shown))
    if not found:
        raise UnknownDocument(wording.uncited_document(said, _near(said, known)))
    return found[0]


def _named(own_id: str, *shared: str) -> Named:
    return Named(wording.called(own_id, shared[0]), frozenset({own_id}), shared)


def _meant(said: str, known: Mapping[str, Named]) -> list[str]:
    """Their ids: one that it is the own name of comes before all that share it."""
    exactly = [each for each, named in known.items() if said in named.own]
    wanted = folded(said)
    return exactly or sorted(
        each for each, named in known.items() if wanted and wanted in map(folded, named.shared)
    )


def _with_the_words(said: str, known: Mapping[str, Named]) -> list[str]:
    """The ids of those in one of whose names all the words stand, as Ana in Ana Silva."""
    words = set(folded(said).split())
    return sorted(
        each
        for each, named in known.items()
        if words and any(words <= set(folded(name).split()) for name in (*named.own, *named.shared))
    )


def _near(said: str, known: Mapping[str, Named]) -> list[str]:
    return closest_names(said, {each.shown: (*each.own, *each.shared) for each in known.values()})
