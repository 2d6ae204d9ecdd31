"""Further entries lead to a passage, in memory, beside the index, for whoever may read it."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from retrieval.index.entries import match
from retrieval.language.words import FUNCTION_WORDS, SUBJECTLESS, stems, words_of
from retrieval.metadata.access import permits
from retrieval.ports import Embedder, Match
from retrieval.search.ranking import Query
from retrieval.search.search import Search
from retrieval.types import Passage, Scope

OF_PASSAGE, OF_QUESTION = 0.6, 0.4
BLEND: Final = "blend"
"""0.6 of the passage's cosine and 0.4 of that of its document's nearest question, -1 to 1; the
passage's alone where its document has no questions."""
BLEND_RANK: Final = "blend_rank"
"""The place by that blend, a whole number from 1."""


@dataclass(frozen=True, slots=True)
class Entries:
    """Each leads to a passage, and has a row of `vectors`."""

    passages: Sequence[Passage]
    vectors: NDArray[np.float32]
    """Of unit length; shape (entries, dimension)."""
    texts: Sequence[str] = ()
    """Of each, but for case and marks; empty for passages' own entries."""

    def near(self, query: Query, scope: Scope) -> Iterator[tuple[Passage, float]]:
        """Each passage that the scope may read, with the cosine of its nearest entry."""
        asked, best = folded(query.text), dict[str, tuple[Passage, float]]()
        cosines = (self.vectors @ query.vector).tolist()
        for at, (passage, cosine) in enumerate(zip(self.passages, cosines, strict=True)):
            _, nearest = best.get(passage.passage_id, (passage, -2.0))
            if cosine > nearest and not (self.texts and self.texts[at] == asked):
                best[passage.passage_id] = passage, cosine
        return (each for each in best.values() if _is_readable(each[0], scope))


def _is_readable(passage: Passage, scope: Scope) -> bool:
    document = passage.document
    is_meant = scope.documents is None or document.document_id in scope.documents
    return is_meant and permits(document.metadata.access, scope)


def entries_of(make: Callable[[Passage], Sequence[str]], search: Search) -> Entries:
    """What is made of each passage of the library that a search reads."""
    made = [(each, text) for each in search.library.all_passages() for text in make(each)]
    texts = [text for _, text in made]
    vectors = _embedded(texts, search.embedder)
    return Entries([passage for passage, _ in made], vectors, list(map(folded, texts)))


def _embedded(texts: list[str], embedder: Embedder) -> NDArray[np.float32]:
    return embedder.embed(texts) if texts else np.zeros((0, embedder.dimension), np.float32)


def entries_by(embedder: Embedder, search: Search) -> Entries:
    """What the index would hold of each passage, were it another embedder's."""
    passages = list(search.library.all_passages())
    return Entries(passages, _embedded([each.with_heading for each in passages], embedder))


def own_entries(search: Search) -> Entries:
    passages = list(search.library.all_passages())
    vectors = search.index.vectors([each.passage_id for each in passages])
    held = [each for each in passages if each.passage_id in vectors]
    rows = [vectors[each.passage_id] for each in held]
    return Entries(held, np.array(rows, np.float32).reshape(-1, search.embedder.dimension))


def folded(text: str) -> str:
    """Case, white space and marks at the end make no other question."""
    return " ".join(text.casefold().split()).rstrip(" ?!.")


@dataclass(frozen=True, slots=True)
class EntryRetriever:
    """It finds the passages whose entries of one kind are closest to the query."""

    name: str
    entries: Entries
    most: int
    embedder: Embedder | None = None
    """Whose vectors those of the entries are; None: the search's own."""

    @property
    def score(self) -> str:
        return f"{self.name}_entry_cosine"

    @property
    def rank(self) -> str:
        return f"{self.name}_entry_rank"

    def __call__(self, query: Query, scope: Scope) -> list[Match]:
        if self.embedder:
            query = replace(query, vector=self.embedder.embed([query.text])[0])
        return _best(self.entries.near(query, scope), self.most)


@dataclass(frozen=True, slots=True)
class BlendedRetriever:
    """Passages by their own cosine and their document's nearest question's."""

    own: Entries
    questions: Entries
    most: int
    name: str = "question"
    score: str = BLEND
    rank: str = BLEND_RANK

    def __call__(self, query: Query, scope: Scope) -> list[Match]:
        of_document: dict[str, float] = {}
        for passage, cosine in self.questions.near(query, scope):
            document_id = passage.document.document_id
            of_document[document_id] = max(cosine, of_document.get(document_id, -1.0))
        scored = (
            (passage, blended(cosine, of_document.get(passage.document.document_id)))
            for passage, cosine in self.own.near(query, scope)
        )
        return _best(scored, self.most)


