"""What is said of one document that is named, in short, or of two of them beside each other.

A language model sums up, where there is one; else each section's first sentence is copied. Of two
nothing but these is looked at: what is asked of both is sought in each by itself, as any question
is; where nothing is asked in particular, sections of one heading are laid beside each other.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from audit.record import Confidence, Decision
from audit.values import CellRecord, ClaimKind, ClaimLine, Status
from bot.answering.anchors import anchor
from bot.answering.corroboration import is_said
from bot.answering.gate import Decide
from bot.answering.recording import FROM_LIBRARY, SUMMED_UP
from bot.answering.values import Brief, Citation, Claim, Draft, DraftClaim, Verdict, Writer
from bot.answering.verification import ClaimVerifier
from bot.answering.writers.answer_spans import AnswerSpan, answer_spans, text_of, whole_span
from bot.errors import WriterUnavailable
from bot.wording import DOUBTFUL, FALLBACK_WRITER
from bot.wording import library as wording
from retrieval.language.meanings import Wanted
from retrieval.language.words import stems, words_of
from retrieval.search.catalogue import Catalogue, Named, last_day, two_named
from retrieval.search.scores import RELEVANCE, Scores
from retrieval.search.timing import Stages
from retrieval.types import Document, Eligibility, Evidence, Hit, Passage, QuestionPart, Scope

UNJUDGED: Scores = MappingProxyType({})
BY_NAME: Scores = MappingProxyType({RELEVANCE: 1.0})
"""Of a document that was asked for by what it is called."""


@dataclass(frozen=True, slots=True)
class FromLibrary:
    """The library says this, and the gate has let it through."""

    evidence: Evidence
    draft: Draft
    verdict: Verdict
    by_writer: bool = False
    """Whether a language model wrote it."""

    def followed_by(self, other: "FromLibrary") -> "FromLibrary":
        """The same, and below it what the library says of others, which no writer was shown."""
        shown = () if self.by_writer else other.draft.passages
        evidence = replace(
            self.evidence,
            candidates=(*self.evidence.candidates, *other.evidence.candidates),
            hits=(*self.evidence.hits, *other.evidence.hits),
        )
        draft = replace(self.draft, passages=(*self.draft.passages, *shown))
        verdict = replace(self.verdict, claims=(*self.verdict.claims, *other.verdict.claims))
        return replace(self, evidence=evidence, draft=draft, verdict=verdict)


@dataclass(frozen=True, slots=True)
class Asking:
    """Somebody asks the library."""

    asked: str
    scope: Scope
    readers: str
    """In words: who reads the reply."""

    def evidence(self, passages: Sequence[Passage], scores: Scores = UNJUDGED) -> Evidence:
        """What was named; `scores`: of each."""
        hits = tuple(Hit(each, scores, eligibility=Eligibility.OVER_THRESHOLD) for each in passages)
        part = QuestionPart(self.asked, 1.0, covered=True)
        return Evidence(self.asked, self.scope, candidates=hits, hits=hits, parts=(part,))


def listed(decision: Decision, *claims: Claim) -> Verdict:
    """What the library says of its documents; nothing is measured of how sure it is."""
    return Verdict(decision, claims, (), (), Confidence(), reasons=(FROM_LIBRARY,))


def nothing(asking: Asking, *why: str) -> FromLibrary:
    """There is none of what was asked for."""
    verdict = replace(listed(Decision.ABSTAIN), reasons=(FROM_LIBRARY, *why))
    return FromLibrary(asking.evidence(()), Draft((), ()), verdict)


def left_open(verdict: Verdict) -> tuple[str, ...]:
    """Why it is doubtful: a template leaves a value or a condition of it open."""
    return tuple(each for each in verdict.reasons if each == DOUBTFUL)


def surely(verdict: Verdict) -> Decision:
    """Probably where it is doubtful."""
    return Decision.PARTIAL if left_open(verdict) else Decision.ANSWER


def lead_in(said: str) -> Claim:
    """A line above what is told, which cites nothing."""
    return Claim(said, Status.VERIFIED, ClaimKind.LISTED, ())


MOST_SECTIONS = 14
"""Of an outline."""
MOST_SUMMED_UP = 40
"""Passages of a document that a language model is shown: some 10,000 tokens."""


@dataclass(frozen=True, slots=True)
class Summaries:
    verification: ClaimVerifier
    gate: Decide
    writer: Writer | None = None
    """The language model that sums documents up; None: an outline stands for a summary."""
    falls_back: bool = False
    """Whether an outline stands for it, too, where the model fails."""
    is_understood: Callable[[str, Passage], bool] = lambda *_: True
    """As `Search` has it."""

    def __call__(self, asking: Asking, title: str, text: Sequence[Passage]) -> FromLibrary | None:
        """Of a document's passages; None for nothing to say of them. Raise `WriterUnavailable`."""
        outline = self._outline(asking, title, text)
        if self.writer is None:
            return outline
        try:
            return self._summary(asking, title, text, self.writer, outline)
        except WriterUnavailable as error:
            if not self.falls_back:
                raise
            why = f"{FALLBACK_WRITER} ({error})"
            return outline and replace(outline, draft=replace(outline.draft, degraded=why))

    def _summary(
        self,
        asking: Asking,
        title: str,
        text: Sequence[Passage],
        writer: Writer,
        outline: FromLibrary | None,
    ) -> FromLibrary | None:
        """Written and checked as any draft is; the outline where too little of it is borne out."""
        passages = text[:MOST_SUMMED_UP]
        draft = writer.write(Brief(asking.asked, asking.evidence(passages), None))
        verdict = self.gate(asking.evidence(passages, BY_NAME), draft, self.verification(draft))
        if verdict.decision is Decision.ABSTAIN:
            return outline and _instead_of(outline, draft, verdict)
        lead = wording.summary(title, shown=len(passages), of=len(text))
        said = replace(
            verdict,
            decision=surely(verdict),
            claims=(lead_in(lead), *verdict.claims),
            confidence=Confidence(entailment=verdict.confidence.entailment),
            reasons=(SUMMED_UP, *left_open(verdict)),
        )
        return FromLibrary(asking.evidence(passages), draft, said, by_writer=True)

    def _outline(self, asking: Asking, title: str, text: Sequence[Passage]) -> FromLibrary | None:
        """The first sentence of each section, copied; None of a text that is not understood."""
        if not all(self.is_understood(asking.asked, each) for each in text[:MOST_SECTIONS]):
            return None
        begun = _beginnings(text)
        few = begun[:MOST_SECTIONS]
        passages = tuple(dict.fromkeys(each.passage for each in few))
        drafted = tuple(each.as_claim(passages.index(each.passage) + 1) for each in few)
        raw = "\n".join(each.text for each in drafted)
        draft = Draft(drafted, passages, raw=raw, only_copies=True)
        copies = (self.verification.copy(each, passages) for each in drafted)
        named = asking.evidence(passages, BY_NAME)
        verdict = self.gate(named, draft, [each for each in copies if each])
        if verdict.decision is Decision.ABSTAIN:
            return None
        headings = dict.fromkeys(each.section[-1] for each in few if each.section)
        lead = wording.outline(title, list(headings), shown=len(few), of=len(begun))
        said = (lead_in(lead), *verdict.claims)
        told = replace(listed(surely(verdict), *said), dropped=verdict.dropped)
        told = replace(told, reasons=(*told.reasons, *left_open(verdict)))
        return FromLibrary(asking.evidence(passages), draft, told)


