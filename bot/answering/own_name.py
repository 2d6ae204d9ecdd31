"""In its documents an organisation says "we", and a claim says its name: both are one.

Who "we" are, front matter or a setting says; the setting says nothing of a unit's documents.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import takewhile

from bot.answering.values import Run
from retrieval.types import Metadata, Passage

_SPOKEN = {
    "we": "{}",
    "us": "{}",
    "ourselves": "{} itself",
    "our": "{}'s",
    "ours": "{}'s",
    "we're": "{} is",
    "we've": "{} has",
    "we'll": "{} will",
    "we'd": "{} would",
}
_PRONOUN = re.compile(
    r"\b(?:[Ww]e['’](?:re|ve|ll|d)|[Ww]e|us|Us|[Oo]urselves|[Oo]urs|[Oo]ur)\b(?![-.@/])"
)
"""Not "US", the country."""
_QUOTED = re.compile(r"(“[^”]*”|\"[^\"]*\")")
_OF_ANOTHER = re.compile(r"(?:\b(?:At|For|To|With) [A-Z][\w&-]+(?: [A-Z][\w&-]+)*,|:)\s[^,;:]*$")
"""What before a pronoun says that others speak: "At Contoso, we", "Contoso promises: we"."""
_GENERAL = frozenset(
    """
    a agency all an anybody anyone college company department each employer every everybody
    everyone faculty firm he her his institute institution it its my nobody office one
    organisation organization people school she some somebody staff team that the their these
    they this those university what when where which who you your
    """.split()  # noqa: SIM905  # a list of words reads as one
)
"""Words by which a claim may call whoever says "we", or somebody in general."""


ALIKE = 0.5
"""difflib's ratio, 0 to 1, of words from which a claim is laid beside a sentence word by word. Not
measured; half of the words, so that what stands in the place of "we" is found."""


@dataclass(frozen=True, slots=True)
class Organisation:
    names: tuple[str, ...] = ()
    units: frozenset[str] = frozenset()
    """The levels under it, as a document states its own."""

    def of(self, metadata: Metadata) -> tuple[str, ...]:
        """The names of those who say "we" in a document, the longest first; empty if unknown."""
        names = metadata.organisation or (() if metadata.level in self.units else self.names)
        return tuple(sorted(names, key=len, reverse=True))

    def spelt_out(self, claim: str, runs: Sequence[Run]) -> tuple[str, list[Run]]:
        """Claim and sources, each "we" and each name of theirs as the one that the claim says."""
        known = {self.of(run.passage.document.metadata) for run in runs}
        names = known.pop() if len(known) == 1 else ()
        if not names:
            return claim, list(runs)
        name = next((each for each in names if _says(claim, each)), names[0])
        spelt = [replace(run, passage=_spelt_out(run.passage, name, names)) for run in runs]
        return _named(claim, name, names), spelt

    def others(self, claim: str, runs: Sequence[Run]) -> tuple[str, ...]:
        """That the claim says of others what its sources say of "us"; in plain words."""
        found = (
            other
            for run in runs
            for sentence in run.sentences
            for other in _in_our_place(claim, sentence.text)
            if other not in self.of(run.passage.document.metadata)
        )
        return tuple(dict.fromkeys(f"its source says of “us” what it says of “{o}”" for o in found))


NOBODY = Organisation()


def _in_our_place(claim: str, sentence: str) -> Iterator[str]:
    """Whom the claim names where the sentence, otherwise nearly the same, says "we"."""
    theirs, own = sentence.split(), claim.split()
    aligned = SequenceMatcher(
        None, [_bare(word) for word in theirs], [_bare(word) for word in own], autojunk=False
    )
    if aligned.ratio() < ALIKE:
        return
    for kind, a, b, start, end in aligned.get_opcodes():
        ours, others = theirs[a:b], own[start:end]
        if kind == "replace" and _PRONOUN.match(ours[0]) and _is_another(others, theirs):
            named = takewhile(lambda word: word[:1].isupper(), others)
            yield re.sub(r"['’]s?$", "", " ".join(named).rstrip(".,;:"))


def _is_another(words: Sequence[str], theirs: Sequence[str]) -> bool:
    known = {_bare(word) for word in theirs}
    first = words[0]
    return (
        first[:1].isupper() and not _PRONOUN.match(first) and _bare(first) not in _GENERAL | known
    )


def _bare(word: str) -> str:
    """Without what its place in the sentence makes of it: case, an ending, a point."""
    return re.sub(r"['’]s?$", "", word.strip('.,;:!?()“”"').casefold()).removesuffix("s")


def _says(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def _named(text: str, name: str, names: Sequence[str]) -> str:
    """With one name in place of every pronoun and of the other names; quotations as they are."""
    pieces = _QUOTED.split(text)
    return "".join(
        piece if number % 2 else _one_name(piece, name, names)
        for number, piece in enumerate(pieces)
    )


def _one_name(text: str, name: str, names: Sequence[str]) -> str:
    def said(match: re.Match[str]) -> str:
        if _OF_ANOTHER.search(text[: match.start()]):
            return match[0]
        return _SPOKEN[match[0].casefold().replace("’", "'")].format(name)

    others = "|".join(re.escape(each) for each in names if each != name)
    if others:
        # The name itself comes first, or a shorter one would be found within it.
        any_name = re.compile(rf"(?<![\w-])(?:{re.escape(name)}|{others})(?![\w-])")
        text = any_name.sub(lambda _: name, text)
    return _PRONOUN.sub(said, text)


def _spelt_out(passage: Passage, name: str, names: Sequence[str]) -> Passage:
    sentences = (
        replace(
            each,
            text=_named(each.text, name, names),
            list_lead=_named(each.list_lead, name, names),
        )
        for each in passage.sentences
    )
    return replace(passage, sentences=tuple(sentences))
