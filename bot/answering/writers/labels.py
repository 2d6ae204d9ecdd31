"""A line such as "Late return" names what stands under it, and answers nothing by itself.

Plain text has no mark for a heading, and some pages set theirs in bold, so that they are read as
paragraphs. But "Module leader" may be all that a page says of who signs: so a line is a label only
where nothing is lost without it, since it is the title or what stands under it has its words.
"""

import re

from bot.answering.exact.near_copies import denies, restricts
from retrieval.language.asking import AUXILIARIES, QUESTION_WORDS
from retrieval.language.words import stems, words_of
from retrieval.types import Passage, Sentence

_MOST_WORDS = 4
"""Of a label, what stands in brackets apart: "Main library (building L)"."""
_IN_BRACKETS = re.compile(r"\s*\([^()]*\)")
_SAYS_MORE = re.compile(r"[\d@:;,/]|[.!?…]$")
_GOES_ON = re.compile(r"(?:,| \(| [\u2013-] )[^.!?]*")
_STATES = AUXILIARIES | frozenset(
    "apply ask bring closed fill free go keep open see send take tell yes".split()  # noqa: SIM905
)
"""With one of these, or a word such as "allowed", a line may say something, however short."""
_APART = re.compile(r"\n[ \t\r]*\n|</?(?:p|div|dt|dd|li|section|h[1-6])\b", re.IGNORECASE)


def is_label(passage: Passage, index: int) -> bool:
    """Whether a sentence only names what stands under it in the passage."""
    if not _stands_apart(passage, index):
        return False
    text = passage.sentences[index].text
    if _is_title(passage.document.title, text):
        return True
    return _names_only(text) and (_asks(text) or _is_said_below(passage, index))


def _is_title(title: str, text: str) -> bool:
    """Whether it is the document's title, alone or with what follows a comma."""
    begins, after = text[: len(title)], text[len(title) :]
    same = bool(title) and begins.casefold() == title.casefold()
    return same and (not after or bool(_GOES_ON.fullmatch(after)))


def _stands_apart(passage: Passage, index: int) -> bool:
    """Whether it is a paragraph of its own, and something of its section stands under it."""
    sentences = passage.sentences
    here = sentences[index]
    if here.is_item or here.cells or here.picture or index == len(sentences) - 1:
        return False
    begins = index == 0 or _is_new_paragraph(passage, index)
    return begins and (sentences[index + 1].is_item or _is_new_paragraph(passage, index + 1))


def _is_new_paragraph(passage: Passage, index: int) -> bool:
    before, here = passage.sentences[index - 1], passage.sentences[index]
    if before.paragraph != here.paragraph:
        return True
    start = passage.sentences[0].char_start
    return bool(_APART.search(passage.source[before.char_end - start : here.char_start - start]))


def _names_only(text: str) -> bool:
    """Whether it is short and states nothing: no number, no rule and no address."""
    bare = _IN_BRACKETS.sub("", text)
    short = len(bare.split()) <= _MOST_WORDS
    return short and not _SAYS_MORE.search(text) and (_asks(text) or not _states(bare))


def _states(text: str) -> bool:
    words = words_of(text)
    stated = any(word in _STATES or word.endswith("ed") for word in words)
    return stated or denies(text) or restricts(text)


def _asks(text: str) -> bool:
    """Such as "What you get"."""
    return bool(QUESTION_WORDS.intersection(words_of(text)[:1]))


def _is_said_below(passage: Passage, index: int) -> bool:
    """Whether a word of it stands in what follows, up to the next line as short."""
    named = stems(words_of(_IN_BRACKETS.sub("", passage.sentences[index].text)))
    return any(named & stems(words_of(each.text)) for each in _under(passage, index))


def _under(passage: Passage, index: int) -> list[Sentence]:
    under = []
    for after, sentence in enumerate(passage.sentences[index + 1 :], start=index + 1):
        if _names_only(sentence.text) and _stands_apart(passage, after):
            break
        under.append(sentence)
    return under