def blended(passage: float, question: float | None) -> float:
    """One score of two cosines, as Vadlapati, "Index-RAG" (2026); one may be missing."""
    return passage if question is None else OF_PASSAGE * passage + OF_QUESTION * question


def _best(scored: Iterable[tuple[Passage, float]], most: int) -> list[Match]:
    matches = (match(each.passage_id, each.document.document_id, score) for each, score in scored)
    return sorted(matches, key=lambda each: (-each.score, each.passage_id))[:most]


SUMMARY_SENTENCES = 2
MOST_QUESTIONS = 12
MOST_ENTITIES = 12


def questions(passage: Passage) -> list[str]:
    made = questions_of_heading((passage.document.title, *passage.section_path))
    for sentence in passage.sentences:
        made += questions_of_sentence(sentence.text)
    return list(dict.fromkeys(filter(None, map(_in_one_line, made))))[:MOST_QUESTIONS]


def summary(passage: Passage) -> list[str]:
    """One, of a passage that has more sentences than a summary."""
    sentences = [sentence.text for sentence in passage.sentences]
    if len(sentences) <= SUMMARY_SENTENCES:
        return []
    said = _headed(passage, " ".join(most_central(sentences, SUMMARY_SENTENCES)))
    return [said] if said.strip() else []


def entities(passage: Passage) -> list[str]:
    """All in one text, as an answer names several together; none where nothing is named."""
    found = entities_in([sentence.text for sentence in passage.sentences])
    return [_headed(passage, ", ".join(found[:MOST_ENTITIES]))] if found else []


def _headed(passage: Passage, text: str) -> str:
    """With the heading in front, as the bundled models were trained on passages."""
    return _in_one_line(f"{passage.heading} {text}")


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def most_central(sentences: Sequence[str], most: int) -> list[str]:
    """At most so many, in their order in the text.

    SumBasic (Nenkova and Vanderwende, "The impact of frequency on summarization", 2005): a word is
    as probable as it is frequent; a sentence weighs the mean of its words; the heaviest is taken,
    the probabilities of its words are squared, for what is said need not be said again, and so on.
    Function words have no part. Their version takes the heaviest with the most probable word; in
    the few sentences of a passage the heaviest alone.
    """
    contents = [_content(sentence) for sentence in sentences]
    counts = Counter(word for words in contents for word in words)
    whole = counts.total()
    probable = {word: count / whole for word, count in counts.items()}
    left, taken = list(range(len(sentences))), set[int]()
    while left and len(taken) < most:
        best = max(left, key=lambda at: (_weight(probable, contents[at]), -at))
        left.remove(best)
        taken.add(best)
        for word in contents[best]:
            probable[word] **= 2
    return [sentences[at] for at in sorted(taken)]


def _content(sentence: str) -> frozenset[str]:
    return stems(word for word in words_of(sentence) if word not in FUNCTION_WORDS)


def _weight(probable: dict[str, float], words: frozenset[str]) -> float:
    return sum(probable[word] for word in words) / len(words) if words else 0.0


_WORD = r"[A-Z][\w&'’-]*"
_NAME = re.compile(rf"{_WORD}(?:\s+(?:(?:of|for|and|de|van)\s+(?:the\s+)?)?{_WORD})*")
_ABBREVIATION = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z])[A-Z0-9][\w-]+\b")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|#[a-z][\w-]+")


def entities_in(sentences: Sequence[str]) -> list[str]:
    """Each once, the most frequent first; one word that begins a sentence is no name."""
    counts = Counter(name for sentence in sentences for name in _names(sentence))
    return [name for name, _ in counts.most_common()]


def _names(sentence: str) -> Iterator[str]:
    yield from _ADDRESS.findall(sentence)
    rest = _ADDRESS.sub(" ", sentence)
    for found in _NAME.finditer(rest):
        name = _without_function_words(found[0])
        begins = not re.search(r"\w", rest[: found.start()])
        several = " " in name or bool(_ABBREVIATION.fullmatch(name))
        if name and (several or (not begins and len(name) > 1)):
            yield name


def _without_function_words(name: str) -> str:
    """Not "The" of "The Registrar", nor "If" of "If Finance"."""
    words = name.split()
    while words and words[0].casefold() in SUBJECTLESS:
        words.pop(0)
    while words and words[-1].casefold() in SUBJECTLESS:
        words.pop()
    return " ".join(words).removesuffix("'s").removesuffix("’s").rstrip("-&'’")


LONGEST_STATEMENT = 40
"""Words: longer sentences say several things."""
LONGEST_SUBJECT = 8

