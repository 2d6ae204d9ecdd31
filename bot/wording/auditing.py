"""What is said of questions that administrators ask of the audit."""

from collections.abc import Sequence

from bot.wording import minute

NO_PARQUET = (
    "Parquet needs pyarrow, which is not installed. Run `pip install pyarrow`, or write .csv or "
    ".jsonl."
)
QUOTES = 'A quotation mark is left open. Write `text "two words"`.'


def value_missing(key: str) -> str:
    return f"After `{key}` I expected what to look for."


def said_twice(key: str) -> str:
    return f"`{key}` is said twice. Ask for one after the other."


def none_of(key: str, value: str, known: Sequence[str]) -> str:
    """`known`: what may stand after the key, two or more."""
    named = ", ".join(f"`{each}`" for each in known[:-1])
    return f"`{value}` is no {key}. Write {named} or `{known[-1]}`."


def no_confidence(value: str) -> str:
    return (
        f"`{value}` is no confidence. Write `under 0.4`, `over 0.85` or `0.4 to 0.8`, in whole "
        "hundredths."
    )


def no_time(value: str) -> str:
    return (
        f"`{value}` is no date. Write it as `2026-01-31` or `2026-01-31T14:00`, or write "
        "`last 30 days`."
    )


def no_form(suffix: str, known: Sequence[str]) -> str:
    """`known`: suffixes that a table can be written with."""
    return f"A file that ends with `{suffix}` is no table. End it with {', '.join(known)}."


def written(count: int, path: str) -> str:
    return f"{count} records written to {path}"


def unrecorded(why: str) -> str:
    return f"That it was written does not stand in the audit log: {why}"


TITLE = "What was answered, and why"
ASK = "Ask the audit"
SEARCH = "Search"
HOW = (
    "As after /audit in Slack: unsupported cited handbook/leave.md last 30 days. Also person, "
    "channel, decision, badge, claim, confidence under 0.4, dropped, version, passage, told, "
    "reason, writer, settings, rated bad, text, since, until."
)
SHORTCUTS = (
    ("All", ""),
    ("Last 30 days", "last 30 days"),
    ("Not answered", "abstain last 30 days"),
    ("Not borne out", "unsupported last 30 days"),
    ("Unsure", "partial last 30 days"),
    ("Found wrong", "rated bad"),
)
"""What is on a link, and what it asks for."""
WHAT, RECORDS, WHEN = "What", "Records", "When"
OVER_TIME = "Decisions over time"
CHART = (
    "Answered, answered in part and not answered, by day or month; the table below has the numbers"
)
ANSWERED, PARTIAL, REFUSED = "answered", "in part or unsure", "not answered"
AS_TABLE = "As a table"
REASONS = "Why it was not answered"
CONFIDENCE = "How sure"
STAGES, STAGE, MEDIAN, SLOW = "Slow stages", "Stage", "Median", "Slowest twentieth"
MOST = "Documents that answer most"
LEAST = "Documents that answer least"
UNANSWERED = "Not answered"
EXCHANGES = "Exchanges, newest first"
NOTHING = "Nothing like that was recorded."
OLDER = "Older ones"


def counted(records: int, understood: str) -> str:
    number = "1 record" if records == 1 else f"{records:,} records"
    return f"{number}{f': {understood}' if understood else ''}"


def newest(read: int) -> str:
    return f"Of the newest {read:,}."


def unmeasured(records: int) -> str:
    return (
        f"{records:,} more have no confidence: nothing was found to draft from." if records else ""
    )


def between(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def milliseconds(value: float) -> str:
    return f"{value:,.0f} ms"


def when(time: str, decision: str) -> str:
    return f"{minute(time)} · {decision}"


def likewise(key: str) -> str:
    return f"All of this {key}" if key != "settings" else "All with these settings"
