"""Who may read a source and its documents, in words."""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from bot.wording.names import did_you_mean, listed

Audience = Sequence[tuple[str, Sequence[str]]]
"""(facet, values), as `AccessRule` has it: none is everybody, a facet without values nobody."""
SAY = "everyone, nobody, or values such as departments=hr,finance"
NOBODY_SAID = "nobody has said who may read it"


def who(audience: Audience) -> str:
    if not audience:
        return "everyone"
    if not all(values for _, values in audience):
        return "nobody"
    return "; ".join(f"{facet} {' or '.join(values)}" for facet, values in audience)


def may_read(documents: int, audience: Audience) -> str:
    them = "it" if documents == 1 else "them"
    return f"{counted(documents)}: {who(audience)} may read {them}"


def counted(documents: int) -> str:
    return "1 document" if documents == 1 else f"{documents} documents"


def alike(file: str, why: str) -> str:
    return f"Narrower than it says: {file}, by {why}"


def unsaid(source: str, root: str) -> str:
    """`root` is empty where no folder was given as a whole: all that stands there is not meant."""
    command = f"ingest {root}" if root else f"sources {source}"
    return (
        f"Nobody has said who may read the source {source}, so nobody may read what is new in it. "
        f"Say it: vouch {command} --for everyone, or --for departments=hr"
    )


def ask(root: Path, files: Sequence[str]) -> str:
    """Before documents of which nobody said who may read them are read for the first time."""
    folders = sorted({str(PurePosixPath(file).parent) for file in files} - {"."})
    within = f" (folders: {listed(folders)})" if folders else ""
    return f"Who may read the {counted(len(files))} of {root}{within}? Type {SAY}"


def empty(root: str, kinds: str) -> str:
    return f"{root} holds no document that is read. Put files into it that end in {kinds}."


def unknown_source(name: str, near: Sequence[str]) -> str:
    return f"No source is called {name!r}. {did_you_mean(near)}`vouch sources` lists them."


def changed(source: str, now: Audience) -> str:
    return f"The source {source} is for {who(now)} now. Its documents are read again"


def kinds_left_alone(endings: Sequence[tuple[str, int]]) -> str:
    each = (f"{number} {ending or 'without an ending'}" for ending, number in endings)
    return f"Not read, of other kinds: {', '.join(each)}"
