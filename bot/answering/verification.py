"""Every claim is checked against what it cites.

1. An anchor that was never given makes it BROKEN.
2. Whole sentences, copied word for word, are borne out, unless what stands beside them makes
   another thing of them.
3. Else the entailment model reads each citation, and all together; what it misses is compared
   exactly. What sources only report, ask or want to be said bears nothing out.
4. VERIFIED is what is entailed and differs in nothing; what is in doubt asks for a surer model.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from audit.values import ClaimKind, Status
from bot.answering.anchors import consecutive, resolve
from bot.answering.copying import SentenceAt, copied, left_out, lines_of
from bot.answering.exact.comparison import against, doubts, objections, put_together
from bot.answering.own_name import NOBODY, Organisation
from bot.answering.premises import Premise, Premises
from bot.answering.surroundings import is_question
from bot.answering.values import Citation, Claim, Draft, DraftClaim, Run
from retrieval.ports import Entailment, EntailmentPair
from retrieval.search.scores import ENTAILED, SURELY_ENTAILED
from retrieval.types import Passage

_WORD = re.compile(r"\S+")
_ORDINARY = frozenset({"Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sc", "Zs"})
"""Categories of what no letter or digit is taken for: marks of punctuation, currencies and spaces.
What an amount is in is compared with its number."""
_EDGES = "\"'“”‘’«»()[]{}.,;:!?…–—-"
_LETTERS = re.compile(r"[^\W\d_¹²³¼-¾⁰-₉⅐-↉]+")


def other_characters(claim: str, source: str) -> list[str]:
    """Words of the claim with characters that are none of ASCII, which the source does not have."""
    known, own = _words(source), _words(claim)
    return [
        *(word for word in own if word not in known and not _is_plain(word)),
        *(word for word in known if word not in own and _is_of_several_alphabets(word)),
    ]


def _words(text: str) -> dict[str, None]:
    return dict.fromkeys(word.strip(_EDGES) for word in _WORD.findall(text))


def _is_plain(word: str) -> bool:
    return all(each.isascii() or _is_ordinary(each) for each in word)


def _is_ordinary(character: str) -> bool:
    return unicodedata.category(character) in _ORDINARY or character == "−"


def _is_of_several_alphabets(word: str) -> bool:
    return any(len(set(map(_alphabet, run))) > 1 for run in _LETTERS.findall(word))


def _alphabet(letter: str) -> str:
    """By the first word of its name: LATIN, CYRILLIC, FULLWIDTH."""
    return unicodedata.name(letter, "?").split()[0]


@dataclass(frozen=True, slots=True)
class Judgement:
    score: float
    objections: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimVerifier:
    """It uses a model that is never the writer's own."""

    entailment: Entailment
    threshold: float = ENTAILED
    """Probability from which a premise entails a claim."""
    sure: float = SURELY_ENTAILED
    """Probability from which it entails a claim that is in doubt."""
    compares: bool = True
    """Whether words are compared exactly, too; else the model alone tells."""
    organisation: Organisation = NOBODY
    """Whose documents say "we"."""
    by_language_model: bool = False
    """Whether the model is one that is asked over a network, so once a draft, and that can draw
    conclusions: what in one differs from its sources, as 31 days do from "more than 27", asks for
    a surer model then, where else it is not entailed."""
    of_conclusions: bool = False
    """Whether what differs is in doubt and not refuted. What a conclusion leaves out, or cuts
    short, and an address that no source has, speak against it as ever."""

    def __call__(self, draft: Draft) -> tuple[Claim, ...]:
        """Raise `WriterUnavailable` where a language model checks, and does not answer."""
        model = self.entailment
        if self.by_language_model:
            model = asked_at_once(model, lambda listening: self._checked(draft, listening))
        return self._checked(draft, model)

    def _checked(self, draft: Draft, model: Entailment) -> tuple[Claim, ...]:
        cited = replace(self, entailment=model)
        concluded = replace(cited, of_conclusions=self.by_language_model)
        by_kind = {ClaimKind.CITED: cited, ClaimKind.INFERENCE: concluded}
        said = ("", *("" if draft.only_copies else claim.text for claim in draft.claims))
        return tuple(
            by_kind[claim.kind].check(claim, draft.passages, before)
            for claim, before in zip(draft.claims, said, strict=False)
        )

    def check(self, claim: DraftClaim, passages: Sequence[Passage], before: str = "") -> Claim:
        """What becomes of one claim, by this comparison and model, and what is said `before` it."""
        places, broken = _resolved(claim.anchors, passages)
        if broken or not places:
            citations = tuple(run.cited(Status.BROKEN, 0.0) for run in _runs(places))
            return _claim(claim, Status.BROKEN, citations, broken=broken)
        taken = copied(claim.text, places)
        left = self._left_out(claim.text, taken or places, before)
        if taken and not left:
            return self._copied(claim, taken, passages)
        return self._read(claim, _runs(taken or places), left, passages)

    def copy(self, claim: DraftClaim, passages: Sequence[Passage]) -> Claim | None:
        """A claim without a reasoning, if it is a copy that holds; no model is asked."""
        places, _ = _resolved(claim.anchors, passages)
        taken = copied(claim.text, places)
        holds = taken and not self._left_out(claim.text, taken, "")
        return self._copied(claim, taken, passages) if holds else None

    def _left_out(self, claim: str, places: Sequence[SentenceAt], before: str) -> Sequence[str]:
        return left_out(claim, places, before) if self.compares else ()

    def _copied(
        self, claim: DraftClaim, taken: Sequence[SentenceAt], passages: Sequence[Passage]
    ) -> Claim:
        citations = tuple(run.cited(Status.VERIFIED, 1.0) for run in _runs(taken))
        verified = self._verified(claim, citations, 1.0, passages)
        return replace(verified, copied=True, lines=lines_of(taken, citations))

    def _read(
        self,
        claim: DraftClaim,
        runs: Sequence[Run],
        left: Sequence[str],
        passages: Sequence[Passage],
    ) -> Claim:
        """What the model makes of a claim; `left`: what it leaves out, which speaks against it."""
        text, spelt = self.organisation.spelt_out(claim.text, runs)
        cited = [Premises.run(run) for run in spelt]
        together = Premises.together(cited)
        judged = self._judged(text, [*cited, together] if len(cited) > 1 else cited)
        bare = together.bare
        objected = (
            *(against(text, bare.text, bare.sentences, left) if self.compares else ()),
            *self.organisation.others(claim.text, runs),
            *(("its source only asks",) if _only_ask(runs) and not is_question(text) else ()),
            *(
                f"its source is written in other characters than “{each}”"
                for each in other_characters(text, together.premise.text)
            ),
        )
        judged = [
            replace(each, objections=tuple(dict.fromkeys((*objected, *each.objections))))
            for each in judged
        ]
        citations = tuple(
            run.cited(self._status(each), each.score)
            for run, each in zip(runs, judged, strict=False)
        )
        best = max(judged, key=lambda each: (self.entails(each), each.score))
        if self.entails(best):
            alone = tuple(each for each in citations if each.status is Status.VERIFIED)
            return self._verified(claim, alone or citations, best.score, passages)
        differs = (*judged[-1].objections, *judged[-1].doubts)
        return _claim(claim, Status.UNSUPPORTED, citations, best.score, objections=differs)

    def _verified(
        self,
        claim: DraftClaim,
        citations: tuple[Citation, ...],
        score: float,
        passages: Sequence[Passage],
    ) -> Claim:
        """With why it follows, where what it cites bears that out as well."""
        why = ""
        if claim.reasoning:
            reason = self.check(DraftClaim(claim.reasoning, claim.anchors), passages)
            why = claim.reasoning if reason.status is Status.VERIFIED else ""
        return _claim(claim, Status.VERIFIED, citations, score, reasoning=why)

    def _judged(self, claim: str, cited: Sequence[Premises]) -> list[Judgement]:
        judged = self.judge(claim, [each.premise for each in cited])
        return [
            self._by_what_is_cited(claim, each, whole)
            for each, whole in zip(cited, judged, strict=True)
        ]

    def _by_what_is_cited(self, claim: str, cited: Premises, whole: Judgement) -> Judgement:
        """The judgement, unless what is only read with a citation bears the claim out instead."""
        if not self.entails(whole) or not cited.aside.text:
            return whole
        aside, bare = self.judge(claim, [cited.aside, cited.bare])
        return bare if self.entails(aside) and not self.entails(bare) else whole

    def judge(self, claim: str, premises: Sequence[Premise]) -> list[Judgement]:
        """What each premise makes of a claim that is copied from none."""
        heard = [premise.on(claim) for premise in premises]
        scores = self.entailment.supported([EntailmentPair(each.text, claim) for each in heard])
        judged = [
            self._compared(score, claim, premise.sentences)
            for score, premise in zip(scores, heard, strict=True)
        ]
        return [
            each if self.entails(each) else self._part_by_part(claim, premise, each)
            for each, premise in zip(judged, heard, strict=True)
        ]

    def _part_by_part(self, claim: str, premise: Premise, whole: Judgement) -> Judgement:
        """Facts merely put together are entailed where each is, which a small model misses."""
        parts = put_together(claim, premise.sentences) if self.compares else None
        if not parts or whole.objections or whole.doubts:
            return whole
        scores = self.entailment.supported([EntailmentPair(premise.text, each) for each in parts])
        objected = [
            each
            for part in parts
            for each in self._compared(0.0, part, premise.sentences).objections
        ]
        together = Judgement(min(scores), tuple(objected))
        return together if self.entails(together) else whole

    def _compared(self, score: float, claim: str, sentences: Sequence[str]) -> Judgement:
        if not self.compares:
            return Judgement(score)
        objected, doubtful = objections(claim, sentences), doubts(claim, sentences)
        if self.of_conclusions:
            return Judgement(score, (), (*objected, *doubtful))
        return Judgement(score, objected, doubtful)

    def entails(self, judgement: Judgement) -> bool:
        needed = self.sure if judgement.doubts else self.threshold
        return judgement.score >= needed and not judgement.objections

    def _status(self, judgement: Judgement) -> Status:
        return Status.VERIFIED if self.entails(judgement) else Status.UNSUPPORTED


