"""What is told of fields that were read out of documents."""

from collections.abc import Sequence

NO_JSON = "The schema is no JSON. Give a JSON Schema of an object."
NO_FIELDS = "The schema has no fields. Give it `properties`."
NOWHERE = "I found nothing in the document that surely says it."
UNREAD = "What stands there cannot be read as a {kind}."
REFUSED = "The schema does not accept it"
SURELY_NOT = "The sentence may mean something else: look at it before you rely on it."
OTHER_PLACES = "The document says different things in different places"
SPECIAL_CASES = "The document says otherwise of a case"
SEVERAL_IN_ONE = "One sentence tells more than one value"
BESIDE = "Look whether it is changed by what stands beside it"
NOT_NAMED_THERE = "The sentence does not name the field: look at it before you rely on it."
OPEN = "A template leaves a value or a condition of it open: look at it before you rely on it."
POINTED_AT = "A language model alone points at this: look at it before you rely on it."
WITHOUT_LANGUAGE_MODEL = "The language model could not be asked, so rules read alone."
A_GUEST = "a guest"
READING = "Reading fields"
FIELD, VALUE, STATUS, NULL = "Field", "Value", "Status", "–"
DOCUMENT = "The document"
NOT_NAMED = (
    "Name the schema as FILE.py:Name, such as models.py:Invoice, or a JSON Schema as FILE.json."
)


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


def deeper_than(most: int) -> str:
    return f"objects more than {most} deep, or one that holds itself"


def not_checked(why: str) -> str:
    return f"The schema's own check failed ({why}). Mend it."


def not_there(name: str, who: str) -> str:
    return (
        f"There is no file, document or source {name!r} that {who} may read. `vouch sources` lists "
        "sources; --as says who asks."
    )


def asked(fields: Sequence[str], file: str) -> str:
    return f"Extract {', '.join(fields)} from {file}"


def line(field: str, value: str, status: str, reason: str) -> str:
    because = f"; {reason}" if reason else ""
    return f"{field}: {value or NULL} ({status}{because})"


def audit(audit_id: str) -> str:
    return f"Audit id: {audit_id}"


def page_title(file: str, documents: int) -> str:
    return f"Fields of {file}" if documents == 1 else f"Fields of {documents:,} documents"


def no_schema(file: str) -> str:
    return f"There is no file {file}. {NOT_NAMED}"


def not_imported(file: str, why: str) -> str:
    return f"{file} cannot be imported ({why}). Mend it, or see that what it imports is installed."


def no_model(file: str, name: str, known: Sequence[str]) -> str:
    there = f"It has {', '.join(known)}." if known else "It has none."
    return f"{file} has no pydantic model {name!r}. {there}"


def no_json_schema(file: str, why: str) -> str:
    return f"{file} is no JSON Schema ({why})."
