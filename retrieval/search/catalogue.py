"""What stands in the library on something, by titles, kinds, headings and likeness.

Whatever index and library say, a document is named where the scope may read it, and else nothing
tells of it: neither a number nor an order.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from retrieval.documents.port import LibraryReader
from retrieval.language.words import FUNCTION_WORDS, lexemes, stems, words_of
from retrieval.metadata.access import permits
from retrieval.metadata.ontology import Ontology
from retrieval.ports import Embedder, Match, PassageIndex
from retrieval.search.ranking import in_force_first
from retrieval.types import AccessRule, Document, Passage, Scope

MOST_PASSAGES = 300
"""That each search looks at for documents on something."""
MOST_MENTIONS = 2_000
"""Passages that are looked at for a word; of several words those that have the rarest."""
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


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A document stands in the library, and speaks of something here."""

    document: Document
    passage: Passage | None = None
    """None where the document as a whole does."""
    by_heading: bool = False
    """Whether the headings of the passage say so."""
    sentences: tuple[int, ...] = ()
    """Which of the passage's have the words that were looked for, by number."""
    passages: int = 0
    """In how many of its passages they stand."""


@dataclass(frozen=True, slots=True)
class OnTopic:
    """These documents are on something, best first."""

    documents: tuple[CatalogueEntry, ...]
    complete: bool
    """Else there may be more of them."""
    words: str = ""
    """Of the topic, that their texts have."""


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

        Where nothing is, what has all its words in a passage.

        BM25 finds headings and orders nothing: it moves with words that the reader may not see.
        """
        mine = {each.document_id: each for each in self.all(scope)}
        wanted = stems(words_of(topic))
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

    def mentioning(self, topic: str, scope: Scope) -> OnTopic:
        """What has the words of a topic in a row, else in one sentence; the most passages first.

        Words that tell what documents are called ("policies") are looked for in their names where
        no text has all in a row.
        """
        words = topic.split()
        mine = {each.document_id: each for each in self.all(scope)}
        found = self._saying(words, scope, mine, lambda text: _in_a_row(topic, text))
        wanted = stems(words_of(topic))
        kinds = stems(words_of(" ".join(map(_called, mine.values())))) & wanted
        if not found.documents and wanted - kinds:
            left = [each for each in words if not stems(words_of(each)) <= kinds]
            of_kind = {id_: e for id_, e in mine.items() if kinds <= stems(words_of(_names(e)))}
            row = " ".join(left)
            found = self._saying(left, scope, of_kind, lambda text: _in_a_row(row, text))
        if not found.documents:
            found = self._saying(words, scope, mine, lambda text: wanted <= stems(words_of(text)))
        return found

    def _saying(
        self,
        words: Sequence[str],
        scope: Scope,
        mine: Mapping[str, Document],
        has_them: Callable[[str], bool],
    ) -> OnTopic:
        """What of these documents has the words in a sentence or a heading."""
        matched = [self.index.lexical(each, scope, MOST_MENTIONS) for each in words]
        rarest = min(matched, key=len, default=[])
        read = self.library.passages([each.passage_id for each in rarest]).values()
        passages = [p for p in read if _is_open(p, scope) and p.document.document_id in mine]
        found = tuple(_mentions(passages, has_them))
        return OnTopic(found, len(rarest) < MOST_MENTIONS, " ".join(words))

    def owned(self, topic: str, scope: Scope) -> list[CatalogueEntry]:
        """What somebody owns: some words of the topic name the owner, the others the document."""
        wanted, mine = stems(words_of(topic)), self.all(scope)
        owned = [each for each in mine if wanted & stems(words_of(each.metadata.owner))]
        named = [each for each in owned if wanted <= stems(words_of(_names(each)))]
        in_order = sorted(in_force_first(named, self.ontology, scope), key=lambda e: e.title)
        return [CatalogueEntry(each) for each in in_order]

    def called(self, name: str, scope: Scope) -> list[Document]:
        """The documents that fit a name equally well, in force first; none where none does.

        One whose file is called so exactly comes first, then those whose title has the words.
        """
        mine = self.all(scope)
        wanted = stems(words_of(name))
        if not wanted:
            return []
        if named := called_so(wanted, [NameStems.of(each) for each in mine]):
            return in_force_first(named, self.ontology, scope)
        known = {each.document_id: each for each in mine}
        vector = self._vector(name)
        matches = self.index.nearest(vector, scope, MOST_TITLES)
        near = [
            known[each] for each in dict.fromkeys(m.document_id for m in matches) if each in known
        ]
        if not near or self.alone >= 1.0:
            return []
        cosines = self.embedder.embed([each.title for each in near]) @ vector
        best = int(cosines.argmax())
        return [near[best]] if cosines[best] >= CALLED else []

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
    """A document is called so, in stems."""

    document: Document
    title: frozenset[str]
    file: frozenset[str]
    all: frozenset[str]
    """Its kind's, too."""

    @classmethod
    def of(cls, document: Document) -> "NameStems":
        title, file = (stems(words_of(each)) for each in (document.title, _file(document)))
        return cls(document, title, file, title | file | stems(words_of(document.metadata.subtype)))


