"""Comparison, and never a model, tells what in a claim its sources do not bear out."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise, product

from bot.answering.exact.amounts import WHEN, missing_amounts
from bot.answering.exact.near_copies import (
    NEAR_COPY,
    Alignment,
    align,
    content,
    cut_short,
    differences,
    omitted_condition,
    says_something,
)
from bot.answering.exact.table_rows import of_another_column, of_another_row
from bot.answering.exact.writing import plainly
from retrieval.language.questions import begins_with_pronoun, is_anaphoric
from retrieval.language.table_rows import cells_of
from retrieval.language.words import FUNCTION_WORDS, stems


def objections(claim: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """In plain words, for the audit; empty where nothing speaks against the claim.

    `sentences` are those of the cited passages, the first one's heading before all others.
    """
    claim, sentences = plainly(claim), [plainly(each) for each in sentences]
    source = "\n".join(sentences)
    unknown = [*missing_amounts(claim, source), *missing_names(claim, source)]
    nearest = _nearly_copied(claim, sentences)
    swapped = _swapped_name(claim, nearest, sentences) if nearest else None
    return (
        *(f"the source does not say “{each}”" for each in unknown),
        *([f"it says “{swapped[1]}” where its source says “{swapped[0]}”"] if swapped else []),
        *said_of_another(claim, sentences[1:] or sentences),
        *differences(claim, sentences),
        *of_another_column(claim, sentences),
    )


def against(
    claim: str, source: str, sentences: Sequence[str], left: Sequence[str]
) -> tuple[str, ...]:
    """What no source of all that are cited bears out; in plain words, for the audit."""
    unknown = missing_addresses(claim, source)
    return (
        *(f"it leaves out “{each}”" for each in left),
        *(f"the source does not say “{each}”" for each in unknown),
        *cut_short(claim, sentences),
        *said_of_another(claim, sentences),
        *([] if says_something(claim) else ["it is too little to say anything"]),
    )


_ADDRESS = re.compile(
    r"\w[\w+.-]*://[^\s<>\"“”]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|www\.[^\s<>\"“”]+"
    r"|\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?/[^\s<>\"“”]*",
    re.IGNORECASE,
)


def missing_addresses(claim: str, source: str) -> list[str]:
    named = source.casefold()
    found = (each.rstrip(".,;:!?)]}’”") for each in _ADDRESS.findall(claim))
    return [address for address in dict.fromkeys(found) if address.casefold() not in named]


def said_of_another(claim: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """What it says of one that its sources say of another; in plain words, for the audit."""
    exchanged = exchanged_roles(claim, sentences)
    return (
        *(f"“{one}” and “{other}” stand in each other's place" for one, other in exchanged),
        *of_another_row(claim, sentences),
    )


def _nearly_copied(claim: str, sentences: Sequence[str]) -> Alignment | None:
    nearest = align(claim, sentences)
    return nearest if nearest and nearest.alike >= NEAR_COPY else None


def _swapped_name(
    claim: str, nearest: Alignment, sentences: Sequence[str]
) -> tuple[str, str] | None:
    """None where the sentence before has both names, as in "The Registrar is Anna Silva."."""
    swapped = swapped_name(claim, nearest.sentence)
    before = _before(nearest, sentences).casefold()
    return None if swapped and all(name.casefold() in before for name in swapped) else swapped


def _before(nearest: Alignment, sentences: Sequence[str]) -> str:
    at = sentences.index(nearest.sentence)
    return sentences[at - 1] if at else ""


def doubts(claim: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """What may be implied, or told in other words: a model must be sure of it."""
    connected = invented_connections(claim, sentences)
    return (
        *(f"the source does not connect with “{each}”" for each in connected),
        *omitted_condition(claim, sentences),
    )


_WORD = re.compile(r"[^\W_]+")
_CLAUSE = re.compile(r"(?<=[.;:!?]) |, |,? (?:and|but|or|while) ")
_NO_ROLE = frozenset(
    """
    a an and are as been be is it its of or so that the their to was were
    """.split()  # noqa: SIM905  # a list of words reads as one
)
_NAMES = re.compile(
    r"(?!(?:We|Our|You|Your|There|If|When|While|Where|Note|Not)\b)[A-Z].*[.!]$", re.S
)
_GENITIVE = re.compile(r"((?:[A-Z][\w-]* )*[\w-]+)['’]s? (\w+)")
_IS = re.compile(r"\b(?:am|are|be|been|being|is|was|were)\b")
_PASSIVE = re.compile(rf"^(.*?) {_IS.pattern} (\w+(?: .*)?) by (.*?)[.]?$")
LONGEST_ROLE = 2
"""Words by which somebody is named, without those that say nothing: "head of department"."""
MOST_BETWEEN = 12
"""Words that stand between two of whom one does something to the other."""
NEARLY_ALL = 0.65
"""Share, 0 to 1, of the words of claim and source that both must have: what was reworded is left to
the model. The lowest of 0.65, 0.75 and 0.8, which found most without holding back more
(`docs/measurements.md`)."""


def exchanged_roles(claim: str, sentences: Sequence[str]) -> list[tuple[str, str]]:
    """Two words or names, of which the claim says of each what a source says of the other."""
    told = [each for each in sentences if not cells_of(each)]
    clauses = [each for sentence in told for each in _CLAUSE.split(sentence)]
    own = _CLAUSE.split(claim)
    pairs = ((claim, " ".join(told)), *product((claim,), told), *product(own, clauses))
    alike = ((_active(one, other), _active(other, one)) for one, other in pairs)
    exchanged = (
        _exchanged(_words(one), _words(other))
        for one, other in alike
        if bool(_IS.search(one)) == bool(_IS.search(other))
    )
    elsewhere = (each for clause in own for each in _of_another(clause, told))
    return [each for each in (*exchanged, *elsewhere) if each][:1]


def _active(text: str, other: str = "") -> str:
    """What is done by somebody as what somebody does, unless the other one has a "by" as well."""
    return text if " by " in other else _PASSIVE.sub(r"\3 \2 \1", text)


def _words(text: str) -> list[str]:
    words = (word.casefold() for word in _WORD.findall(_GENITIVE.sub(r"\2 \1", text)))
    return [next(iter(stems([word]))) for word in words if word not in _NO_ROLE]


def _exchanged(own: Sequence[str], theirs: Sequence[str]) -> tuple[str, str] | None:
    """The outer ones of three runs of words of which the middle one alone kept its place."""
    once = {each for each in own if own.count(each) == 1 == theirs.count(each)}
    if len(once) < NEARLY_ALL * max(len({*own}), len({*theirs})):
        return None
    mine, known = (" ".join(each for each in some if each in once) for some in (own, theirs))
    words = known.split()
    runs = range(1, LONGEST_ROLE + 1)
    sizes = product(range(len(words)), runs, runs, range(1, MOST_BETWEEN + 1))
    for start, first, last, between in sizes:
        middle, end = start + first, start + first + between
        if end + last > len(words):
            continue
        a, m, b = words[start:middle], words[middle:end], words[end : end + last]
        of_times = ({*a} <= WHEN) is ({*b} <= WHEN)
        if of_times and f" {' '.join((*b, *m, *a))} " in f" {mine} ":
            return " ".join(a), " ".join(b)
    return None


def _of_another(clause: str, sentences: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The subject of the clause, and that of the sentence which says the rest of it."""
    known = [_content(each) for each in sentences]
    own = _content(_active(clause))
    if not any(own[:1] == each[:1] for each in known):
        return
    for text, theirs in zip(sentences, known, strict=True):
        said = own[next((at for at, word in enumerate(own) if word in theirs), len(own)) :]
        subject = own[: len(own) - len(said)]
        whole = len(said) > 1 and any({*said} == {*theirs[n:]} for n in (1, LONGEST_ROLE))
        alike = subject and (whole or len(said) > 2) and {*said} <= {*theirs[1:]}
        if not alike or is_anaphoric(text) or not _NAMES.match(text):
            continue
        if not any({*subject, *said} <= {*each} for each in known):
            yield subject[0], theirs[0]


