"""Who and which document a question of the audit means, by whatever name they go."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Protocol

from audit.finding.queries import Asker, Page, RecordQuery
from audit.values import known_as, team_of
from bot.access.entries import folded
from bot.access.people import People
from bot.access.reading import documents_of_sources
from bot.errors import UnknownChannel, UnknownDocument, UnknownPerson, WrongUse
from bot.wording import documents as wording
from bot.wording import names
from retrieval.documents.port import LibraryReader


class Records(Protocol):
    def askers(self) -> Sequence[Asker]: ...
    def channels(self) -> Mapping[str, str]: ...
    def find(self, query: RecordQuery) -> Page: ...


@dataclass(frozen=True, slots=True)
class AuditNames:
    """What administrators type, and the ids under which the audit keeps whom and what they mean.

    `team`: their workspace, of which alone they are told; None for whoever may hear of all.
    """

    records: Records
    people: Callable[[], People]
    library: Callable[[], LibraryReader]
    """Is opened where a document is named alone: there may be none."""
    foreign: Callable[[], Collection[str]]
    """The sources of which the home's own workspace is not to hear."""
    listed: Callable[[], Mapping[str, str]] = dict
    """The channels of `channels.yaml` by id, and their names."""

    def person(self, said: str, team: str | None = None, *, in_full: bool = False) -> str:
        """By id, e-mail or name, else, but `in_full`, by words of one; raise `UnknownPerson`."""
        called: dict[str, tuple[str, ...]] = {
            each.person_id: (each.name,) for each in self.records.askers()
        }
        called |= {who.id: (who.name, who.email) for who in self.people().by_id.values()}
        own, known = known_as(team or "", said), _of(team, called)
        found = [own] if own in known else _sharing(said, known)
        if not found and not in_full:
            found = _with_words(said, known)
        if len(found) > 1:
            raise UnknownPerson(names.several_people(said, found))
        if not found:
            raise UnknownPerson(names.unknown_asker(said, _closest(said, known)))
        return found[0]

    def channel(self, said: str, team: str | None = None) -> str:
        """By id or name, also as Slack sends one that is chosen; raise `UnknownChannel`."""
        named = _CHOSEN.sub(r"\1", said).removeprefix("#")
        called = {**self.records.channels(), **self.listed()}
        own, known = known_as(team or "", named), _of(team, {key: (called[key],) for key in called})
        found = [own] if own in known else _sharing(named, known)
        if len(found) > 1:
            raise UnknownChannel(names.several_channels(said, found))
        if not found:
            raise UnknownChannel(names.unasked_channel(said, _closest(named, known)))
        return found[0]

    def document(self, said: str, team: str | None = None) -> str:
        """By id or path, else by base name or title; also of one that left or that records name.

        Raise `UnknownDocument`, and `WrongUse` for several. In another workspace it is what was
        said; the home's own is told of none of a source that is for others.
        """
        if team:
            return said
        library, foreign = self.library(), self.foreign() if team is not None else ()
        theirs = documents_of_sources(library, foreign)
        found = library.documents_named(said)
        found = {key: file for key, file in found.items() if key not in theirs}
        found = {key: file for key, file in found.items() if said in (key, file)} or found
        files = set(found.values())
        if len(files) > 1:
            shown = [names.called(*each) for each in found.items()]
            raise WrongUse(names.several_documents(said, shown))
        if found:  # in several sources at one path, which names them all
            return next(iter(found if len(found) == 1 else files))
        cited = RecordQuery(document=said, team=team, limit=1)
        named = (cited, replace(cited, document=None, dropped=said))
        if any(self.records.find(each).records for each in named):
            return said
        raise UnknownDocument(wording.never_read(said, similar_files(said, library, foreign)))

    def files(self, team: str) -> frozenset[str]:
        """Those that are served of the library; another workspace is told of none."""
        return frozenset() if team else self.library().files(but=self.foreign())


_CHOSEN = re.compile(r"<#([A-Z0-9]+)(?:\|[^>]*)?>")
_Called = Mapping[str, tuple[str, ...]]


def _of(team: str | None, called: _Called) -> _Called:
    return {key: its for key, its in called.items() if team is None or team_of(key) == team}


def _closest(said: str, known: _Called) -> list[str]:
    near = {names.called(key, its[0]): (key, *its) for key, its in known.items()}
    return names.closest_names(said, near)


def _sharing(said: str, known: Mapping[str, Iterable[str]]) -> list[str]:
    wanted = folded(said)
    return sorted(key for key, its in known.items() if wanted and wanted in map(folded, its))


def _with_words(said: str, known: Mapping[str, Iterable[str]]) -> list[str]:
    """The ids of those in one of whose names all the words stand, as Ana in Ana Silva."""
    words = set(folded(said).split())
    return sorted(
        key
        for key, its in known.items()
        if words and any(words <= set(folded(name).split()) for name in (key, *its))
    )


def similar_files(named: str, library: LibraryReader, foreign: Collection[str] = ()) -> list[str]:
    """Files of the library, and those that were kept out, but of no source that is `foreign`."""
    known: dict[str, tuple[str, ...]] = {
        file: (file, PurePosixPath(file).name, held.document.title)
        for source in library.sources()
        if source.name not in foreign
        for file, held in library.holdings(source.name).items()
    }
    kept_out = {
        each.file: (each.file, PurePosixPath(each.file).name)
        for each in library.kept_out()
        if each.source not in foreign
    }
    return names.closest_names(named, {**kept_out, **known})
