"""What is said of questions that were asked in a week and not answered."""

from datetime import date

SOMEBODY = "somebody"
"""In place of a name, a mention or an address."""
NUMBER = "…"
"""In place of a number that may be somebody's own."""
TITLE = "Asked and not answered"
NOBODYS = "Nobody's yet"
"""Nothing came near, or what did names no unit."""
NOTHING = "Every question of this week was answered."
ALSO_IN_PART = "What was answered only in part, or not for sure, is among these."
MAKE_KNOWN = (
    "Put the answer into a document that I read, and I find it from the next time on. "
    "Names are left out."
)
ON_THE_PAGE = "Every week, on its page"
NEAREST = "Nearest: "
ALSO = "also: "
WEEK = "Week"
SHOW = "Show"
SO_FAR = "so far"
UNHEARD = "No channel hears of it. Set VOUCH_ADMIN_CHANNEL, or `answers_for` of a channel."


def days(monday: date, sunday: date) -> str:
    return f"{monday.day} {monday:%B} to {sunday.day} {sunday:%B %Y}"


def unit(name: str) -> str:
    return name or NOBODYS


def times(asked: int, people: int) -> str:
    if asked == 1:
        return "asked once"
    by = "by one person" if people == 1 else f"by {people} people"
    return f"asked {asked} times, {by}"


def unseen(count: int, more: bool) -> str:
    """`more`: beside others that are shown."""
    and_more = " more" if more else ""
    was = "was" if count == 1 else "were"
    return (
        f"{count}{and_more} {was} asked that you are not shown: the words might tell who asked, "
        "or of documents that not everyone here may read."
    )


def more_lines(count: int) -> str:
    return f"and {count} more"


def heard_by(channel: str) -> str:
    return f"{channel} hears of it." if channel else UNHEARD


def shared(channel: str) -> str:
    return (
        f"{channel} was not told, for people of another company may read it. "
        "Have another channel answer in channels.yaml."
    )


def not_installed(channel: str) -> str:
    return (
        f"{channel} was not told, for I am not installed in its workspace. Install me there anew, "
        "or take the channel out of channels.yaml."
    )


def unposted(channel: str, why: str) -> str:
    return f"{channel} could not be told ({why}). See that I am in that channel."


def unknown_week(name: str) -> str:
    return f"{name!r} is no week. Write it as 2026-W47."