def _instead_of(outline: FromLibrary, draft: Draft, verdict: Verdict) -> FromLibrary:
    """The outline, and what became of the summary for which it stands."""
    told = replace(
        outline.draft,
        degraded=wording.NOT_BORNE_OUT,
        prompt_hash=draft.prompt_hash,
        template_hash=draft.template_hash,
        tokens=draft.tokens,
    )
    fell = replace(outline.verdict, dropped=verdict.dropped)
    return replace(outline, draft=told, verdict=fell)


@dataclass(frozen=True, slots=True)
class _Beginning:
    section: tuple[str, ...]
    passage: Passage
    span: AnswerSpan

    def as_claim(self, number: int) -> DraftClaim:
        """`number`: of its passage, from 1."""
        first, last = self.span
        cited = tuple(anchor(number, sentence + 1) for sentence in range(first, last + 1))
        return DraftClaim(text_of(self.passage, self.span), cited)


def _beginnings(passages: Sequence[Passage]) -> list[_Beginning]:
    """What may be copied first of each section, or of each outermost one, where they are many."""
    every = _first_of_each(passages, depth=None)
    return every if len(every) <= MOST_SECTIONS else _first_of_each(passages, depth=1)


def _first_of_each(passages: Sequence[Passage], depth: int | None) -> list[_Beginning]:
    begun: dict[tuple[str, tuple[str, ...]], _Beginning] = {}
    for passage in passages:
        section, spans = passage.section_path[:depth], answer_spans(passage)
        key = passage.document.document_id, section
        if key not in begun and spans:
            begun[key] = _Beginning(section, passage, whole_span(passage, spans[0]))
    return list(begun.values())


