"""A sentence, or a list with the line that leads to it, is judged and copied as one.

What it refers to, and what takes away from it, is copied with it.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile, zip_longest

from bot.answering.anchors import is_for_people
from bot.answering.surroundings import (
    example_ends,
    example_of,
    goes_on,
    has,
    introduces,
    introduces_sublist,
    is_lead,
    is_prose,
    is_question,
    parent,
    refers_back,
    restricting_lead,
    takes_away,
)
from bot.answering.values import Run
from retrieval.language.questions import MOST_BEFORE
from retrieval.language.table_rows import about_only_row, cells_of, in_words
from retrieval.language.words import FUNCTION_WORDS, stems, words_of
from retrieval.types import Passage

_ENDS_A_SENTENCE = re.compile(r"[.!?…:;]\W*$")
_SAYS_LITTLE = re.compile(
    r"^(?:A: )?(?:\S+ ){0,3}\S+$|^(?:A: )?(?:yes|no)\b|\b(?:yes|no)\W*$", re.IGNORECASE
)
"""Of what answers a question, without it: a few words, or whether it is so."""
MOST_ANSWERING = 3
"""Sentences below a question that are told as one; of more the first is, an example whole."""
AnswerSpan = tuple[int, int]
"""The first and the last of its sentences, by index."""


def answer_spans(passage: Passage) -> list[AnswerSpan]:
    """All that may answer; what leads to an answer, or names what stands under it, is none."""
    examples = list(_examples(passage))
    together = [*_answers(passage), *_lists(passage), *examples]
    told = {index for first, last in together for index in range(first, last + 1)}
    supposed = {index for first, last in examples for index in range(first, last + 1)}
    alone = [
        (index, index)
        for index in range(len(passage.sentences))
        if _is_free(passage, index)
        and not _only_leads(passage, index)
        and not (index in told and _is_part(passage, index))
        and index not in supposed
    ]
    spans = (*alone, *together)
    return [span for span in spans if is_for_people(passage, *whole_span(passage, span))]


def _only_leads(passage: Passage, index: int) -> bool:
    """Whether it leads to what stands under it, or names or asks it, and says nothing itself."""
    sentence = passage.sentences[index]
    asks = sentence.text.endswith("?") and not (sentence.is_item or sentence.cells)
    return asks or is_lead(sentence.text) or _only_names(passage, index)


def _is_part(passage: Passage, index: int) -> bool:
    """Whether it is not understood without what stands around it in a list, or above it."""
    says_little = bool(index) and is_question(passage.sentences[index - 1].text)
    says_little = says_little and bool(_SAYS_LITTLE.search(passage.sentences[index].text))
    return says_little or introduces(passage, index) or parent(passage, index) is not None


def _answers(passage: Passage) -> Iterator[AnswerSpan]:
    """Questions with answers, of a long one the first sentence: "No." says nothing alone."""
    asked = [at for at, each in enumerate(passage.sentences) if is_question(each.text)]
    for at, following in zip_longest(asked, asked[1:], fillvalue=len(passage.sentences)):
        last = at
        while last + 1 < following and (
            goes_on(passage, last + 1) or (last == at and is_prose(passage, last + 1))
        ):
            last += 1
        if last > at and _is_free(passage, at):
            yield at, last if last - at <= MOST_ANSWERING else example_ends(passage, at + 1)


def _examples(passage: Passage) -> Iterator[AnswerSpan]:
    """Examples of several sentences: what one supposes is no fact without the others."""
    begun = [example_of(passage, index) for index in range(len(passage.sentences))]
    for first in dict.fromkeys(each for each in begun if each is not None):
        last = len(begun) - 1 - begun[::-1].index(first)
        if last > first:
            yield first, last


def _is_free(passage: Passage, first: int) -> bool:
    """Whether what begins there has no line above it without which it says something else."""
    return restricting_lead(passage, first) is None


def _only_names(passage: Passage, index: int) -> bool:
    """Whether a line such as "Late return" has no word that what stands under it lacks."""
    here, *below = passage.sentences[index : index + 2]
    if not below or here.is_item or here.picture or cells_of(here.text):
        return False
    named = stems(word for word in words_of(here.text) if word not in FUNCTION_WORDS)
    said = (stems(words_of(each)) for each in (passage.document.title, below[0].text))
    return not _ENDS_A_SENTENCE.search(here.text) and any(set() < named <= each for each in said)


def whole_span(passage: Passage, span: AnswerSpan) -> AnswerSpan:
    """The span with what must be copied with it."""
    first, last = _whole_listing(passage, span)
    start = first
    while first > max(0, start - MOST_BEFORE) and refers_back(passage, first):
        first -= 1
    if takes_away(passage, last + 1):
        last += 1
        below = last + 1
        if introduces(passage, last) and has(passage, below):
            last = last_item(passage, below)
    return first, last


def _whole_listing(passage: Passage, span: AnswerSpan) -> AnswerSpan:
    """With the lines of program text beside it, and the line above that leads to them."""
    first, last = span
    while _stands_in_listing(passage, first) and _stands_in_listing(passage, first - 1):
        first -= 1
    while _stands_in_listing(passage, last) and _stands_in_listing(passage, last + 1):
        last += 1
    return first - _leads_to_listing(passage, first - 1), last


def _stands_in_listing(passage: Passage, index: int) -> bool:
    if not has(passage, index):
        return False
    return passage.sentences[index].in_code and is_for_people(passage, index, index)


def _leads_to_listing(passage: Passage, index: int) -> bool:
    """Whether a sentence says to people what the program text right under it is for."""
    if index < 0 or not _stands_in_listing(passage, index + 1):
        return False
    sentence = passage.sentences[index]
    is_above = is_lead(sentence.text) and not sentence.in_code
    return is_above and is_for_people(passage, index, index)


def text_of(passage: Passage, span: AnswerSpan) -> str:
    """What is copied, white space folded and without markup."""
    return Run(passage, *span).text


def _lists(passage: Passage) -> Iterator[AnswerSpan]:
    """Those that end in the passage: of one that is cut nobody would know that steps lack."""
    sentences = passage.sentences
    for first, sentence in enumerate(sentences[:-1]):
        if _leads_to_listing(passage, first):
            yield _whole_listing(passage, (first + 1, first + 1))
        opens = introduces(passage, first) and not sentence.in_list
        if opens and sentences[first + 1].in_list:
            last = last_item(passage, first + 1)
        elif _begins_steps(passage, first):
            last = last_item(passage, first)
        elif (
            introduces_sublist(passage, first)
            and parent(passage, first) is None
            and _is_free(passage, first)
        ):
            last = _last_within(passage, first)
        else:
            continue
        whole = any(introduces(passage, at) for at in range(last + 1, len(sentences)))
        if whole or not sentences[-1].list_goes_on:
            yield first, last


def _last_within(passage: Passage, first: int) -> int:
    depth = passage.sentences[first].depth
    within = takewhile(lambda each: each.depth > depth, passage.sentences[first + 1 :])
    return first + sum(1 for _ in within)


def is_procedure(run: Run) -> bool:
    return sum(each.item_number is not None for each in run.sentences) > 1


def _begins_steps(passage: Passage, first: int) -> bool:
    """Whether a list of numbered steps begins here to which no line but the heading leads."""
    sentences = passage.sentences
    if sentences[first].item_number is None or sentences[first].list_lead:
        return False
    alone = first == 0 or not (sentences[first - 1].in_list or introduces(passage, first - 1))
    return alone and is_procedure(Run(passage, first, last_item(passage, first)))


def last_item(passage: Passage, first: int) -> int:
    """With what stands between two items, which is more of the one before it."""
    last = first
    for index in range(first, len(passage.sentences)):
        sentence = passage.sentences[index]
        if sentence.in_list:
            last = index
        elif introduces(passage, index):
            break
    return last


def cut_list(passage: Passage, following: Sequence[Passage]) -> tuple[Run, ...]:
    """The list that a passage ends within, from the line that leads to it to its last item.

    First what stands in the passage itself. Empty where no list begins in it that goes on, where
    what follows does not end the list, or where something in it is not for people.
    """
    first = _lead(passage)
    if first is None or not following or following[-1].sentences[-1].list_goes_on:
        return ()
    *between, last = following
    runs = (
        Run(passage, first, len(passage.sentences) - 1),
        *(Run(each, 0, len(each.sentences) - 1) for each in between),
        Run(last, *whole_span(last, (0, last_item(last, 0)))),
    )
    return runs if all(is_for_people(run.passage, run.first, run.last) for run in runs) else ()


def as_read(question: str, *runs: Run) -> str:
    """What a cross-encoder reads of them with a question, under the heading of the first."""
    said = (
        in_words(sentence.text, question, about_only_row(run.passage))
        for run in runs
        for sentence in run.sentences
    )
    return f"{runs[0].passage.heading}\n{' '.join(said)}"


def _lead(passage: Passage) -> int | None:
    """Where the line stands that opened the list with which the passage ends; None without one."""
    sentences = passage.sentences
    if not sentences[-1].list_goes_on:
        return None
    for index in range(len(sentences) - 2, -1, -1):
        if introduces(passage, index) and not sentences[index].in_list:
            return index if sentences[index + 1].in_list else None
    return None