_MODALS = r"must|may|can|should|shall|will"
_NUMBER = (
    r"(?:[$£€]\s?)?\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|fourteen|fifteen|twenty|thirty|sixty|ninety"
)
_AT_MOST = r"(?:(?:up to|at most|at least|a maximum of|no more than|a minimum of)\s+)?"

_MODAL = re.compile(
    rf"(?P<subject>[^,;:?]+?) (?P<modal>{_MODALS})(?P<negated>not| not)? (?P<rest>.+)",
    re.IGNORECASE,
)
_BE = re.compile(r"(?P<subject>[^,;:?]+?) (?P<be>is|are|was|were) (?P<rest>.+)", re.IGNORECASE)
_MANY = re.compile(rf"(?P<act>\w.*?) {_AT_MOST}(?:{_NUMBER})\s+(?P<thing>[a-z].*)", re.IGNORECASE)
_ANAPHORIC = frozenset(
    "he it she that there these they this those we what which who i here such".split()  # noqa: SIM905
)
_CLAUSE_ENDS = re.compile(r"[,;:(]|\s[-\u2013\u2014]+\s|\s(?:because|although|unless|which)\s")
_ORDINAL = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|[a-z][.)])\s+", re.IGNORECASE)


def questions_of_heading(names: Sequence[str]) -> list[str]:
    """What a section is read for; `names`: the title and the headings down to it."""
    told = [
        name for each in names if (name := _ORDINAL.sub("", " ".join(each.split())).strip(" :"))
    ]
    if not told:
        return []
    own = told[-1]
    if own.endswith("?"):
        return [own]
    above = [name for name in told[:-1] if name.casefold() != own.casefold()]
    within = [f"What does {above[-1]} say about {own}?"] if above else []
    if how := re.match(r"how to (.+)", own, re.IGNORECASE):
        return [f"How do I {_in_first_person(how[1])}?", *within]
    if re.match(r"\w+ing\b", own):
        return [f"How does {_uncapitalised(own)} work?", *within]
    return [f"What are the rules for {_uncapitalised(own)}?", *within]


def questions_of_sentence(sentence: str) -> list[str]:
    """Each once; none of what is too short or too long, or leans on the sentence before."""
    text = " ".join(sentence.split())
    if text.endswith("?"):
        return [text]
    text = text.rstrip(" .!;:")
    if not 3 <= len(text.split()) <= LONGEST_STATEMENT:
        return []
    found = dict.fromkeys((*_of_modal(text), *_of_be(text)))
    return [f"{each[0].upper()}{each[1:]}?" for each in found]


def _of_modal(text: str) -> Iterator[str]:
    if not (found := _MODAL.match(text)) or not (subject := _subject(found["subject"])):
        return
    modal, rest = found["modal"].lower(), _in_first_person(_clause(found["rest"]))
    if not rest:
        return
    yield f"{modal} {subject} {rest}"
    if not found["negated"] and (many := _MANY.match(rest)):
        yield f"how many {many['thing']} {modal} {subject} {many['act']}"


def _of_be(text: str) -> Iterator[str]:
    if not (found := _BE.match(text)) or not (subject := _subject(found["subject"])):
        return
    if rest := _in_first_person(_clause(found["rest"])):
        be = found["be"].lower()
        yield f"{'am' if subject == 'I' and be == 'are' else be} {subject} {rest}"


def _subject(words: str) -> str:
    """As it stands after an auxiliary; empty for one that is none or leans on what was said."""
    told = words.split()
    if not 0 < len(told) <= LONGEST_SUBJECT or told[0].casefold() in _ANAPHORIC:
        return ""
    return "I" if words.casefold() == "you" else _in_first_person(_uncapitalised(words))


def _clause(text: str) -> str:
    return _CLAUSE_ENDS.split(text, maxsplit=1)[0].strip()


def _uncapitalised(text: str) -> str:
    """Without the capital of a sentence's start; abbreviations keep theirs."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _in_first_person(text: str) -> str:
    """As who is addressed would say it."""
    for pattern, own in _PERSONS:
        text = pattern.sub(own, text)
    return text


_PERSONS = tuple(
    (re.compile(pattern, re.IGNORECASE), own)
    for pattern, own in (
        (r"\byourself\b", "myself"),
        (r"\byours\b", "mine"),
        (r"\byour\b", "my"),
        (r"\byou(?: are|'re|’re)\b", "I am"),
        (r"(?<=\b(?:for) )you\b|(?<=\b(?:to|of) )you\b|(?<=\b(?:with|from) )you\b", "me"),
        (r"\byou\b", "I"),
    )
)
