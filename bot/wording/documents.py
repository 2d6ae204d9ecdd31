"""What is said of documents: who may read them and why, what is kept out or erased, entries."""

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import PurePosixPath

from bot.wording import minute
from bot.wording.names import did_you_mean, listed

Audience = Sequence[tuple[str, Sequence[str]]]
"""(facet, values), as `AccessRule` has it: none is everybody, a facet without values nobody."""
SAY = "everyone, nobody, or values such as departments=hr,finance"
NOBODY_SAID = "nobody has said who may read it"
EACH_ITS_OWN = "each answer for whom it was given, or who may read what it rests on"


def who(audience: Audience) -> str:
    if not audience:
        return "everyone"
    if not all(values for _, values in audience):
        return "nobody"
    stated = dict(audience)
    within = [_workspace(each) for each in stated.pop("slack_team", ())]
    said = "; ".join(f"{facet} {' or '.join(values)}" for facet, values in stated.items())
    return f"{said or 'everyone'} in {' or '.join(within)}" if within else said


def _workspace(team: str) -> str:
    return {"home": "your own workspace", "*": "any workspace"}.get(team, f"workspace {team}")


def audience_may_read(documents: int, audience: Audience) -> str:
    them = "it" if documents == 1 else "them"
    return f"{counted(documents)}: {who(audience)} may read {them}"


def counted(documents: int) -> str:
    return "1 document" if documents == 1 else f"{documents} documents"


def standing(
    documents: int, out: int, read_at: datetime | None, next_at: datetime | None, fault: str
) -> str:
    """What a source holds, when it is read, and why it was not the last time, if so."""
    said = [counted(documents)]
    said += [f"{out} kept out"] if out else []
    said += [f"read {minute(read_at)}" if read_at else "not read yet"]
    said += [f"next {minute(next_at)}"] if next_at else []
    said += [f"not read the last time: {fault}"] if fault else []
    return "; ".join(said)


def alike(file: str, why: str) -> str:
    return f"Narrower than it says: {file}, by {why}"


def unsaid(source: str, root: str) -> str:
    """`root` is empty where no folder was given as a whole: all that stands there is not meant."""
    command = f"ingest {root}" if root else f"sources {source}"
    return (
        f"Nobody has said who may read the source {source}, so nobody may read what is new in it. "
        f"Say it: vouch {command} --for everyone, or --for departments=hr"
    )


def ask(root: str, files: Sequence[str]) -> str:
    """Before documents of which nobody said who may read them are read for the first time."""
    folders = sorted({str(PurePosixPath(file).parent) for file in files} - {"."})
    within = f" (folders: {listed(folders)})" if folders else ""
    return f"Who may read the {counted(len(files))} of {root}{within}? Type {SAY}"


def empty(root: str, kinds: str) -> str:
    return f"{root} holds no document that is read. Put files into it that end in {kinds}."


def not_read(source: str, why: str) -> str:
    return f"{source} was not read, and what was read of it before stays as it is: {why}."


def unknown_source(name: str, closest: Sequence[str]) -> str:
    return f"No source is called {name!r}. {did_you_mean(closest)}`vouch sources` lists them."


def passed_over(source: str) -> str:
    return (
        f"{source}: not read again, since not all files that were given stand here; what was read "
        "is answered from as before. To change one, give it again."
    )


def changed(source: str, now: Audience) -> str:
    return f"The source {source} is for {who(now)} now. Its documents are read again"


def kinds_left_alone(endings: Sequence[tuple[str, int]]) -> str:
    each = (f"{number} {ending or 'without an ending'}" for ending, number in endings)
    return f"Not read, of other kinds: {', '.join(each)}"


def not_in_english(files: str) -> str:
    return (
        f"Not in English, the only language that the models know: {files}. What stands there is "
        "found by its words and quoted, and no sentence that is copied from it is told as sure."
    )


NEVER = date.min.isoformat()
"""The last day of what no longer holds, as nobody said since when."""
SUSPENDED = (
    "it waits for an ingest that reads its folder to the end: the last one still reads, was ended, "
    "or could not list it"
)
GUEST = "A guest"
KEPT_OUT_NONE = "Nothing is kept out."


def unknown_document(name: str, closest: Sequence[str]) -> str:
    return (
        f"No document is called {name!r}, neither in the library nor among what was kept out. "
        f"{did_you_mean(closest)}Ingest it first, or write its path below the ingested folder."
    )


def may_read(who: str, file: str) -> str:
    return f"{who} may read {file}."


