"""A sentence that begins its passage may lean on the one before it, in the passage before.

"They must hand in their card" says nothing without the sentence that says who. It is copied with
it, and cited at its own place. The passage before comes with the evidence, checked for the reader
as every hit is.
"""

from collections.abc import Collection, Mapping

from bot.answering.kept_out import is_for_people
from bot.answering.surroundings import NEAR, refers_back
from bot.answering.writers.cut_lists import Part
from retrieval.language.anaphora import MOST_BEFORE, is_anaphoric
from retrieval.types import Passage, Sentence


def leant_on(
    copied: Part, preceding: Mapping[str, Passage], others: Collection[Part]
) -> tuple[Part, ...]:
    """What a part cannot be understood without that stands in the passage before; mostly nothing.

    Nothing where that is kept out, or is copied itself, as one of the `others`.
    """
    passage, span = copied
    before = preceding.get(passage.passage_id)
    begins = passage.sentences[0]
    if before is None or span[0] != 0 or not is_anaphoric(begins.text):
        return ()
    last = _last_before(before, begins)
    if last is None:
        return ()
    first = last
    while last - first + 1 < MOST_BEFORE and refers_back(before, first):
        first -= 1
    told = any(
        each.passage_id == before.passage_id and start <= last <= end
        for each, (start, end) in others
    )
    return ((before, (first, last)),) if is_for_people(before, first, last) and not told else ()


def _last_before(before: Passage, begins: Sentence) -> int | None:
    """The sentence right before; passages may overlap. None where it stands elsewhere."""
    above = [
        index for index, each in enumerate(before.sentences) if each.char_end <= begins.char_start
    ]
    return above[-1] if above and _is_near(before.sentences[above[-1]], begins) else None


def _is_near(above: Sentence, begins: Sentence) -> bool:
    """On the same page a few lines away, or on the page before."""
    if above.page is not None and begins.page is not None and above.page != begins.page:
        return begins.page == above.page + 1
    if above.line_end is None or begins.line_start is None:
        return True
    return begins.line_start - above.line_end <= NEAR
