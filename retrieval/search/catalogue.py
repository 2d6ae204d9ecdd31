"""What stands in the library on something, by titles, kinds, headings and likeness.

Whatever index and library say, a document is named where the scope may read it, and else nothing
tells of it: neither a number nor an order.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from retrieval.documents.port import LibraryReader
from retrieval.language.words import FUNCTION_WORDS, place_of, stems, words_of
from retrieval.metadata.access import permits
from retrieval.metadata.ontology import Ontology
from retrieval.ports import Embedder, Match, PassageIndex
from retrieval.search.ranking import in_force_first
from retrieval.types import AccessRule, Document, Passage, Scope

MOST_PASSAGES = 300
"""That each search looks at for documents on something."""
MOST_MENTIONS = 2_000
"""Passages that are looked at for a term; of several words those that have the rarest."""
WORTH_QUOTING = 5
"""Words of a sentence that mentions something, from which on it is rather shown."""
ENOUGH = 50
"""Documents that are called so, from which on headings and likeness are not looked at, as where any
is of such a kind: counted are then those that are called so alone."""
SAME_TOPIC_SHARE = 0.75
"""Share of the best cosine from which another document is on the same thing. Not measured; chosen
so that "leave policies" does not bring the other policies."""
MOST_TITLES = 20
"""Of the documents that come nearest, which are compared with what is asked about."""
CALLED = 0.6
"""Cosine of a title and what a document was called, from which it may be meant where no title has
the words. Not measured; "expenses policy" and "Leave policy" have 0.39."""

BESIDE = 2
"""Words from a name, within which a number tells an edition: "policy 2026", "policy edition 2"."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A passage has a term: in these sentences, by number, each from a character on."""

    passage: Passage
    said: tuple[tuple[int, int], ...]
    """None where only its heading has it."""


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A document stands in the library, and speaks of something here."""

    document: Document
    passage: Passage | None = None
    """None where the document as a whole does."""
    by_heading: bool = False
    """Whether the headings of the passage say so."""
    mentions: tuple[Mention, ...] = ()
    """Where it has each of the terms that were looked for in a sentence."""
    passages: int = 0
    """In how many of its passages they stand."""


@dataclass(frozen=True, slots=True)
class OnTopic:
    """These documents are on something, best first."""

    documents: tuple[CatalogueEntry, ...]
    complete: bool
    """Else there may be more of them."""
    terms: tuple[str, ...] = ()
    """That each of them mentions."""
    kind: str = ""
    """As what each of them is known, if that was asked for."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    library: LibraryReader
    index: PassageIndex
    embedder: Embedder
    """The index's."""
    readable: Callable[[Scope], Sequence[Document]]
    """The documents that may be read in a scope."""
    ontology: Ontology
    near: float
    """The cosine from which a document is on something that another one names; 1 for an embedder
    that nobody measured."""
    alone: float
    """The cosine from which it is where none names it; 1 likewise."""

    def all(self, scope: Scope) -> list[Document]:
        """All that may be read, what was read in last first."""
        mine = self.readable(scope)
        if scope.documents is not None:
            mine = [each for each in mine if each.document_id in scope.documents]
        return sorted(mine, key=lambda each: (each.ingested_at, each.file), reverse=True)

    def on(self, topic: str, scope: Scope) -> OnTopic:
        """What is on a topic: by its name first, then by a heading, then by likeness.

        Where nothing is, what has all its words in a passage; on none in particular everything is.

        BM25 finds headings and orders nothing: it moves with words that the reader may not see.
        """
        mine = {each.document_id: each for each in self.all(scope)}
        wanted = stems(words_of(topic))
        if not wanted:
            return OnTopic(tuple(map(CatalogueEntry, mine.values())), complete=True)
        named = [each for each in mine.values() if wanted <= stems(words_of(_names(each)))]
        titled = {e.document_id for e in named if wanted <= stems(words_of(e.title))}
        named = in_force_first(named, self.ontology, scope)
        named.sort(key=lambda e: (e.document_id not in titled, _others(e, wanted), e.title))
        found = {each.document_id: CatalogueEntry(each) for each in named}
        of_a_kind = any(wanted <= stems(words_of(_kind(each))) for each in named)
        if of_a_kind or len(named) >= ENOUGH:
            return OnTopic(tuple(found.values()), complete=True)
        matched = self.index.lexical(topic, scope, MOST_PASSAGES)
        vector = self._vector(topic)
        near = self.index.nearest(vector, scope, MOST_PASSAGES)
        read = self.library.passages({each.passage_id for each in (*matched, *near)})
        passages = {name: each for name, each in read.items() if _is_open(each, scope)}
        near = [each for each in near if each.passage_id in passages]
        in_order = (passages[m.passage_id] for m in matched if m.passage_id in passages)
        for passage in sorted(in_order, key=lambda each: (each.heading, each.ordinal)):
            headings = f"{passage.heading} {_names(passage.document)}"
            if wanted <= stems(words_of(headings)):
                headed = CatalogueEntry(passage.document, passage, by_heading=True)
                found.setdefault(passage.document.document_id, headed)
        alike = self._alike(vector, near, mine)
        least = max(
            self.near if found else self.alone, SAME_TOPIC_SHARE * max(alike.values(), default=0.0)
        )
        places = {each.document_id: each.passage_id for each in reversed(near)}
        for document_id, cosine in alike.items():
            if cosine >= least:
                passage = passages[places[document_id]]
                found.setdefault(document_id, CatalogueEntry(mine[document_id], passage))
        if not found:
            for passage in sorted(passages.values(), key=lambda each: each.ordinal):
                if wanted <= stems(words_of(passage.text)):
                    mention = CatalogueEntry(passage.document, passage)
                    found.setdefault(passage.document.document_id, mention)
        kept = tuple(each for document_id, each in found.items() if document_id in mine)
        return OnTopic(kept, len(matched) < MOST_PASSAGES)

    def _alike(
        self, vector: NDArray[np.float32], near: Sequence[Match], mine: Mapping[str, Document]
    ) -> dict[str, float]:
        """The cosine of each document that comes near: of its nearest passage, or of its title."""
        cosines: dict[str, float] = {}
        for match in near:
            if match.document_id in mine and len(cosines) < MOST_TITLES:
                cosines.setdefault(match.document_id, match.score)
        if not cosines:
            return {}
        titles = self.embedder.embed([mine[each].title for each in cosines]) @ vector
        of_title = dict(zip(cosines, titles.tolist(), strict=True))
        best = {each: max(cosine, of_title[each]) for each, cosine in cosines.items()}
        return dict(sorted(best.items(), key=lambda each: -each[1]))

    def mentioning(self, named: Sequence[Sequence[str]], scope: Scope) -> OnTopic | None:
        """What has each of some terms, word for word in singular or plural; most passages first.

        `named`: the terms, and in front of them or behind what kind of document is asked for, if
        any. None where none has them and they may mean something else, so that nobody hears that
        there is none.
        """
        mine = self.all(scope)
        kinds = _kinds(mine)
        of_kind = [each for each in named if len(each) == 1 and stems(words_of(each[0])) <= kinds]
        [kind] = of_kind[0] if len(named) == 2 and len(of_kind) == 1 else [""]
        if len(named) != (2 if kind else 1):
            return None
        [terms] = [each for each in named if [*each] != [kind]]
        wanted = stems(words_of(kind))
        open_ids = {e.document_id for e in mine if not kind or wanted <= stems(words_of(_names(e)))}
        found = [self._saying(term, scope, open_ids) for term in terms]
        said = [of_term for of_term, _ in found]
        both = set(said[0]).intersection(*said[1:])
        if not both and any(len(words_of(each)) > 1 for each in terms):
            return None
        entries = [_mention([of_term[document_id] for of_term in said]) for document_id in both]
        entries.sort(key=lambda e: (-e.passages, e.document.title, e.document.file))
        return OnTopic(tuple(entries), all(complete for _, complete in found), tuple(terms), kind)

    def _saying(
        self, term: str, scope: Scope, document_ids: Set[str]
    ) -> tuple[Mapping[str, Sequence[Mention]], bool]:
        """By document where it has the term in a text or a heading; and whether that is all."""
        matched = [self.index.lexical(each, scope, MOST_MENTIONS) for each in words_of(term)]
        rarest = min(filter(None, matched), key=len, default=[])
        found: dict[str, list[Mention]] = defaultdict(list)
        read = self.library.passages([each.passage_id for each in rarest]).values()
        for passage in sorted(read, key=lambda each: each.ordinal):
            document_id = passage.document.document_id
            if document_id not in document_ids or not _is_open(passage, scope):
                continue
            places = [(n, place_of(term, s.text)) for n, s in enumerate(passage.sentences)]
            said = tuple((n, at) for n, at in places if at is not None)
            if said or place_of(term, passage.heading) is not None:
                found[document_id].append(Mention(passage, said))
        return found, len(rarest) < MOST_MENTIONS

    def owned(self, topic: str, scope: Scope) -> OnTopic:
        """What somebody owns: some words of the topic name the owner, the others the document."""
        wanted, mine = stems(words_of(topic)), self.all(scope)
        owned = [each for each in mine if wanted & stems(words_of(each.metadata.owner))]
        named = [each for each in owned if wanted <= stems(words_of(_names(each)))]
        in_order = sorted(in_force_first(named, self.ontology, scope), key=lambda e: e.title)
        return OnTopic(tuple(map(CatalogueEntry, in_order)), complete=True)

    def called(self, name: str, asked: str, scope: Scope) -> list[CatalogueEntry]:
        """The documents that fit a name equally well, in force first; none where none does.

        One without words is none: such a page leads to another one. `asked`: the whole question, of
        which a title may have more words than the name.
        """
        mine, wanted = self.all(scope), stems(words_of(name))
        if not wanted:
            return []
        names = [each for each in map(NameStems.of, mine) if wanted <= each.all]
        has_words = self.library.with_passages([each.document.document_id for each in names])
        names = [each for each in names if each.document.document_id in has_words]
        if named := called_so(wanted, names, stems(words_of(asked))):
            in_force = in_force_first(named, self.ontology, scope)
            in_force.sort(key=lambda each: not wanted <= stems(words_of(each.title)))
            begins = self.begins(in_force, scope)
            placed = ((each, begins.get(each.document_id)) for each in in_force)
            return [CatalogueEntry(each, passage) for each, passage in placed if passage]
        known = {each.document_id: each for each in mine}
        vector = self._vector(name)
        matches = self.index.nearest(vector, scope, MOST_TITLES)
        near = [
            known[each]
            for each in dict.fromkeys(m.document_id for m in matches if m.document_id in known)
        ]
        if not near or self.alone >= 1.0:
            return []
        cosines = self.embedder.embed([each.title for each in near]) @ vector
        best = int(cosines.argmax())
        begins = self.begins([near[best]], scope) if cosines[best] >= CALLED else {}
        return [CatalogueEntry(near[best], each) for each in begins.values()]

    def begins(self, documents: Sequence[Document], scope: Scope) -> Mapping[str, Passage]:
        """The first passage of each, by the document's id."""
        first = self.library.first_passages([each.document_id for each in documents])
        return {name: each for name, each in first.items() if _is_open(each, scope)}

    def text(self, document: Document, scope: Scope) -> list[Passage]:
        passages = self.library.passages(self.library.passage_ids([document.document_id])).values()
        mine = (each for each in passages if _is_open(each, scope))
        return sorted(mine, key=lambda each: each.ordinal)

    def _vector(self, text: str) -> NDArray[np.float32]:
        return np.asarray(self.embedder.embed([text])[0], np.float32)