def _resolved(
    anchors: Sequence[str], passages: Sequence[Passage]
) -> tuple[list[SentenceAt], tuple[str, ...]]:
    found = [(anchor, resolve(anchor, passages)) for anchor in anchors]
    places = [place for _, place in found if place is not None]
    return places, tuple(anchor for anchor, place in found if place is None)


def _only_ask(runs: Sequence[Run]) -> bool:
    """A question that is cited bears out no statement."""
    return all(is_question(sentence.text) for run in runs for sentence in run.sentences)


def _runs(places: Sequence[SentenceAt]) -> list[Run]:
    """Neighbouring sentences of one passage on one page are one citation."""
    sentences: dict[str, set[int]] = {}
    passages: dict[str, Passage] = {}
    for passage, index in places:
        passages[passage.passage_id] = passage
        sentences.setdefault(passage.passage_id, set()).add(index)
    return [
        Run(passages[passage_id], run[0], run[-1])
        for passage_id, indices in sentences.items()
        for run in consecutive(sorted(indices))
    ]


def _claim(
    claim: DraftClaim,
    status: Status,
    citations: tuple[Citation, ...],
    score: float = 0.0,
    broken: tuple[str, ...] = (),
    objections: tuple[str, ...] = (),
    reasoning: str = "",
) -> Claim:
    return Claim(
        text=claim.text,
        status=status,
        kind=claim.kind,
        citations=citations,
        score=score,
        reasoning=reasoning,
        broken_anchors=broken,
        objections=objections,
        parts=claim.parts,
    )


def asked_at_once(model: Entailment, check: Callable[[Entailment], object]) -> Entailment:
    """A model that knows already what `check` asks of it; raise what `model` does."""
    asked: dict[EntailmentPair, None] = {}
    for answer in (1.0, 0.0):
        check(_Listening(model.name, answer, asked))
    pairs = list(asked)
    return _Knowing(model, dict(zip(pairs, model.supported(pairs), strict=True)))


@dataclass(frozen=True, slots=True)
class _Listening:
    """It keeps what it is asked, and always answers the same."""

    name: str
    answer: float
    asked: dict[EntailmentPair, None]

    def supported(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        self.asked.update(dict.fromkeys(pairs))
        return [self.answer] * len(pairs)


@dataclass(frozen=True, slots=True)
class _Knowing:
    model: Entailment
    known: dict[EntailmentPair, float]

    @property
    def name(self) -> str:
        return self.model.name

    def supported(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        unknown = [pair for pair in dict.fromkeys(pairs) if pair not in self.known]
        self.known.update(zip(unknown, self.model.supported(unknown), strict=True))
        return [self.known[pair] for pair in pairs]
