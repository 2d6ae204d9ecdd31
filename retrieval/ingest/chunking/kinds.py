"""A sentence of a passage knows what of its fragment's kind matters to who copies it."""

from dataclasses import replace

from retrieval.types import FragmentKind, Sentence


def of_kind(sentence: Sentence, kind: FragmentKind) -> Sentence:
    return replace(
        sentence,
        in_list=kind is FragmentKind.LIST_ITEM,
        in_code=kind is FragmentKind.CODE,
    )
