"""What is told of fields that were read out of documents."""

from collections.abc import Sequence

NO_JSON = "The schema is no JSON. Give a JSON Schema of an object."
NO_FIELDS = "The schema has no fields. Give it `properties`."
SUPPORTED, DOUBTFUL, CONTRADICTED, NOT_STATED = (
    *("supported", "doubtful", "contradicted", "not stated"),
)
NOWHERE = "The document does not say it."
UNREAD = "What stands there cannot be read as a {kind}."
REFUSED = "The schema does not accept it"
SURELY_NOT = "The sentence may mean something else: look at it before you rely on it."
OTHER_PLACES = "The document says different things in different places"
NOT_SERVED = "There is no document, and no source, {name!r} that {who} may read."


def too_large(characters: int, most: int) -> str:
    return f"The schema has {characters:,} characters, and {most:,} are read. Ask for less."


def too_many_fields(most: int) -> str:
    return f"The schema has more than {most} fields. Ask in several goes."


def too_long(field: str, most: int) -> str:
    return f"The schema's field `{field}` has a text of more than {most} characters. Shorten it."


def not_understood(field: str, what: Sequence[str]) -> str:
    where = f"field `{field}`" if field else "outermost object"
    return (
        f"The schema's {where} asks for what is not extracted: {', '.join(what)}. Fields are text, "
        "numbers, dates, durations, yes or no, one of some texts, lists of these, and objects of "
        "them."
    )
