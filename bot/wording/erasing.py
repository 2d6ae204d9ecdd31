"""What is said of what was erased, or may not be."""

from datetime import date

ERASED = "(erased)"


def erased(on: date, by: str, because: str) -> str:
    return f"{on:%Y-%m-%d} by {by}: {because}"


def concerned(
    person: str, records: int, events: int, of_others: int, given: int, *, done: bool
) -> str:
    goes = "Erased" if done else "This erases"
    parts = [
        f"{_several(records, 'record')} of what {person} asked",
        _several(events, "later event"),
    ]
    if of_others:
        parts.append(f"{_several(of_others, 'record')} of others with what they said")
    if given:
        parts.append(f"{_several(given, 'given answer')}, told to nobody any more")
    rest = (
        "The log still verifies. Archives made before still hold it: delete them, or erase again "
        "what they bring back (docs/privacy.md)."
        if done
        else "It cannot be undone. When it was asked, what was decided and which documents were "
        "cited stay, and that it was erased, by whom and why."
    )
    return f"{goes} {', '.join(parts)}. {rest}"


def on_a_server(statement: str) -> str:
    return (
        "Pages of the PostgreSQL server may still hold it, until it writes over them. This takes "
        f"it out at once, and nobody is answered meanwhile: {statement}\n"
        "Its write-ahead log, replicas and archives of both hold it as long as the server keeps "
        "them: see to these by its own means."
    )


def _several(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def sure(person: str) -> str:
    return f"Erase all of {person}?"


def cannot_replay(erased_on: str) -> str:
    return f"There is nothing to answer again: the record was erased on {erased_on}."


def held(what: str, name: str, why: str) -> str:
    return f"{what} {name} is held: nothing of it is erased ({why})."


def released(what: str, name: str) -> str:
    return f"{what} {name} is held no more."


def not_held(what: str, name: str) -> str:
    return f"{what} {name} is not held. `vouch audit holds` lists what is."


NOTHING_HELD = "Nothing is held."
WHOM = "Say whose, by the id that the audit shows."
ONE_OF = "Say either a person or --channel."