@dataclass(frozen=True, slots=True)
class NameStems:
    """What a document is called, in stems."""

    document: Document
    title: frozenset[str]
    file: frozenset[str]
    """With how it ends: "travel.md"."""
    stem: frozenset[str]
    """Of the file, without that."""
    kind: frozenset[str]

    @classmethod
    def of(cls, document: Document) -> "NameStems":
        file = PurePosixPath(document.file)
        said = (document.title, file.name, file.stem, document.metadata.subtype)
        return cls(document, *(stems(words_of(each)) for each in said))

    @property
    def all(self) -> frozenset[str]:
        return self.title | self.file | self.kind


def called_so(
    wanted: frozenset[str], names: Sequence[NameStems], said: frozenset[str] = frozenset()
) -> list[Document]:
    """Those that are called exactly so, by their file or title; else all that have the stems.

    `said`: what a title may have beside those that are `wanted`.
    """
    titled = [e for e in names if wanted <= e.title | e.kind and e.title <= wanted | said]
    longest = max((len(each.title) for each in titled), default=0)
    found = (
        [each for each in names if wanted == each.file],
        [each for each in titled if len(each.title) == longest],
        [each for each in names if wanted == each.stem],
        [each for each in names if wanted <= each.title or wanted <= each.file],
        [each for each in names if wanted <= each.all],
    )
    return [each.document for each in next(filter(None, found), [])]