def _content(text: str) -> list[str]:
    return [each for each in _words(text) if each not in FUNCTION_WORDS]


_CAUSE = re.compile(
    r"\b(?:because|since|as a (?:result|consequence)|therefore|thus|hence|consequently|thereby|"
    r"accordingly|so that|in order (?:that|to)|due to|owing to|thanks to|given that|"
    r"the reason|that is why|that['’]s why|which is why|which explains|"
    r"(?:which|this|that|and) (?:\w+ )?(?:shows?|means?|proves?|implies|explains?|leads? to|led to|"
    r"causes?|caused|results? in|resulted in|ensures?|makes? sure)|meaning that|"
    r"(?:shows?|proves?|implies|explains?) (?:that|why)|"
    r"leads? to|it follows that|so)\b|(?:, |^)as (?!well|an?\b|if|though|of|for|to\b)",
    re.I,
)
_COMPARISON = re.compile(
    r"\b(?:more|less|fewer|better|worse|(?!other|rather)\w+er) (?:\w+ ){0,3}than\b"
    r"(?! (?:\W?\d|an?\b|one|two|three|four|five|six|seven|eight|nine|ten))|"
    r"\bcompared (?:to|with)\b|"
    r"\bunlike\b|\bin contrast\b|\bwhereas\b|\boutweighs?\b|\bas soon as\b|\bwhenever\b",
    re.I,
)
_AND = re.compile(r"(?:;|,? and) ")
AT_THE_BEGINNING = 12
"""Characters before it: "This is because ...", "And therefore ..."."""
SPEAKS_OF = 0.5
"""Share, 0 to 1, of a side's content words that sentences of the source must have to speak of it.
Not measured; chosen so that a side may be told in other words, by half of it."""


