"""Ids of Slack's people, channels and files are one workspace's own, and another's in another.

So those of a workspace that is not the home's own are known as `T0TEAM//U0SOMEBODY`; what is of the
home's own, or of no workspace, has its bare id, as where there is one workspace alone. People may
be called `TECH/anna` there, so one slash says no workspace.
"""

import re

from sqlalchemy import ColumnElement, not_

TEAM_ID = re.compile(r"[TE][A-Z0-9]{2,}")
_OF_TEAM = re.compile(rf"({TEAM_ID.pattern})//(.*)", re.DOTALL)
_LIKE_A_TEAM = re.compile(rf"{TEAM_ID.pattern}/")
_BEFORE_OTHERS = f"^{TEAM_ID.pattern}//"
"""What such ids begin with, as a regular expression of SQL."""


def known_as(team: str, own: str) -> str:
    """Return under which id it is known; `team` is empty for the home's own."""
    return f"{team}//{own}" if team else own


def team_of(known: str) -> str:
    """Return the workspace's id; empty for the home's own."""
    found = _OF_TEAM.fullmatch(known)
    return found[1] if found else ""


def slack_id(known: str) -> str:
    """Return the id as Slack has it."""
    found = _OF_TEAM.fullmatch(known)
    return found[2] if found else known


def is_like_another(stated: str) -> bool:
    """Tell whether a stated id reads as if a workspace stood before it."""
    return _LIKE_A_TEAM.match(stated) is not None


def of_team(person_id: ColumnElement[str], team: str) -> ColumnElement[bool]:
    """In SQL, tell whether somebody is of a workspace; `team`: empty for the home's own."""
    if team:
        return person_id.startswith(known_as(team, ""), autoescape=True)
    return not_(person_id.regexp_match(_BEFORE_OTHERS))
