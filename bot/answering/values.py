"""These values flow from a question to a reply; all are frozen."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Protocol

from audit.record import Badge, Confidence, Decision, badge_of
from audit.values import CellRecord, Channel, ClaimKind, ClaimLine, Prevails, Status
from bot.access.people import Person
from retrieval.types import Evidence, Passage, Place, Sentence


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    person: Person | None
    """None is a guest: someone of whom nothing is known."""
    on: date
    """The day as of which to answer."""
    channel: str | None = None
    """None where only the person reads the reply."""
    previous: tuple[str, ...] = ()
    """Earlier questions of the same thread, oldest first."""
    place: Channel | None = None
    """Where it was said, for the record: a thread or a direct message has no audience of
    its own. None: what `channel` says."""
    audit_id: str | None = None
    """Chosen by a door that must find its record again after a crash."""
    attached: tuple[Passage, ...] = ()
    """Of files that came with it, or earlier in its thread: evidence for it and nothing else."""
    came_with: tuple[str, ...] = ()
    """Ids of the files that came with it, read or not: then neither the library's own words nor a
    reviewed answer stand for it."""
    searched: tuple[Passage, ...] = ()
    """What was found for it elsewhere, as no document answers it: evidence for it and nothing else.
    """
    said_by: tuple[tuple[str, str], ...] = ()
    """Of what was found elsewhere and its record is to keep: the document's id, and who said it."""
    not_searched: str = ""
    """Why nothing was found elsewhere, in words for people; empty where that was searched."""
    goes_on: bool = False
    """It asks nothing by itself, but tells of a case or mends what was asked: the earlier question
    is asked again with it."""
    corrects: bool = False
    """It mends what was asked, so something there is not meant."""
    sources: tuple[str, ...] = ()
    """Names of those that the answer comes from; empty for all."""

    @property
    def own_files(self) -> tuple[Passage, ...]:
        """What was read of the files that came with it."""
        mine = set(self.came_with)
        return tuple(each for each in self.attached if each.document.document_id in mine)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    passages: tuple[Passage, ...] = ()
    why_not: str = ""
    """Why nothing was searched, in words for people; empty where it was, or is not to be."""
    said_by: tuple[tuple[str, str], ...] = ()
    """As of a question; empty where the record is to keep no words of it but those of the reply."""


SearchElsewhere = Callable[[str], Elsewhere]
"""Searches for a question that stands alone, where documents do not answer it; raises nothing."""


def nowhere(_: str) -> Elsewhere:
    return Elsewhere()


@dataclass(frozen=True, slots=True)
class Brief:
    question: str
    """Made to stand alone."""
    evidence: Evidence
    person: Person | None
    """None for a guest, and in a channel, where a reply is for everyone there."""

    @classmethod
    def of(cls, question: Question, evidence: Evidence) -> "Brief":
        reader = question.person if question.channel is None else None
        return cls(evidence.query, evidence, reader)


@dataclass(frozen=True, slots=True)
class DraftClaim:
    text: str
    anchors: tuple[str, ...]
    kind: ClaimKind = ClaimKind.CITED
    reasoning: str = ""
    """Why, for an inference."""
    parts: tuple[int, ...] = ()
    """Which of `Evidence.parts` it answers, by index; where nobody said, it counts for all."""


@dataclass(frozen=True, slots=True)
class Draft:
    claims: tuple[DraftClaim, ...]
    passages: tuple[Passage, ...]
    """Those that were shown to the writer, in the order that anchors number them."""
    raw: str = ""
    """The writer's output as it came."""
    prompt_hash: str = ""
    template_hash: str = ""
    tokens: dict[str, int] = field(default_factory=dict)
    degraded: str = ""
    """Why another writer than the chosen one wrote this; empty where none did."""
    only_copies: bool = False
    """Whether its sentences are borne out by construction: nothing is measured by that."""


