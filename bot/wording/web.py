"""What the pages in the browser tell about signing in, and about what is not shown."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice is a page of a few words."""

    title: str
    words: tuple[str, ...]


SIGN_IN = Notice(
    "Sign in to see the source",
    (
        "Vouch shows a source to those who may read it, so it has to know who you are.",
        "You come back to the page that you opened.",
    ),
)
SIGN_IN_BUTTON = "Sign in with Slack"
HOME = Notice(
    "Vouch",
    ("The sources of answers open here: follow a source's link in one of Vouch's replies.",),
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