def first_day(document: Document) -> date | None:
    """The day from which it says that it holds."""
    return document.metadata.effective or document.metadata.access.valid_from


def last_day(document: Document, scope: Scope) -> date | None:
    """The last day on which it holds for a scope, as far as that is known."""
    rule = document.metadata.access
    over = (last for audience, last in rule.over_for if permits(AccessRule(audience), scope))
    return min(filter(None, (rule.valid_to, *over)), default=None)


def _mention(by_term: Sequence[Sequence[Mention]]) -> CatalogueEntry:
    """Each term in the first passage that says something of it, else in one that has its name."""
    shown = [max(several, key=_worth) for several in by_term]
    passages = {each.passage.passage_id for several in by_term for each in several}
    said = tuple(dict.fromkeys(each for each in shown if each.said))
    passage = shown[0].passage
    return CatalogueEntry(passage.document, passage, not said, said, len(passages))


def _worth(mention: Mention) -> int:
    """Of quoting: 2 for a sentence that is more than a name, 0 for a heading alone."""
    long = [
        len(mention.passage.sentences[n].text.split()) >= WORTH_QUOTING for n, _ in mention.said
    ]
    return bool(long) + any(long)


def _is_open(passage: Passage, scope: Scope) -> bool:
    """Asked of each passage again: an ingest may have been quicker."""
    return permits(passage.document.metadata.access, scope)