@dataclass(frozen=True, slots=True)
class Run:
    passage: Passage
    first: int
    """Number of the first sentence in the passage, from 0; `last` is inclusive."""
    last: int

    @property
    def quote(self) -> str:
        return self.passage.quote(self.first, self.last)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return self.passage.sentences[self.first : self.last + 1]

    @property
    def place(self) -> Place:
        return self.passage.place(self.first, self.last)

    @property
    def text(self) -> str:
        """What people read of it, white space folded and without markup."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def numbers(self) -> range:
        return range(self.first, self.last + 1)

    @property
    def recognised(self) -> float | None:
        """How surely text recognition read it; None where it did not."""
        return self.passage.recognised(self.first, self.last)

    def cited(self, status: Status, score: float) -> "Citation":
        return Citation(self.passage, self.first, self.last, status, score)


@dataclass(frozen=True, slots=True)
class Citation(Run):
    status: Status
    score: float
    """Of the entailment model, 0 to 1."""
    also: bool = False
    """Whether a further document says the same, which the claim was not drafted from."""


@dataclass(frozen=True, slots=True)
class Claim:
    text: str
    status: Status
    kind: ClaimKind
    citations: tuple[Citation, ...]
    score: float = 0.0
    """Of the citation that entails it best, or of all together where only they entail it."""
    reasoning: str = ""
    """Why an inference follows, where what it cites bears that out: else empty."""
    broken_anchors: tuple[str, ...] = ()
    """Anchors that were never given to the writer."""
    objections: tuple[str, ...] = ()
    """What differs from all that it cites, in words for the audit."""
    parts: tuple[int, ...] = ()
    copied: bool = False
    """Word for word from what it cites, so that no model was asked whether that entails it."""
    lines: tuple[ClaimLine, ...] = ()
    """Its text again, line by line, where it copies items of a list."""
    rows: tuple[tuple[CellRecord, ...], ...] = ()
    """Its text again, where it is rows of a table that no document has."""

    def answers(self, part: int) -> bool:
        return not self.parts or part in self.parts


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two sources contradict each other if they cannot both hold."""

    holds: Citation
    """What prevails, or where neither does, what the draft says."""
    against: Citation
    differs: tuple[str, ...]
    """What stands against what, such as "14 days / 10 days", `holds` first."""
    prevails: Prevails


@dataclass(frozen=True, slots=True)
class Verdict:
    decision: Decision
    claims: tuple[Claim, ...]
    """What is posted, inferences last; empty for ABSTAIN."""
    dropped: tuple[Claim, ...]
    missing: tuple[str, ...]
    """Parts of the question that nothing posted answers."""
    confidence: Confidence
    reasons: tuple[str, ...]
    """In words for the audit."""
    contradictions: tuple[Contradiction, ...] = ()
    answered: tuple[str, ...] = ()
    """The other parts, where several were asked; empty for ABSTAIN."""

    @property
    def badge(self) -> Badge:
        return badge_of(self.decision, self.missing)


LONGEST_QUESTION = 4_000
"""Characters: the models read the first 1,000 or so."""
LONGEST_WORD = 100
"""Characters: to the models a longer one is unknown."""
_TOO_LONG = re.compile(rf"(\S{{{LONGEST_WORD}}})\S+")


def shortened(text: str) -> str:
    """As much as is read, with an ellipsis in place of the rest."""
    if len(text) > LONGEST_QUESTION:
        text = f"{text[:LONGEST_QUESTION].rstrip()}…"
    return _TOO_LONG.sub(r"\1…", text)


def as_read(question: Question) -> Question:
    """The question and those before it, as far as they are read."""
    earlier = tuple(map(shortened, question.previous))
    return replace(question, text=shortened(question.text), previous=earlier)


class Writer(Protocol):
    """Turns a brief into a draft. The claims it makes are checked by others."""

    @property
    def name(self) -> str:
        """The name of the writer and of the model behind it, for the audit; never empty."""
        ...

    def write(self, brief: Brief) -> Draft:
        """Return claims in the order of the reply; none where nothing in the brief answers.

        `Draft.passages` stand in the order that anchors number them, from 1, and are passages
        of the brief's evidence; without hits there are neither passages nor claims. Raise
        `bot.errors.WriterUnavailable` where the writer cannot be reached or answers nonsense.
        """
        ...