def called_so(wanted: frozenset[str], names: Sequence[NameStems]) -> list[Document]:
    """Those whose file is called so exactly; else whose title has all stems, else kind or file.

    Of these those with the fewest others.
    """
    named = [each for each in names if wanted <= each.all]
    if exactly := [each.document for each in named if wanted == each.file]:
        return exactly
    named = [each for each in named if wanted <= each.title] or named
    fewest = min((len(each.title - wanted) for each in named), default=0)
    return [each.document for each in named if len(each.title - wanted) == fewest]


def first_day(document: Document) -> date | None:
    """The day from which it says that it holds."""
    return document.metadata.effective or document.metadata.access.valid_from


def last_day(document: Document, scope: Scope) -> date | None:
    """The last day on which it holds for a scope, as far as that is known."""
    rule = document.metadata.access
    over = (last for audience, last in rule.over_for if permits(AccessRule(audience), scope))
    return min(filter(None, (rule.valid_to, *over)), default=None)


def _mentions(
    passages: Sequence[Passage], has_words: Callable[[str], bool]
) -> list[CatalogueEntry]:
    """An entry for each document, with the first passage that has the words in a sentence.

    Else with the first whose heading has them.
    """
    found: dict[str, list[tuple[Passage, tuple[int, ...]]]] = defaultdict(list)
    for passage in sorted(passages, key=lambda each: (each.document.title, each.ordinal)):
        said = tuple(n for n, each in enumerate(passage.sentences) if has_words(each.text))
        if said or has_words(passage.heading):
            found[passage.document.document_id].append((passage, said))
    entries = []
    for several in found.values():
        quoted = [each for each in several if each[1]] or several
        passage, said = next((each for each in quoted if _says_more(*each)), quoted[0])
        entries.append(
            CatalogueEntry(
                passage.document,
                passage,
                by_heading=not said,
                sentences=said,
                passages=len(several),
            )
        )
    return sorted(entries, key=lambda each: -each.passages)


def _says_more(passage: Passage, sentences: Sequence[int]) -> bool:
    """Whether what is said there is more than a name."""
    return any(len(passage.sentences[n].text.split()) >= WORTH_QUOTING for n in sentences)


def _in_a_row(topic: str, text: str) -> bool:
    return f" {_carrying(topic)} " in f" {_carrying(text)} "


def _carrying(text: str) -> str:
    """The stems of its words in order, without those that carry no subject."""
    return lexemes(" ".join(each for each in words_of(text) if each not in FUNCTION_WORDS))


def _is_open(passage: Passage, scope: Scope) -> bool:
    """Asked of each passage again: an ingest may have been quicker."""
    return permits(passage.document.metadata.access, scope)


def _others(document: Document, wanted: frozenset[str]) -> int:
    """How many other words its title has."""
    return len(stems(words_of(document.title)) - wanted)


def titles_of(document: Document) -> str:
    """What it is called, and what it is."""
    return f"{document.title} {document.metadata.subtype} {_file(document)}"


def _file(document: Document) -> str:
    return PurePosixPath(document.file).name


def _kind(document: Document) -> str:
    return f"{document.metadata.subtype} {document.metadata.level}"


def _called(document: Document) -> str:
    """What kind of document it says that it is, or its title ends with."""
    return " ".join((_kind(document), *words_of(document.title)[-1:]))


def _names(document: Document) -> str:
    """The same, where it stands and whose it is."""
    metadata = document.metadata
    return f"{titles_of(document)} {_kind(document)} {document.file} {metadata.owner}"
