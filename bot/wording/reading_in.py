"""What is said where an administrator gives files to be read as documents."""

TITLE = "Read into Vouch"
SEND = "Read in"
CHOOSE = "Choose who may read it"
CHOOSE_FIRST = "I can read this in as a document, once an administrator says who may read it."
NOT_ADMIN = (
    "Reading a file in as a document is for administrators: ask one of them to use “Read into "
    "Vouch” in the message's menu. To ask about it yourself, send it to me with your question: I "
    "read it for that conversation alone."
)
NO_FILES = "There is no file in this message that I can read in."
WHO_READS = "Who may read it?"
WHO_READS_HINT = (
    "Nobody else is answered from it. A file can narrow that by what it says of itself. One of a "
    "name that I was given before is a newer version, and the older one goes."
)
SELECT = "Choose"
ALL = "All"
EVERYONE = "Everyone, guests too"
TOO_MANY_VALUES = "Of {facets} only the first 100 are offered: give others from the command line."
CHOOSE_AGAIN = "Who could be chosen has changed just now. Please cancel, and choose anew."
TAKEN = "I read it now, and tell you in our direct message what became of it."
NOT_READ_IN = "Not read in:"
BAD_NAME = "has a name that I cannot keep; rename it, and give it again"
LIKE_METADATA = "is called like a file that says who may read others; rename it, and give it again"
SAME_NAME = "has the name of another file here; give them one after another"
ONE_TOO_MANY = "is one too many: I take five at once"
NOT_APART = (
    "cannot be kept apart: where I run, another source has the place; ask who runs me to move that"
)
TAKEN_BACK = "was taken back before it was read"
GIVEN_UP = "could not be read in now, and nothing of it stays; the log says why; give it again"
NO_LONGER_ADMIN = "was not read in: you are no administrator any more"
NOT_FOUND = (
    "is not there any more, or stands where I am not: invite me to that channel, and give it again"
)
OUTCOMES = "What became of the files that you gave me:"
TAKE_BACK = "To take one back, run where I run:"


def everyone_in(common: str) -> str:
    """`common`: what everyone in the channel has."""
    return f"Everyone with what all in this channel have: {common}"


def read_in(passages: int, who: str) -> str:
    """`who`: as `documents.who` names them."""
    counted = "1 passage" if passages == 1 else f"{passages} passages"
    return f"is read, {counted}; {who} may read it"