def may_not_read(who: str, file: str) -> str:
    return f"{who} may not read {file}."


def nobody_reads(file: str) -> str:
    return f"Nobody reads {file}: it is kept out."


def reason(why: str) -> str:
    return f"It {why}."


def for_everyone() -> str:
    return "It is for everyone, at any time."


def rule(audience: Sequence[tuple[str, Sequence[str]]], start: str, end: str) -> str:
    """What a document's rule says; `start` and `end` are days, or empty."""
    parts = [f"{facet} {', '.join(values)}" for facet, values in audience]
    parts += [f"from {start}"] if start else []
    parts += [f"until {end}"] if end not in ("", NEVER) else []
    if end == NEVER:
        return "It says of itself that it no longer holds."
    return f"It is for {'; '.join(parts)}."


def stated_in(places: Sequence[str]) -> str:
    return f"That stands in {' and in '.join(places)}."


def obstacle(who: str, key: str, wanted: Sequence[str], held: Sequence[str]) -> str:
    if key == "valid_from":
        return f"It holds only from {wanted[0]}; asked for {held[0]}."
    if key == "valid_to" and wanted[0] == NEVER:
        return "It no longer holds, so it is no evidence."
    if key == "valid_to":
        return f"It held only until {wanted[0]}; asked for {held[0]}."
    has = ", ".join(held) or "none"
    return f"{key}: it needs {' or '.join(wanted) or 'a value that nobody has'}; {who} has {has}."


def kept_out_heading(number: int) -> str:
    """`number`: of documents, and of entries of metadata files that name none."""
    return f"Kept out, or not understood ({number}):"


def kept_out_more(number: int) -> str:
    return f"and {number} more; `vouch check` names them all."


KEPT_OUT = {
    "tags": "it has roles or tags of a language model's prompt",
    "order": "it gives orders to a machine",
    "imitation": "it imitates what Vouch says of its answers",
    "alphabets": "it has words of mixed alphabets, or a look-alike address",
    "stuffing": "it says the same words over and over",
}


def kept_out(where: str, sign: str, text: str) -> str:
    return f"Neither copied nor quoted: {where}: {KEPT_OUT[sign]}: {text}"


def not_named(file: str, sign: str, text: str) -> str:
    return f"Nothing goes by this title or heading: {file}: {KEPT_OUT[sign]}: {text}"


NOTHING_ERASED = "Nothing was erased."
RECORDS_STAY = (
    "What replies quoted of it stands in the audit store, which nothing is taken out of. If its "
    "file still stands in a folder that is ingested, remove it there too."
)


def sure_to_erase(file: str) -> str:
    return f"Erase every version of {file}, with all its text? This cannot be undone."


def erased(file: str, versions: int, passages: int) -> str:
    return f"Erased {file}: {versions} versions, {passages} passages. Their hashes are kept."


def stands_elsewhere(url: str) -> str:
    return (
        f"The copy of {url} is gone too, and is made anew when that is next read. Remove the file "
        "there first, or it is copied again, and still not served."
    )


def also_stands_as(file: str) -> str:
    return f"The same content still stands as {file}. To erase that too: vouch purge {file}"


def never_read(name: str, closest: Sequence[str]) -> str:
    return (
        f"No document is or was called {name!r}. {did_you_mean(closest)}"
        "Name it by its path, or by its id in a record."
    )


GLOSSARY_HEADING = (
    "# Abbreviations that the documents explain, each with the first file that does. Look through\n"
    "# them, take out what is wrong, add what people say, and name the file by VOUCH_GLOSSARY."
)
NO_ABBREVIATION = "# The documents explain no abbreviation that the glossary lacks."


def explained_in(file: str) -> str:
    return f"  # {file}"


NO_FILE_TO_PARSE = "Name a file to be read: vouch parse FILE."
WRITES_OVER = "The page would be written over the file itself. Give --html another name."


def cannot_be_opened(file: str, why: str) -> str:
    return f"{file} cannot be opened ({why}). Name a file that you may read."


def written_to(file: str) -> str:
    return f"Written to {file}: open it in a browser."


def no_picture(page: int, why: str) -> str:
    return f"Page {page} is shown without its picture: {why}"


def page_unread(page: int, why: str) -> str:
    return f"Page {page} was not read: {why}"


def hidden_too(pieces: int) -> str:
    held = "piece of text" if pieces == 1 else "pieces of text"
    return f"{pieces} {held} that people do not see: --json lists them."


def reading(file: str) -> str:
    return f"Reading {file}"
