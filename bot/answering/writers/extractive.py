"""The default writer copies the sentences and lists that best answer. It needs no key."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from bot.answering.anchors import anchor, is_for_people
from bot.answering.contradictions import measures_otherwise, opposed
from bot.answering.corroboration import repeats
from bot.answering.exact.amounts import asks_until_when, leaves_open_when
from bot.answering.exact.near_copies import content, restricts
from bot.answering.surroundings import example_ends, goes_on, is_question
from bot.answering.values import Brief, Draft, DraftClaim, Run
from bot.answering.writers.answer_spans import (
    AnswerSpan,
    answer_spans,
    as_read,
    cut_list,
    is_procedure,
    whole_span,
)
from bot.answering.writers.named_rows import rows_not_meant
from retrieval.language.numbered import sentences_about_others
from retrieval.language.words import stems, words_of
from retrieval.ports import Reranker, RerankPair
from retrieval.search.reranking import looked_up
from retrieval.search.scores import LOOKED_UP, relevance_of
from retrieval.types import Evidence, Hit, Passage, QuestionPart

Following = Mapping[str, Sequence[Passage]]
"""By passage id, what goes on with its list."""
LIKELY = 0.5
"""Worth, 0 to 1, from which a sentence that names a time is copied before one that fits better and
names none, and relevance, from which a passage is the normal case beside one for a condition. Not
measured: more probable than not."""
_ASKS_A_MEASURE = re.compile(
    r"\b(?:how (?:long|many|much|late|soon|often|early)|(?:by|until|till) when|deadline)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Scored:
    """What could be copied answers so probably, and its passage answers so probably."""

    runs: tuple[Run, ...]
    """One; of a list that was cut, what ends it in other passages as well."""
    answers: float
    passage_answers: float

    @property
    def begins(self) -> Run:
        return self.runs[0]

    @property
    def passage(self) -> Passage:
        return self.begins.passage

    @property
    def worth(self) -> float:
        """Among others. A sentence seldom says all by itself, so its passage counts as well."""
        return (self.answers + self.passage_answers) / 2

    @property
    def text(self) -> str:
        return " ".join(run.text for run in self.runs)

    def is_part_of(self, other: "Scored") -> bool:
        one, whole = self.begins, other.begins
        return one.passage is whole.passage and {*one.numbers} < {*whole.numbers}

    def says_what(self, other: "Scored") -> bool:
        if any(_overlap(one, another) for one in self.runs for another in other.runs):
            return True
        elsewhere = self.passage is not other.passage and repeats(self.text, other.text)
        return self.text == other.text or elsewhere

    def with_next(self) -> "Scored | None":
        """A sentence with the next one of its paragraph, or a whole example; None for no more."""
        passage, at, last = self.passage, self.begins.first, self.begins.last
        here, below = passage.sentences[at], at + 1
        if at != last or len(self.runs) > 1 or here.is_item or here.cells:
            return None
        is_more = goes_on(passage, below) and not is_question(passage.sentences[below].text)
        if not is_more:
            return None
        last = example_ends(passage, below)
        if not is_for_people(passage, *whole_span(passage, (at, last))):
            return None
        return replace(self, runs=(Run(passage, at, last),))


def _overlap(one: Run, other: Run) -> bool:
    of_one = one.passage.passage_id == other.passage.passage_id
    return of_one and one.first <= other.last and other.first <= one.last


@dataclass(frozen=True, slots=True)
class ExtractiveWriter:
    reranker: Reranker
    most: int = 3
    """Sentences or lists for one part of a question."""
    comparable: float = 0.8
    """Share, 0 to 1, of a worth from which what says otherwise is shown too, a procedure comes
    before one of its steps. Not measured; chosen so that both are about as good."""
    close: float = 0.9
    """Share, 0 to 1, of the best one's worth that a further one of the same passage has at least.
    Of .8, .9 and .95 it has the most first claims right on 576 calibration questions (206; 202 and
    203), and one answer in four hundred fewer than .8."""
    close_elsewhere: float = 0.95
    """The same of another passage. Not measured; chosen higher, since most answers stand in one
    place, and a citation that does not answer costs its reader more than a second one brings."""
    gain: float = 1.0
    """Logits by which a sentence and the next of its paragraph answer better than it alone, from
    which both are copied. Of 700 questions about held-out handbooks it tells half of the next
    sentences that answer as well, and one in twelve of those that do not."""
    name: str = "extractive"

    def write(self, brief: Brief) -> Draft:
        chosen = self._chosen(brief.evidence)
        begun = list(dict.fromkeys(scored.passage for scored in chosen))
        whole = [run for each in begun for run in _whole_runs(each, chosen)]
        copied = [(run, *_going_on(run, chosen)) for run in whole]
        used = (*begun, *(run.passage for runs in copied for run in runs))
        passages = {passage.passage_id: passage for passage in used}
        numbers = {passage_id: n for n, passage_id in enumerate(passages, start=1)}
        claims = [_copied(runs, numbers, _parts(runs[0], chosen)) for runs in copied]
        return Draft(
            claims=tuple(claims),
            passages=tuple(passages.values()),
            raw="\n".join(claim.text for claim in claims),
            only_copies=True,
        )

    def _chosen(self, evidence: Evidence) -> dict[Scored, tuple[int, ...]]:
        """What is copied, with the parts of the question that it answers."""
        hits = [hit for hit in evidence.hits if hit.overridden_by is None]
        chosen: dict[Scored, tuple[int, ...]] = {}
        for n, part in enumerate(evidence.parts):
            if not part.covered:
                continue
            for each in self._choose(part, hits, chosen, evidence):
                chosen[each] = (*chosen.get(each, ()), n)
        return chosen

    def _choose(
        self,
        part: QuestionPart,
        hits: Sequence[Hit],
        before: Collection[Scored],
        evidence: Evidence,
    ) -> list[Scored]:
        """What answers one part: what was chosen before and says the best of it, and what is new.

        Where the best was said before, others must do, from elsewhere too.
        """
        question = part.text
        found = self._scored(question, hits, evidence.scope.on, evidence.following)
        scored = sorted(found, key=lambda each: -each.worth)
        scored = self._whole_procedures(scored)
        scored = _normal_cases(question, scored, evidence.candidates)
        scored = _naming_what_is_added(part.adds, scored) or scored
        scored = _naming_a_time(part.asked or question, scored) or scored
        said = [other for other in before if scored and scored[0].says_what(other)]
        chosen: list[Scored] = []
        measured = bool(_ASKS_A_MEASURE.search(question))
        for each in self._close(scored, self.close if said else self.close_elsewhere, measured):
            if len(chosen) == self.most:
                break
            if not any(each.says_what(other) for other in (*before, *chosen)):
                chosen.append(each)
        return [*said, *self._completed(question, chosen)]

    def _completed(self, question: str, chosen: Sequence[Scored]) -> list[Scored]:
        """Each sentence with the next one, where both together answer far better."""
        longer = {each: more for each in chosen if (more := each.with_next())}
        texts = [as_read(question, *of.runs) for pair in longer.items() for of in pair]
        scores = self.reranker.scores([RerankPair(question, text, {}) for text in texts])
        gains = (
            both.logit - alone.logit for alone, both in zip(scores[::2], scores[1::2], strict=True)
        )
        better = {each for each, gain in zip(longer, gains, strict=True) if gain > self.gain}
        return [longer[each] if each in better else each for each in chosen]

    def _whole_procedures(self, scored: Sequence[Scored]) -> list[Scored]:
        """Without single steps where the whole procedure is about as good."""
        whole = [each for each in scored if is_procedure(each.begins)]
        return [
            each
            for each in scored
            if not any(
                each.is_part_of(steps) and steps.worth >= each.worth * self.comparable
                for steps in whole
            )
        ]

    def _close(self, scored: Sequence[Scored], elsewhere: float, measured: bool) -> list[Scored]:
        """Those nearly as good as the best; `elsewhere` is asked of another passage's.

        `measured`: a time or an amount is asked for, and another one may be what is meant: of
        "how long have students to appeal" the time for the decision on it is none.
        """
        return [each for each in scored if self._is_close(each, scored[0], elsewhere, measured)]

    def _is_close(self, one: Scored, best: Scored, elsewhere: float, measured: bool) -> bool:
        """What says otherwise need not be so close: it may be what holds."""
        if one.worth < best.worth * self.comparable:
            return False
        least = self.close if one.passage is best.passage else elsewhere
        near = one.worth >= best.worth * least
        rivals = measured and measures_otherwise(best.text, one.text)
        return near or rivals or bool(opposed(best.text, one.text))

    def _scored(
        self, question: str, hits: Sequence[Hit], on: date, following: Following
    ) -> list[Scored]:
        places = [
            (hit, runs)
            for hit in hits
            for runs in _may_be_copied(question, hit.passage, on, following)
        ]
        if not places:
            return []
        pairs = [RerankPair(question, as_read(question, *runs)) for _, runs in places]
        named = {hit.passage: looked_up(question, hit.passage) for hit in hits}
        return [
            Scored(
                runs,
                LOOKED_UP if {*runs[0].numbers} <= {*named[hit.passage]} else score.relevance,
                relevance_of(hit.scores),
            )
            for (hit, runs), score in zip(places, self.reranker.scores(pairs), strict=True)
        ]


def _normal_cases(question: str, scored: Sequence[Scored], found: Sequence[Hit]) -> list[Scored]:
    """Without what stands under a heading that is for a condition, where its sibling is none.

    Of "At the north gate" and "At the south gate (only when the north gate is broken)" the
    second is for who names it; so it is where the first is no evidence, and only likely.
    """
    likely = [hit.passage for hit in found if relevance_of(hit.scores) >= LIKELY]
    return [
        each
        for each in scored
        if not any(_is_exception_beside(question, each.passage, other) for other in likely)
    ]


def _is_exception_beside(question: str, one: Passage, other: Passage) -> bool:
    if one.document.document_id != other.document.document_id:
        return False
    if not one.section_path or not other.section_path:
        return False
    (*above, heading), (*beside, another) = one.section_path, other.section_path
    if above != beside or not restricts(heading) or restricts(another):
        return False
    return not (content(heading) - content(another)) & content(question)


def _naming_what_is_added(added: frozenset[str], scored: Sequence[Scored]) -> list[Scored]:
    """What itself, or its heading, names what a short follow-up adds."""
    return [
        each for each in scored if added <= stems(words_of(f"{each.passage.heading} {each.text}"))
    ]


def _naming_a_time(asked: str, scored: Sequence[Scored]) -> list[Scored]:
    """Where it is asked until when, what names a time and is likely to answer; else none."""
    if not asks_until_when(asked):
        return []
    return [s for s in scored if s.worth >= LIKELY and not leaves_open_when(asked, s.text)]


def _may_be_copied(
    question: str, passage: Passage, on: date, following: Following
) -> list[tuple[Run, ...]]:
    alone: list[tuple[Run, ...]] = [
        (Run(passage, *span),) for span in _meant(question, passage, on)
    ]
    whole = cut_list(passage, following.get(passage.passage_id, ()))
    return [*alone, whole] if whole else alone


def _going_on(whole: Run, chosen: Collection[Scored]) -> tuple[Run, ...]:
    """What ends the list that a whole run ends within, where that was chosen."""
    within = (
        each.runs[1:]
        for each in chosen
        if each.passage is whole.passage and each.begins.last == whole.last and each.runs[1:]
    )
    return next(within, ())


def _meant(question: str, passage: Passage, on: date) -> list[AnswerSpan]:
    """What may be copied: of a table's rows, and of what is numbered, what is asked about alone."""
    others = rows_not_meant(question, passage, on) | sentences_about_others(question, passage)
    return [
        each for each in answer_spans(passage) if others.isdisjoint(range(each[0], each[1] + 1))
    ]


def _whole_runs(passage: Passage, chosen: Collection[Scored]) -> list[Run]:
    """What is copied of a passage, as it stands: each chosen run with what it needs."""
    mine = [each.begins for each in chosen if each.passage is passage]
    joined: list[Run] = []
    for first, last in sorted({whole_span(passage, (run.first, run.last)) for run in mine}):
        if joined and first <= joined[-1].last:
            joined[-1] = replace(joined[-1], last=max(last, joined[-1].last))
        else:
            joined.append(Run(passage, first, last))
    return joined


def _parts(whole: Run, chosen: Mapping[Scored, tuple[int, ...]]) -> tuple[int, ...]:
    """All that the runs in it were chosen for."""
    inside = (
        parts
        for each, parts in chosen.items()
        if each.passage is whole.passage and each.begins.first in whole.numbers
    )
    return tuple(sorted({part for parts in inside for part in parts}))


def _copied(runs: Sequence[Run], numbers: Mapping[str, int], parts: tuple[int, ...]) -> DraftClaim:
    return DraftClaim(
        " ".join(run.text for run in runs),
        tuple(anchor(numbers[run.passage.passage_id], n + 1) for run in runs for n in run.numbers),
        parts=parts,
    )
