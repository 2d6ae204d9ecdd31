"""Who asked or acted, and where."""

from audit.record.base import Value


class PersonRecord(Value):
    """A person asked, or acted later."""

    id: str
    name: str = ""
    """As it was shown at the time."""


class Channel(Value):
    """A question was asked in a channel; all is empty outside one, as on the command line."""

    id: str = ""
    name: str = ""
    thread: str = ""
