"""A document may name an owner and a link: both are shown to people as they stand.

Whoever writes a document decides what these say, and a bot repeats it. So an owner is somebody
to turn to and no text, and a link leads where it seems to lead.
"""

import re
import unicodedata
from urllib.parse import urlsplit

LONGEST_OWNER = 120
LONGEST_NAME = 60
"""Characters of what is no address: "Examinations Office, Faculty of Computing"."""
LONGEST_LINK = 1_000
_MAILBOX = r"[\w.+'’-]+@[\w-]+(?:\.[\w-]+)+"
_ADDRESS = re.compile(
    rf"<{_MAILBOX}>|{_MAILBOX}"
    r"|<@[UW][A-Z0-9]{2,20}>|<\#[CG][A-Z0-9]{2,20}(?:\|[\w-]*)?>"
    r"|(?<!\S)@(?!(?:channel|here|everyone|group)\b)[\w.-]+|(?<!\S)\#[\w-]+",
    re.IGNORECASE,
)
"""A mailbox, a Slack user or a Slack channel."""
_OF_NAMES = frozenset(" .,;/&'’()|+–-_")
_LEADS_SOMEWHERE = re.compile(r"(?i:www)\.|[\w-]\.(?:[a-z]{2,}|[A-Z]{2,})\b|:(?! )")
_IN_NO_ADDRESS = re.compile(r"[\s<>\"|\\^`{}]")


def check_owner(text: str) -> str:
    """What is wrong with it, to put after "`owner`"; empty where nothing is."""
    name = _ADDRESS.sub(" ", text)
    if len(text) <= LONGEST_OWNER and len(name.strip()) <= LONGEST_NAME and _is_name(name):
        return ""
    return (
        "must name whom to ask: an e-mail address, a Slack user or channel, or a short name "
        "without a link"
    )


def check_link(text: str) -> str:
    """What is wrong with it, to put after "`link`"; empty where nothing is."""
    if not text or _is_link(text):
        return ""
    return (
        "must be an address that begins with https:// or http://, without spaces and without a "
        "user name before the host"
    )


def is_relative(text: str) -> bool:
    """Whether it is a path below wherever it stands, such as `../rooms/`."""
    return re.fullmatch(r"(?!//)(?:\.{0,2}/|#|\?)?[\w./#?=&%-]*", text) is not None


def _is_name(text: str) -> bool:
    """Letters with their accents, numbers and what stands between names; "Dept. of Law: room 4"."""
    known = (c in _OF_NAMES or c == ":" or unicodedata.category(c)[0] in "LMN" for c in text)
    return all(known) and not _LEADS_SOMEWHERE.search(text)


def _is_link(text: str) -> bool:
    if len(text) > LONGEST_LINK or _IN_NO_ADDRESS.search(text) or not _is_visible(text):
        return False
    try:
        parts = urlsplit(text)
        known = parts.scheme.lower() in ("http", "https") and parts.port != 0
    except ValueError:  # such as a port that is no number
        return False
    return known and bool(parts.hostname) and "@" not in parts.netloc


def _is_visible(text: str) -> bool:
    """Without controls, what turns the direction of a text, and what has no width."""
    return not any(unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp") for each in text)