MOST_ROWS = 12
"""Sections that are compared; each is three lines on a phone."""
MOST_IN_A_CELL = 2
"""Sentences of a section that the other document does not have."""


@dataclass(frozen=True, slots=True)
class _Row:
    about: str
    cells: tuple[tuple[Claim, ...], tuple[Claim, ...]]
    """What either document says; none where it says nothing."""
    more: tuple[int, int] = (0, 0)
    """Sentences of either that are left out."""
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Comparison:
    is_around: Callable[[str, Wanted], bool]
    """Tells words that say nothing of what is compared."""
    catalogue: Catalogue
    find: Callable[[str, Scope, Stages], Evidence]
    writer: Writer
    """Copies what answers."""
    verification: ClaimVerifier
    gate: Decide

    def __call__(self, asking: Asking) -> FromLibrary | None:
        """None where no two documents are named, or nothing is found to compare."""
        named, scope = self._named(asking)
        if named is None:
            return None
        asking = replace(asking, scope=scope)
        both = (named.one, named.other)
        names, aspect = _names(both), named.aspect_in(asking.asked)
        if aspect:
            rows, others, is_all = [self._on(asking, named, aspect)], list[Claim](), False
        else:
            one, other = (_sections(self.catalogue.text(each, scope)) for each in both)
            rows = list(self._beside(one, other))
            others = [*_alone(names[0], one, other), *_alone(names[1], other, one)]
            is_all = one.keys() == other.keys()
        told = [row for row in rows if any(row.cells)]
        rows, left_out = told[:MOST_ROWS], len(told[MOST_ROWS:])
        claims = [*others, *(_as_claim(row, names) for row in rows)]
        if not claims and not is_all:
            return None
        silent = [name for n, name in enumerate(names) if not any(row.cells[n] for row in rows)]
        silent = silent if aspect or not claims else []
        lead = wording.compared(names, aspect, silent, left_out)
        sure = not left_out and not (claims and silent)
        passages = tuple(
            dict.fromkeys(cited.passage for claim in claims for cited in claim.citations)
        )
        raw = "\n".join(each.text for each in claims)
        said = listed(_decided(rows) if sure else Decision.PARTIAL, lead_in(lead), *claims)
        return FromLibrary(asking.evidence(passages), Draft((), passages, raw=raw), said)

    def _named(self, asking: Asking) -> tuple[Named | None, Scope]:
        """The two, and the day on which both hold: the last one of what is over."""
        scope = asking.scope

        def meant(within: Scope) -> Named | None:
            mine = self.catalogue.all(within)
            return two_named(asking.asked, lambda w: self.is_around(w, Wanted.COMPARED), mine)

        if named := meant(scope):
            return named, scope
        named = meant(replace(scope, expired=True))
        days = [last_day(e, scope) for e in (named.one, named.other)] if named else []
        over = min((day for day in days if day and day < scope.on), default=scope.on)
        then = replace(scope, on=over)
        return (named, then) if named and meant(then) == named else (None, scope)

    def _on(self, asking: Asking, named: Named, aspect: str) -> _Row:
        told = [self._told(asking, aspect, each) for each in (named.one, named.other)]
        one, other = (each.claims for each in told)
        sure = all(each.decision is not Decision.PARTIAL for each in told)
        return _Row(f"{aspect[:1].upper()}{aspect[1:]}", (one, other), sure=sure)

    def _told(self, asking: Asking, aspect: str, document: Document) -> Verdict:
        """What one of them says of it; nothing where that is not sure."""
        scope = replace(asking.scope, documents=frozenset({document.document_id}))
        evidence = self.find(f"{document.title}: {aspect}", scope, Stages())
        draft = self.writer.write(Brief(evidence.query, evidence, None))
        return self.gate(evidence, draft, self.verification(draft))

    def _beside(self, one: "_Sections", other: "_Sections") -> Iterator[_Row]:
        """What only one of the two says in sections of one heading."""
        for heading in (each for each in one if each in other):
            mine, theirs = one[heading], other[heading]
            (cell, more), (their_cell, their_more) = (
                self._only_in(mine, theirs),
                self._only_in(theirs, mine),
            )
            about = wording.section(_section(mine[0]))
            yield _Row(about, (cell, their_cell), (more, their_more))

    def _only_in(
        self, mine: Sequence[Passage], theirs: Sequence[Passage]
    ) -> tuple[tuple[Claim, ...], int]:
        """What it says alone, and how many sentences more."""
        said = [each.text for passage in theirs for each in passage.sentences]
        found: list[Claim] = []
        for passage in mine:
            for span in dict.fromkeys(whole_span(passage, each) for each in answer_spans(passage)):
                text = text_of(passage, span)
                if not is_said(text, said):
                    cited = tuple(anchor(1, n + 1) for n in range(span[0], span[1] + 1))
                    copy = self.verification.copy(DraftClaim(text, cited), [passage])
                    found += [copy] if copy else []
        return tuple(found[:MOST_IN_A_CELL]), len(found[MOST_IN_A_CELL:])


