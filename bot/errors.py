"""These can go wrong on the way to a reply.

BotError
├── WrongUse            the person at the command line asked for something that is not
│   ├── UnknownPerson   nobody, or more than one, goes by that name
│   ├── UnknownChannel  no listed channel, or more than one, goes by that name
│   ├── UnknownJob      no job has that name
│   └── EmptyQuestion   nothing was asked
├── BadConfiguration    a setting or a file of people or channels is wrong
├── EmptyLibrary        nothing was ingested yet
├── UnknownDocument     no document, and no source, goes by that name
├── NoSuchPath          there is no such file or folder
├── WriterUnavailable   the chosen writer cannot be reached or answers nonsense
├── NotConnected        Slack has not been reached yet
├── InboxUnavailable    questions from Slack cannot be stored or worked off
├── SessionsUnavailable who is signed in to the pages cannot be read or kept
├── TokensUnavailable   agents' tokens cannot be read or kept
├── QualityUnavailable  measured quality cannot be kept or read
├── LeaseLost           another process works on this exchange by now
├── BackupFailed        a backup cannot be written, or a home not be made of it
├── BadArchive          an archive is damaged, hostile, or of a newer version
├── JobFailed           a scheduled job could not do its work
├── JobStopped          the bot stops, and a scheduled job with it
├── JobIsRunning        a scheduled job runs already
└── NotAudited          the exchange could not be recorded, so it is not shown

Every message says what to do next, in words for the person who reads it.
"""

from collections.abc import Mapping


class BotError(Exception):
    """All errors that the bot raises on purpose derive from it."""


class WrongUse(BotError):
    """A command was used in a way that cannot be carried out."""


class UnknownPerson(WrongUse):
    """Nobody, or more than one person, goes by that id, e-mail or name."""


class UnknownChannel(WrongUse):
    """No listed channel, or more than one, goes by that id or name."""


class UnknownJob(WrongUse):
    """No scheduled job has that name."""


class BadConfiguration(BotError):
    """A setting, or a file of people or channels, is wrong."""


class EmptyQuestion(WrongUse):
    """Nothing was asked."""


class NoSuchPath(BotError):
    """There is no such file or folder."""


class EmptyLibrary(BotError):
    """Nothing was ingested yet, so there is nothing to answer from."""


class UnknownDocument(BotError):
    """No document goes by that name, neither read nor kept out."""


class WriterUnavailable(BotError):
    """The chosen writer cannot be reached or answers nonsense."""


class NotConnected(BotError):
    """Slack has not been reached yet."""


class InboxUnavailable(BotError):
    """The inbox cannot be opened, read or written; what was acknowledged is not lost."""


class SessionsUnavailable(BotError):
    """Who is signed in to the pages in a browser cannot be read or kept; try again."""


class TokensUnavailable(BotError):
    """Agents' tokens cannot be read or kept."""


class QualityUnavailable(BotError):
    """What was measured of the quality cannot be kept or read."""


class LeaseLost(BotError):
    """The process was held up for so long that another took the exchange over."""


class BackupFailed(BotError):
    """A backup cannot be written, or a home cannot be made of one."""


class BadArchive(BotError):
    """An archive is none, is damaged or hostile, or was made by a newer version."""


class JobFailed(BotError):
    """A scheduled job could not do its work; `numbers` tell what it did all the same."""

    def __init__(self, reason: str, numbers: Mapping[str, int | float | str] | None = None) -> None:
        super().__init__(reason)
        self.numbers = numbers or {}


class JobStopped(BotError):
    """The bot stops, and a scheduled job is broken off with it."""


class JobIsRunning(BotError):
    """A scheduled job runs already, here or in another process."""


class NotAudited(BotError):
    """The exchange could not be recorded, so it is not shown."""
