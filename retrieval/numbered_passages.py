"""Of what a question names by its number, a passage and its sentences may tell others alone."""

from retrieval.language.numbered import items_called, of_another
from retrieval.types import Passage


def is_about_others(question: str, passage: Passage) -> bool:
    return of_another(question, passage.with_items(items_called(question)))


def sentences_about_others(question: str, passage: Passage) -> frozenset[int]:
    """By their index."""
    called = items_called(question)
    return frozenset(
        index
        for index, sentence in enumerate(passage.sentences)
        if of_another(question, sentence.as_item(called))
    )