def invented_connections(claim: str, sentences: Sequence[str]) -> list[str]:
    """Connecting words of the claim that neither a sentence nor two neighbours bear out."""
    return [
        match.group().strip(", ")
        for pattern in (_CAUSE, _COMPARISON)
        for match in pattern.finditer(claim)
        if not any(
            _speaks_of(text, _sides(claim, match)) for text in _connected(pattern, sentences)
        )
    ]


def put_together(claim: str, sentences: Sequence[str]) -> tuple[str, str] | None:
    """The two facts of a claim that only has "and" between what two sentences say."""
    for match in _AND.finditer(claim):
        parts = claim[: match.start()], claim[match.end() :]
        found = [_restated(part, sentences) for part in parts]
        if None not in found and found[0] != found[1]:
            return parts
    return None


def _restated(part: str, sentences: Sequence[str]) -> str | None:
    """The sentence that the part nearly copies from its first word on."""
    nearest = align(part, sentences)
    if nearest is None or nearest.alike < NEAR_COPY:
        return None
    if begins_with_pronoun(part[:1].upper() + part[1:]):
        return None
    return nearest.sentence if _subject(part) == _subject(nearest.sentence) else None


def _subject(text: str) -> frozenset[str]:
    return next((words for word in text.split() if (words := content(word))), frozenset())


def _connected(pattern: re.Pattern[str], sentences: Sequence[str]) -> list[str]:
    """Sentences that hold a connecting word, and pairs whose second begins with one."""
    alone = [sentence for sentence in sentences if pattern.search(sentence)]
    joined = [
        f"{first} {second}"
        for first, second in pairwise(sentences)
        if (found := pattern.search(second)) and found.start() <= AT_THE_BEGINNING
    ]
    return [*alone, *joined]


def _sides(claim: str, match: re.Match[str]) -> tuple[frozenset[str], frozenset[str]]:
    before, after = claim[: match.start()], claim[match.end() :]
    if not content(before):  # "Because A, B."
        before, _, after = after.partition(",")
    return content(before), content(after)


def _speaks_of(text: str, sides: Sequence[frozenset[str]]) -> bool:
    words = content(text)
    return all(len(side & words) >= SPEAKS_OF * len(side) for side in sides)