def _others(document: Document, wanted: frozenset[str]) -> int:
    """How many other words its title has."""
    return len(stems(words_of(document.title)) - wanted)


def _kind(document: Document) -> str:
    return f"{document.metadata.subtype} {document.metadata.level}"


def _kinds(documents: Sequence[Document]) -> frozenset[str]:
    """Stems of the kinds that documents state, and of what several titles end with."""
    last = Counter(stem for each in documents for stem in stems(words_of(each.title)[-1:]))
    stated = stems(words_of(" ".join(map(_kind, documents))))
    return stated | {stem for stem, count in last.items() if count > 1}


def _names(document: Document) -> str:
    """What it is called, what it is, where it stands and whose it is."""
    return f"{document.title} {_kind(document)} {document.file} {document.metadata.owner}"


@dataclass(frozen=True, slots=True)
class Named:
    """Two documents are named, in this order."""

    one: Document
    other: Document
    aspect: Sequence[str]
    """What is asked of both, in the question's words; none for everything."""

    def aspect_in(self, question: str) -> str:
        """As it is said there, where its words stand together; else those words."""
        silent = "|".join(FUNCTION_WORDS)
        between = rf"(?:\W+(?:{silent})\b)*\W+"
        spoken = re.search(rf"\b{between.join(map(re.escape, self.aspect))}\b", question, re.I)
        return spoken[0] if self.aspect and spoken else " ".join(self.aspect)


@dataclass(frozen=True, slots=True)
class _Found:
    document: Document
    name: Sequence[str]
    left: Sequence[str]
    """Words that are no part of the name."""


def two_named(
    question: str, is_around: Callable[[str], bool], documents: Sequence[Document]
) -> Named | None:
    """The two of the documents that a question names, each of which can be meant alone; else None.

    `is_around` tells words that say nothing of what is compared. Words that both names share may
    stand with the second alone: "the 2024 and the 2026 leave policy".
    """
    names = [NameStems.of(each) for each in documents]
    known = frozenset[str]().union(*(each.all for each in names))
    called = cache(lambda wanted: called_so(wanted, names))
    found = [
        named
        for before, after in _cut(question, is_around)
        for named in _both(before, after, lambda name, left: _meant(name, left, known, called))
    ]
    fewest = min((len(each.aspect) for each in found), default=0)
    best = [each for each in found if len(each.aspect) == fewest]
    pairs = {frozenset((each.one.document_id, each.other.document_id)) for each in best}
    return best[0] if len(pairs) == 1 else None


def _cut(
    question: str, is_around: Callable[[str], bool]
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """What stands before and after each word that may join two names."""
    words = words_of(question)
    silent = [each in FUNCTION_WORDS or is_around(each) for each in words]
    carrying = [each for each, is_silent in zip(words, silent, strict=True) if not is_silent]
    places = {
        sum(not each for each in silent[:n]) for n, is_silent in enumerate(silent) if is_silent
    }
    for at in sorted(places - {0, len(carrying)}):
        yield carrying[:at], carrying[at:]


def _both(
    before: Sequence[str],
    after: Sequence[str],
    meant: Callable[[Sequence[str], Sequence[str]], _Found | None],
) -> Iterator[Named]:
    """By the longest names; none where a number beside one is no part of it: another edition."""
    for end in range(len(after), 0, -1):
        other = meant(after[:end], after[end:])
        if other is None:
            continue
        for start in range(len(before)):
            shared = [other.name[n:] for n in range(len(other.name), 0, -1)]
            tried = (meant((*before[start:], *more), before[:start]) for more in shared)
            one = next((each for each in tried if each and each.document != other.document), None)
            if one and not any(map(str.isdecimal, (*one.left[-BESIDE:], *other.left[:BESIDE]))):
                yield Named(one.document, other.document, (*one.left, *other.left))
            if one:
                return
        return


def _meant(
    name: Sequence[str],
    left: Sequence[str],
    known: frozenset[str],
    called: Callable[[frozenset[str]], Sequence[Document]],
) -> _Found | None:
    """The one document that is called so; "number 3" is 3 where no title has the word."""
    numbered = (*(word.isdecimal() for word in name[1:]), False)
    each = [(stems([word]), skip) for word, skip in zip(name, numbered, strict=True)]
    if not all(word <= known or skip for word, skip in each):
        return None
    meant = called(frozenset().union(*(word for word, _ in each)) & known)
    return _Found(meant[0], name, left) if len(meant) == 1 else None
