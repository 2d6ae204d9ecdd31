"""What surrounds the passages, as a language model sees it.

In reading order, document by document: where each passage with anchors stands, and what stands
beside it, each with the relevance that the search gave it, if it gave one.
"""

from collections.abc import Iterator, Mapping, Sequence

from bot.answering.chat.prompt import in_one_line, label
from bot.answering.kept_out import for_people, heading_for_people
from retrieval.scores import RELEVANCE
from retrieval.types import Evidence, Passage


def context_blocks(evidence: Evidence, passages: Sequence[Passage]) -> Iterator[str]:
    """None where nothing surrounds them; `passages` are those that anchors number."""
    numbers = {passage.passage_id: n for n, passage in enumerate(passages, start=1)}
    around = {each.passage_id: each for each in evidence.context if each.passage_id not in numbers}
    relevances = {
        hit.passage.passage_id: hit.scores[RELEVANCE]
        for hit in (*evidence.candidates, *evidence.hits)
        if RELEVANCE in hit.scores
    }
    for document_id in dict.fromkeys(each.document.document_id for each in around.values()):
        both = (*passages, *around.values())
        of_one = [each for each in both if each.document.document_id == document_id]
        originals = [numbers[each.passage_id] for each in of_one if each.passage_id in numbers]
        for passage in sorted(of_one, key=lambda each: each.ordinal):
            relevance = _relevance(passage, relevances)
            if passage.passage_id in numbers:
                yield f'<original passage="{numbers[passage.passage_id]}"{relevance}/>'
            else:
                yield _neighbour(passage, originals, relevance)


def _neighbour(passage: Passage, originals: Sequence[int], relevance: str) -> str:
    beside = f' of="{" ".join(map(str, originals))}"' if originals else ""
    return (
        f"<neighbour{beside}{relevance}>\n"
        f"heading: {label(heading_for_people(passage))}\n"
        f"{in_one_line(' '.join(for_people(passage)))}\n"
        "</neighbour>"
    )


def _relevance(passage: Passage, relevances: Mapping[str, float]) -> str:
    found = relevances.get(passage.passage_id)
    return "" if found is None else f' relevance="{found:.2f}"'
