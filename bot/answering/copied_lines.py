"""The lines of a copied list or listing, so that steps are read as steps and commands as such."""

from collections.abc import Sequence
from dataclasses import replace

from bot.answering.copying import Place
from bot.answering.values import Citation, ClaimLine
from retrieval.language.table_rows import as_sentence


def lines_of(copied: Sequence[Place], citations: Sequence[Citation]) -> tuple[ClaimLine, ...]:
    """A line for each item or line of a listing, and for what stands around them.

    None where there is neither. `copied`: sentences in the claim's order, each in one of the
    citations. A bullet alone is read as the sentence that it is.
    """
    lines: list[ClaimLine] = []
    own = [passage.sentences[index].is_item for passage, index in copied]
    for number, place in enumerate(copied):
        line = _line(place, citations)
        before = lines[-1] if lines and not (own[number - 1] or own[number]) else None
        if before and before.citation == line.citation:
            lines[-1] = replace(before, text=f"{before.text} {line.text}")
        else:
            lines.append(line)
    numbered = any(each.number is not None for each in lines)
    return tuple(lines) if numbered or (any(own) and len(lines) > 1) else ()


def _line(place: Place, citations: Sequence[Citation]) -> ClaimLine:
    passage, index = place
    sentence = passage.sentences[index]
    within = (
        number
        for number, each in enumerate(citations)
        if each.passage.passage_id == passage.passage_id and each.first <= index <= each.last
    )
    text = as_sentence(sentence.text)
    return ClaimLine(text, sentence.item_number, sentence.in_list, next(within))