_Sections = Mapping[frozenset[str], Sequence[Passage]]
"""Passages by the stems of the heading that they stand under."""


def _sections(text: Sequence[Passage]) -> _Sections:
    found: dict[frozenset[str], list[Passage]] = {}
    for passage in text:
        found.setdefault(stems(words_of(" ".join(_section(passage)))), []).append(passage)
    return found


def _section(passage: Passage) -> Sequence[str]:
    """The headings above it, without the document's own name."""
    own = stems(words_of(passage.document.title))
    return [each for each in passage.section_path if stems(words_of(each)) != own]


def _alone(name: str, mine: _Sections, theirs: _Sections) -> list[Claim]:
    """Which sections one of them has alone, and where the first begins."""
    alone = [passages[0] for heading, passages in mine.items() if heading and heading not in theirs]
    if not alone:
        return []
    headings = dict.fromkeys(_section(each)[-1] for each in alone)
    text = wording.alone(name, list(headings))
    cited = (Citation(alone[0], 0, 0, Status.VERIFIED, 1.0),)
    return [Claim(text, Status.VERIFIED, ClaimKind.LISTED, cited, 1.0)]


def _decided(rows: Sequence[_Row]) -> Decision:
    """Probably where what some cell says is not sure, is not all, or has what is not known."""
    claims = [claim for row in rows for cell in row.cells for claim in cell]
    sentences = (s for claim in claims for cited in claim.citations for s in cited.sentences)
    sure = all(row.sure and not any(row.more) for row in rows)
    sure = sure and not any(each.is_doubtful for each in sentences)
    return Decision.ANSWER if sure else Decision.PARTIAL


def _names(both: Sequence[Document]) -> tuple[str, str]:
    """What they are called; by their files too where that is the same."""
    one, other = (each.title for each in both)
    if one == other:
        one, other = (f"{each.title} ({each.file})" for each in both)
    return one, other


def _as_claim(row: _Row, names: Sequence[str]) -> Claim:
    """A row as one claim, of which each cell cites its own places."""
    citations: list[Citation] = []
    cells, lines = [CellRecord(name=wording.ABOUT, value=row.about, sentence=0)], []
    for name, claims, more in zip(names, row.cells, row.more, strict=True):
        if not claims:
            continue
        own = [cited for claim in claims for cited in claim.citations]
        text = wording.and_more(" ".join(claim.text for claim in claims), more)
        places = tuple(range(len(citations), len(citations) + len(own)))
        cells.append(CellRecord(name=name, value=text, sentence=0, citations=places))
        lines.append(ClaimLine(f"{row.about}, {name}: {text}", None, True, places[0]))
        citations += own
    return Claim(
        text="\n".join(each.text for each in lines),
        status=Status.VERIFIED,
        kind=ClaimKind.LISTED,
        citations=tuple(citations),
        score=1.0,
        lines=tuple(lines),
        rows=(tuple(cells),),
    )
