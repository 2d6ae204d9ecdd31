"""What people read on the pages in a browser: of citations, of signing in, of what is not shown."""

from dataclasses import dataclass

from bot.wording import evidence


@dataclass(frozen=True, slots=True)
class Notice:
    title: str
    words: tuple[str, ...]


SIGN_IN = Notice(
    "Sign in to see the source",
    (
        "Vouch shows a source to those who may read it, so it has to know who you are.",
        "You come back to the page that you opened.",
    ),
)
SIGN_IN_TO_AUDIT = Notice(
    "Sign in to see the audit",
    (
        "Vouch shows the audit to administrators, so it has to know who you are.",
        "You come back to the page that you opened.",
    ),
)
SIGN_IN_BUTTON = "Sign in with Slack"
HOME = Notice(
    "Vouch",
    (
        "The sources of answers open here: follow a source's link in one of Vouch's replies, or "
        "a document on its Home tab.",
    ),
)
NOT_SHOWN = Notice(
    "Nothing to show here",
    (
        "There is no such page, or it is not for you to read.",
        "If somebody sent you this link, ask Vouch the question yourself: it answers from what "
        "you may read.",
    ),
)
SIGNED_OUT = Notice("You are signed out", ("Close this window, or open a source again.",))
NOT_SIGNED_IN = Notice(
    "That did not sign you in",
    (
        "Slack and this browser did not agree on who you are. Perhaps it took too long, or you "
        "are in another Slack workspace.",
        "Open the source's link once more and try again.",
    ),
)
USED_LINK = Notice(
    "This link does not work any more",
    ("Such a link works once, for five minutes. Make another one with `vouch open`.",),
)
TOO_OFTEN = Notice(
    "Please wait a while", ("Signing in failed too often from here. Try again in ten minutes.",)
)
TRY_AGAIN = Notice(
    "That cannot be told at the moment",
    ("Vouch could not look it up. Nothing is lost; try again in a minute.",),
)
FORGED = Notice(
    "That did not work", ("Go back, load the page anew, and press the button once more.",)
)


NAME = "Vouch"
SKIP = "Skip to the cited words"
SKIP_TO_TEXT, TEXT = "Skip to the text", "Text of the document"
NO_TEXT = "The text of this document is not kept, so it cannot be shown here."
SIGN_OUT = "Sign out"
CLAIM = "What the reply said"
NEAREST = (
    "This came nearest and was quoted in place of an answer. Nobody vouches that it answers "
    "the question."
)
DISAGREES = "The reply set this against another source, which says otherwise."
OTHER_SIDE = "Open the other source"
CONCLUDED = "Concluded from its sources, not stated in a document"
CITED_PLACE = "The cited place"
WHERE = "Where"
SECTION = "Section"
KIND = "Kind"
ANSWERED = "Answered"
VERSION = "Version"
OPEN_DOCUMENT = "Open the document itself"
QUOTED = "The quoted words"
NOT_KEPT = (
    "The text of this version is not kept any more, so only what the reply quoted of it is shown."
)
PICTURE_TEXT = "The text of this page"
CITED_BEGINS, CITED_ENDS = "cited: ", " (end of the cited words)"
GOES_ON = "…"
BEFORE, AFTER = "Earlier in the document", "Later in the document"
PAGE_BEFORE, PAGE_AFTER = "Previous page", "Next page"
BACK_TO_CITED = "Back to the cited words"
ANOTHER_VERSION = "This is another version of the document than the one that was cited."
BACK_TO_CITED_VERSION = "Back to the cited version"
SAYS_THE_SAME = "The cited words stand in it too, word for word. They are marked."
SAYS_OTHERWISE = "At the place of the cited words it does not say the same. Nothing is marked."
OTHER_PLACE = "The place in another version"
SAME_BEGINS, SAME_ENDS = "the same words: ", " (end of the same words)"
THE_SHOWN, OPEN_VERSION = "shown here", "Open version"
PARTS = "Parts of the document"
CHANGED = "The source has changed since this answer."
LEFT = "This document is no longer in the library. You are shown it as an administrator."
COMPARED = "What changed around the cited words"
LEGEND = "Removed since then is struck through, added since then is underlined."
REMOVED, ADDED = "removed: ", "added: "
ENDS = ". "
SINCE = {
    "stands": "The cited words stand there as they did.",
    "changed": "The cited words do not stand there any more as they were cited.",
    "elsewhere": "The cited words stand in another section now, word for word:",
    "section gone": "The section does not stand under this heading any more, nor do the words.",
}
NO_SECTION = "above the first heading"
NOT_COMPARED = "The two texts cannot be compared here."
SAME_SECTION = "Nothing around them changed either."
ROW = "Row"
TABLE = "A table of the document"
VERSIONS = "Versions of this document"
NUMBER, FROM, TO, NOTE = "Version", "From", "To", "Note"
NOW = "today"
THE_CITED, THE_SAME = "cited here", "the same file, read anew"
SINCE_WHEN = "from"
PLACES = "Places that the claim cites"
DOUBTFUL = "perhaps misread: "
RECOGNISED = (
    "What has a dotted line below it was read from a picture, and perhaps not as it stands there."
)
AUDIT = "Record"
RECEIPT = "Download a receipt"
RECEIPT_MEANS = "It proves that what it opens of this reply stood in the log when that was signed."


def verdict(status: str, copied: bool, listed: bool) -> str:
    """What the check found of the claim; `status` as the audit keeps it."""
    if listed:
        return evidence.LISTED
    return evidence.COPIED if copied else evidence.IN_PLAIN_WORDS[status]


def score(probability: float) -> str:
    """How sure the check is; never rounded to certainty."""
    if probability > 0.994:
        share = "over 99%"
    else:
        share = f"{probability:.0%}" if probability >= 0.01 else "under 1%"
    return f"The check puts the probability that what is cited says so at {share}."


def sources(count: int) -> str:
    return f"It rests on {count} places together."


def place(number: int) -> str:
    return f"Place {number}"


def page_title(title: str) -> str:
    return f"{title} - {NAME}"


def page_of(page: int, pages: int) -> str:
    return f"Page {page} of {pages}"


def picture_alternative(page: int, marked: bool) -> str:
    what = "the cited words marked" if marked else "nothing on it is cited"
    return f"Page {page} as it looks, {what}. Its text follows below."


IN_READING_ORDER = "In reading order"