_TOKEN = re.compile(r"[\w@][\w@&'’./:+-]*[\w]|\w")
_SPELT = re.compile(r"[@/_:\\]|\w\.\w|\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z]|^[A-Z]{2,}s?$|^--")
_WHOLE = re.compile(r"[@/:\\]|\w\.\w")
"""Right as a whole or not at all."""
_ABBREVIATED = re.compile(
    r"((?:[A-Z][a-z]+ (?:(?:of|for|the|and|in) )*){2,6})(?:[a-z]+ )?\(([A-Z]{2,6})\)"
)
_NO_NAMES = frozenset(["i", "i'm", "i'll", "i've", "i'd"])


def missing_names(claim: str, source: str) -> list[str]:
    """Names of the claim that the source nowhere has, not even by its initials."""
    known, initials = _parts(source) | _spelt_out(source), _initials(source)
    folded, words = source.casefold(), frozenset(_tokens(source))
    return [
        name
        for name in _names(claim)
        if not (
            (name in words if len(name) == 1 else name.casefold() in folded)  # as "grade B"
            or (len(name) > 1 and _parts(name) <= known and not _WHOLE.search(name))
            or name.casefold().removesuffix("s") in initials
        )
    ]


def swapped_name(claim: str, sentence: str) -> tuple[str, str] | None:
    """What the sentence says, and the other name that a near copy says in that place.

    Only where no other name was touched: a list in another order says the same. A name is no
    other one if it begins alike ("Operations", "Ops") or is the initials.
    """
    theirs, own = _told_apart(sentence), _told_apart(claim)
    was_words, now_words = ([word.casefold() for word, _ in some] for some in (theirs, own))
    alignment = SequenceMatcher(None, was_words, now_words, autojunk=False)
    touched = [
        (theirs[start:end], own[own_start:own_end])
        for kind, start, end, own_start, own_end in alignment.get_opcodes()
        if kind != "equal" and (_named(theirs[start:end]) or _named(own[own_start:own_end]))
    ]
    if len(touched) != 1:
        return None
    [(was, now)] = touched
    names, others = _named(was), _named(now)
    shortened = (_initials(sentence) | _initials(claim)) & (names | others)
    alike = {name[:2] for name in names} & {name[:2] for name in others}
    if not names or not others or shortened or alike:
        return None
    return " ".join(word for word, _ in was), " ".join(word for word, _ in now)


def _named(words: list[tuple[str, bool]]) -> set[str]:
    return {word.casefold().removesuffix("s") for word, named in words if named}


def _names(text: str) -> list[str]:
    return [word for word, named in _told_apart(text) if named]


def _told_apart(text: str) -> list[tuple[str, bool]]:
    """All words, and which are names: capitalised within a sentence, or spelt like no word."""
    return [
        (word, _is_name(word, first=number == 0))
        for sentence in re.split(r"(?<=[.!?:;]) ", text)
        for number, word in enumerate(_tokens(sentence))
    ]


def _is_name(word: str, *, first: bool) -> bool:
    capital = word[0].isupper() and not first
    spelt = _SPELT.search(word) and re.search(r"[A-Za-z]", word)
    return bool(capital or spelt) and word.casefold() not in _NO_NAMES


def _tokens(text: str) -> list[str]:
    return [re.sub(r"['’]s$", "", word) for word in _TOKEN.findall(text)]


def _parts(text: str) -> frozenset[str]:
    """Stems of the words' parts, so that "Slack-based" has "Slack"."""
    words = (part for word in _tokens(text) for part in re.split(r"[\W_]+", word.casefold()))
    return stems(word for word in words if word)


def _spelt_out(source: str) -> frozenset[str]:
    """What it says that an abbreviation means: "Human Resources department (HR)"."""
    return frozenset[str]().union(
        *(
            _parts(name)
            for name, short in _ABBREVIATED.findall(source)
            if "".join(filter(str.isupper, name)) == short
        )
    )


def _initials(text: str) -> set[str]:
    capitals = re.findall(r"(?:\b[A-Z][\w-]+ (?:(?:of|for|the|and|in) )*){1,6}[A-Z][\w-]+", text)
    return {
        "".join(word[0] for word in name.split() if word[0].isupper()).casefold()
        for name in capitals
    }
