"""Addresses of the citation pages: how they are made, and which of them may be gone to."""

import re
from urllib.parse import urlsplit

HOME = "/"
CALLBACK = "/sign-in/callback"
"""The path that Slack sends people back to."""
_OWN_PAGE = re.compile(r"/cited/[!-~]{1,300}")
_AUDIT_ID = re.compile(r"[!-~]{1,100}")
"""As records have it."""
_REF = re.compile(r"[0-9a-z-]{1,20}")
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def once_path(secret: str) -> str:
    """Return the path of a link that works once."""
    return f"/sign-in/once/{secret}"


def may_be_cited(audit_id: str, ref: str) -> bool:
    """Whether they have the form of what names a citation: nothing else is looked for."""
    return bool(_AUDIT_ID.fullmatch(audit_id) and _REF.fullmatch(ref))


def own_page(path: str) -> str:
    r"""Return the path where it is one of a citation's page, else the first page.

    A sign-in leads back to what was opened, and never to another site: `//evil.example`,
    `/\evil.example` and `https:evil.example` are no pages of ours.
    """
    # a browser reads a backslash as a slash, and leaves control characters out
    safe = _OWN_PAGE.fullmatch(path) and "\\" not in path and "/.." not in path
    return path if safe else HOME


def is_loopback(host: str) -> bool:
    """Whether a host's name, without a port, is this machine itself."""
    return host.strip("[]").lower() in LOOPBACK


def host_in(base: str) -> str:
    """Return the host's name of an address."""
    return urlsplit(base).hostname or ""
