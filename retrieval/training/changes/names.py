"""Names of the source itself, and roles, are exchanged."""

import re
from random import Random

from retrieval.training.changes.places import by_table, change_one, first_that_works
from retrieval.training.changes.stock import NAME, NO_NAMES, Stock

_LEADING = re.compile(r"^[A-Z][\w&-]+(?: [A-Z][\w&-]+)*")
_roles = by_table(
    {
        "manager": ("director", "team lead", "mentor", "recruiter"),
        "managers": ("directors", "recruiters", "mentors"),
        "supervisor": ("mentor", "director"),
        "director": ("manager", "accountant"),
        "employee": ("contractor", "manager", "visitor"),
        "employees": ("contractors", "managers", "visitors"),
        "teammate": ("manager", "contractor"),
        "teammates": ("contractors", "managers"),
        "contractor": ("employee", "customer"),
        "contractors": ("employees", "customers"),
        "customer": ("supplier", "employee"),
        "customers": ("suppliers", "employees", "partners"),
        "engineer": ("designer", "product manager", "sales representative"),
        "engineers": ("designers", "product managers", "recruiters"),
        "developer": ("designer", "tester"),
        "developers": ("designers", "testers"),
        "designer": ("developer", "writer"),
        "designers": ("developers", "writers"),
        "vendor": ("agency", "customer"),
        "vendors": ("agencies", "customers"),
        "agency": ("vendor", "court"),
        "agencies": ("vendors", "courts"),
        "user": ("administrator", "reviewer"),
        "users": ("administrators", "reviewers"),
        "administrator": ("user", "auditor"),
        "student": ("lecturer", "guest"),
        "students": ("lecturers", "guests"),
        "staff": ("visitors", "students"),
        "candidate": ("interviewer", "manager"),
        "candidates": ("interviewers", "managers"),
        "interviewer": ("candidate", "recruiter"),
        "recruiter": ("hiring manager", "interviewer"),
        "recruiters": ("hiring managers", "interviewers"),
        "hiring manager": ("recruiter", "candidate"),
        "product manager": ("engineer", "designer"),
        "stakeholders": ("contractors", "auditors"),
        "partner": ("supplier", "competitor"),
        "partners": ("suppliers", "competitors"),
        "patient": ("nurse", "visitor"),
        "patients": ("nurses", "visitors"),
        "nurse": ("doctor", "pharmacist"),
        "doctor": ("nurse", "pharmacist"),
        "children": ("adults",),
        "adults": ("children",),
        "council": ("government", "court"),
        "reviewer": ("author", "auditor"),
        "author": ("reviewer", "editor"),
        "owner": ("tenant", "visitor"),
        "member": ("guest", "trustee"),
        "members": ("guests", "trustees"),
        "maintainer": ("first-time contributor", "user"),
        "maintainers": ("first-time contributors", "users"),
        "finance": ("marketing", "legal"),
        "marketing": ("finance", "legal"),
        "sales": ("engineering", "finance"),
        "email": ("telephone", "letter"),
        "phone": ("email", "letter"),
    }
)


def change_name(text: str, dice: Random, stock: Stock) -> str | None:
    """One name made another of the same source, or one role another."""

    def names(text: str, dice: Random) -> str | None:
        return _swapped(text, dice, stock)

    found = names(text, dice) if dice.random() < 0.8 else None
    return found or first_that_works(text, [names, _roles], dice)


def _swapped(text: str, dice: Random, stock: Stock) -> str | None:
    known = set(stock.names)

    def other(match: re.Match[str], dice: Random) -> str | None:
        name = match.group()
        if name.split(" ")[0] in NO_NAMES or (match.start() == 0 and name not in known):
            return None
        choices = [each for each in stock.names if _of_a_kind(name, each) and each not in text]
        return dice.choice(choices) if choices else None

    pattern = NAME if dice.random() < 0.7 else _LEADING
    other_pattern = _LEADING if pattern is NAME else NAME
    return change_one(text, pattern, other, dice) or change_one(text, other_pattern, other, dice)


def _of_a_kind(name: str, other: str) -> bool:
    """Both abbreviations or both not, and neither a part of the other ("Slack", "Slack app")."""
    same_case = name.isupper() == other.isupper()
    folded, other_folded = name.lower(), other.lower()
    return same_case and folded not in other_folded and other_folded not in folded
