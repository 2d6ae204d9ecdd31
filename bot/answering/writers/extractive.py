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
from bot.answering.surroundings import goes_on, is_question
from bot.answering.values import Brief, Draft, DraftClaim
from bot.answering.writers.answer_spans import (
    AnswerSpan,
    Part,
    answer_spans,
    as_read,
    cut_list,
    is_procedure,
    text_of_parts,
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
    """A span that could be copied answers so probably, and its passage answers so probably."""

    passage: Passage
    span: AnswerSpan
    answers: float
    passage_answers: float
    goes_on: tuple[Part, ...] = ()
    """What ends the list in other passages, where it is one that was cut."""

    @property
    def worth(self) -> float:
        """Among others. A sentence seldom says all by itself, so its passage counts as well."""
        return (self.answers + self.passage_answers) / 2

    @property
    def text(self) -> str:
        return text_of_parts(self.parts)

    @property
    def parts(self) -> tuple[Part, ...]:
        return ((self.passage, self.span), *self.goes_on)

    def is_part_of(self, other: "Scored") -> bool:
        (first, last), (start, end) = self.span, other.span
        within = self.passage is other.passage and start <= first and last <= end
        return within and self.span != other.span

    def says_what(self, other: "Scored") -> bool:
        if any(_overlap(one, another) for one in self.parts for another in other.parts):
            return True
        elsewhere = self.passage is not other.passage and repeats(self.text, other.text)
        return self.text == other.text or elsewhere

    def with_next(self) -> "Scored | None":
        """A sentence with the next one of its paragraph; None for no sentence, or the last one."""
        passage, (first, last) = self.passage, self.span
        here = passage.sentences[first]
        if first != last or self.goes_on or here.is_item or here.cells:
            return None
        is_more = goes_on(passage, last + 1) and not is_question(passage.sentences[last + 1].text)
        if not is_more or not is_for_people(passage, *whole_span(passage, (first, last + 1))):
            return None
        return replace(self, span=(first, last + 1))


def _overlap(one: Part, other: Part) -> bool:
    (passage, (first, last)), (another, (start, end)) = one, other
    return passage.passage_id == another.passage_id and first <= end and start <= last


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
        spans = [(each, span) for each in begun for span in _whole_spans(each, chosen)]
        copied = [(part, *_going_on(*part, chosen)) for part in spans]
        passages = _once_each([*begun, *(passage for whole in copied for passage, _ in whole)])
        numbers = {passage.passage_id: n for n, passage in enumerate(passages, start=1)}
        claims = [
            _copied(whole, numbers, _parts(*part, chosen))
            for whole, part in zip(copied, spans, strict=True)
        ]
        return Draft(
            claims=tuple(claims),
            passages=tuple(passages),
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
        texts = [as_read(question, *of.parts) for pair in longer.items() for of in pair]
        scores = self.reranker.scores([RerankPair(question, text, {}) for text in texts])
        gains = (
            both.logit - alone.logit for alone, both in zip(scores[::2], scores[1::2], strict=True)
        )
        better = {each for each, gain in zip(longer, gains, strict=True) if gain > self.gain}
        return [longer[each] if each in better else each for each in chosen]

    def _whole_procedures(self, scored: Sequence[Scored]) -> list[Scored]:
        """Without single steps where the whole procedure is about as good."""
        whole = [each for each in scored if is_procedure(each.passage, each.span)]
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
            (hit, parts)
            for hit in hits
            for parts in _may_be_copied(question, hit.passage, on, following)
        ]
        if not places:
            return []
        pairs = [RerankPair(question, as_read(question, *parts)) for _, parts in places]
        named = {hit.passage: looked_up(question, hit.passage) for hit in hits}
        return [
            Scored(
                hit.passage,
                parts[0][1],
                LOOKED_UP if _is_within(parts[0][1], named[hit.passage]) else score.relevance,
                relevance_of(hit.scores),
                parts[1:],
            )
            for (hit, parts), score in zip(places, self.reranker.scores(pairs), strict=True)
        ]


def _is_within(span: AnswerSpan, sentences: Collection[int]) -> bool:
    return all(index in sentences for index in range(span[0], span[1] + 1))


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
) -> list[tuple[Part, ...]]:
    alone: list[tuple[Part, ...]] = [((passage, span),) for span in _meant(question, passage, on)]
    whole = cut_list(passage, following.get(passage.passage_id, ()))
    return [*alone, whole] if whole else alone


def _once_each(passages: Sequence[Passage]) -> list[Passage]:
    return list({passage.passage_id: passage for passage in passages}.values())


def _going_on(passage: Passage, copied: AnswerSpan, chosen: Collection[Scored]) -> tuple[Part, ...]:
    """What ends the list that a whole span ends within, where that was chosen."""
    within = (
        each.goes_on
        for each in chosen
        if each.passage is passage and each.span[1] == copied[1] and each.goes_on
    )
    return next(within, ())


def _meant(question: str, passage: Passage, on: date) -> list[AnswerSpan]:
    """What may be copied: of a table's rows, and of what is numbered, what is asked about alone."""
    others = rows_not_meant(question, passage, on) | sentences_about_others(question, passage)
    return [
        each for each in answer_spans(passage) if others.isdisjoint(range(each[0], each[1] + 1))
    ]


def _whole_spans(passage: Passage, chosen: Collection[Scored]) -> list[tuple[int, int]]:
    """What is copied of a passage, as it stands: each chosen span with what it needs."""
    needed = sorted({whole_span(passage, each.span) for each in chosen if each.passage is passage})
    joined: list[tuple[int, int]] = []
    for first, last in needed:
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


def _parts(
    passage: Passage, copied: AnswerSpan, chosen: Mapping[Scored, tuple[int, ...]]
) -> tuple[int, ...]:
    first, last = copied
    inside = (
        parts
        for each, parts in chosen.items()
        if each.passage is passage and first <= each.span[0] <= last
    )
    return tuple(sorted({part for parts in inside for part in parts}))


def _copied(
    copied: Sequence[Part], numbers: Mapping[str, int], parts: tuple[int, ...]
) -> DraftClaim:
    return DraftClaim(
        text_of_parts(copied),
        tuple(
            anchor(numbers[passage.passage_id], n + 1)
            for passage, (first, last) in copied
            for n in range(first, last + 1)
        ),
        parts=parts,
    )
