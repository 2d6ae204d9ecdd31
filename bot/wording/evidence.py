"""What people read about a reply's evidence, its feedback and the audit, in Slack."""

from collections.abc import Mapping

from bot.wording import read_and_written
from bot.wording.untrusted_text import in_one_line, shortened

TITLE = "Evidence"
PICTURE_TITLE = "Cited lines"
PICTURES_LEFT_OUT = (
    "Pictures of these places are left out just now: many others wait to be drawn. Open this again "
    "in a minute to see them."
)
WHY_SO = "How sure it is"
NUMBERS = "Numbers"
CLAIMS = "Claims"
IN_PLAIN_WORDS = {
    "VERIFIED": "The source says so.",
    "UNSUPPORTED": "The source does not say so.",
    "BROKEN": "It names a place that was not among the passages.",
}
"""By status; what an audit calls them stands in `STATUSES`."""
LISTED = "The library says so of its documents."
COPIED = "Copied word for word from the source."
STATUSES = {
    "VERIFIED": "VERIFIED: the source says so",
    "UNSUPPORTED": "UNSUPPORTED: the source does not say so",
    "BROKEN": "BROKEN: it names a place that was not among the passages",
}
CONFIDENCES = {
    "retrieval": "Retrieval, how well the passages fit the question",
    "coverage": "Coverage, the share of the question that is answered",
    "entailment": "Entailment, that the passages say what the answer says",
    "consistency": "Consistency, that several runs agree",
    "overall": "Overall, the probability that the answer is right",
}
NOT_MEASURED = "not measured"
SCORES = {
    "relevance": "relevance",
    "read_relevance": "looked up; relevance by reading alone",
    "cosine": "similarity (cosine)",
    "dense_rank": "rank by similarity",
    "bm25_rank": "rank by BM25",
    "fusion": "fusion",
    "logit": "reranker",
    "window_logit": "best window, reranker",
    "sentence_logit": "best sentence, reranker",
    "sentence_cosine": "best sentence, similarity",
    "bare_logit": "without heading, reranker",
    "bare_cosine": "without heading, similarity",
    "hierarchy": "level",
    "recency": "recency",
}
SAID = "What the reply says"
CLOSEST = "The closest I found"
DROPPED = "Dropped: not in the reply"
READ = "Passages read for it"
OTHERS = "Nearest of the others"
NO_LONGER_THERE = "(This passage no longer stands in the library.)"
OVERRIDDEN = "overridden by a rule that prevails here"
HYPOTHETICAL = "Imagining took"
DROPPED_WITHHELD = "What was dropped is not shown to you."
CONCLUDED = "Concluded"
DIFFERS = "It differs from its source"
SCORE = "score"


def withheld(count: int) -> str:
    return (
        "One source is not shown to you."
        if count == 1
        else f"{count} sources are not shown to you."
    )


def preferred_because(why: str, first: str, other: str, *, alone: bool) -> str:
    """Why a document is cited before another; `alone`: nobody but who asked reads it."""
    one, two = (f"“{shortened(in_one_line(each), 150)}”" for each in (first, other))
    if why == "newer":
        return f"{one} is newer than {two}, which says the same."
    whose = "your own unit" if alone else "the reader's own unit"
    return f"{one} comes before {two}: it is the rule of {whose}."


def hypothetical_cost(milliseconds: float, tokens: Mapping[str, int]) -> str:
    """Of a hypothetical passage to search with; `tokens` as a language model counted them."""
    counted = f", {read_and_written(tokens)} tokens (prompt + completion)"
    return f"{milliseconds:.0f} ms{counted if any(tokens.values()) else ''}"


def more(count: int) -> str:
    return f"… {count} more, not shown"


FEEDBACK_TITLE = "What was wrong?"
FEEDBACK_THANKS = "Thank you: your feedback is kept with the answer."
WHY = "What was it?"
WHYS = {
    "wrong": "It is wrong",
    "incomplete": "Something is missing",
    "outdated": "It is out of date",
    "wrong_source": "The source does not say so",
    "other": "Something else",
}
IN_YOUR_WORDS = "In your words"
THUMB_KEPT = "Words are optional. Cancel takes your thumb down back."
THUMB_STANDS = "Your thumb down was kept before; add words if you like."
THUMB_TAKEN_BACK = "Your thumb down is taken back."
WORDS_HINT = "Kept in the audit store with the answer."

AUDIT = "Audit"
AUDIT_TITLE = "One exchange"
OPEN, MORE = "Open", "Show older"
REPLY = "Reply"
CANDIDATES = "Candidates"
WRITTEN = "What the writer wrote, unchecked"
MADE_WITH = "Made with"
USED = "used"
VERSION = "version"
YES = "yes"
NO_CHANNEL = "not in a channel: read by the person alone"
DIRECT = "a direct message"
AGENT = "an agent of theirs (MCP): read for the person alone"
THREAD = "thread"
FOR_EVERYONE = "what is for everyone"
ON = "on"
FROM_SOURCES = "from"
FACTS = {
    "who": "Who",
    "where": "Where",
    "when": "When",
    "erased": "Erased",
    "question": "Asked",
    "before": "Asked before",
    "looked_for": "Looked for",
    "hypothetical": "Imagined to search with",
    "could_read": "Could read",
    "why": "Why",
    "answered": "Answered",
    "missing": "Nothing found on",
    "nearest": "Nearest",
    "expired": "Out of date",
    "owners": "Could ask",
    "more_in_private": "More for the asker in private",
    "own_rule_in_private": "Another rule for the asker in private",
    "degraded": "Out of order",
    "confidence": "Confidence",
    "writer": "Writer",
    "prompt": "Prompt",
    "template": "Prompt's template",
    "embedder": "Embedding model",
    "models": "Models",
    "index": "Index",
    "calibration": "Calibration",
    "software": "Software",
    "settings": "Settings",
    "took": "Took",
    "tokens": "Tokens, prompt and completion",
}
LATER = "What happened later"
NARROW = "There are older ones; ask for less at once to see them."
JOBS_ELSEWHERE = (
    "I work for several workspaces, and jobs are for all of them at once: administrators of the "
    "workspace that runs me see how they stand. Ask there if you need it."
)
NOT_ADMIN = "`/audit` is for administrators. Ask whoever runs me if you need it."
USAGE = (
    "• `/audit`: the latest\n"
    "• `/audit ana`, `/audit abstain`, `/audit today`, `/audit 2026-01-31`: whose, how decided, "
    "when; `/audit ana abstain yesterday` is all of it\n"
    "• `/audit 0195e1c2-7a3b`: one exchange in full, by its id or the id's beginning\n"
    "• `/audit person @somebody`, `document NAME` (its file or title), `decision abstain`, "
    "`text WORDS`, `since 2026-01-31`, `until 2026-02-28`: these go together\n"
    "• `/audit unsupported cited handbook/leave.md last 30 days`: replies that cite it, of which a "
    "claim was not borne out\n"
    "• also `claim verified`, `dropped NAME` (a claim that rests on it was left out), "
    "`version`, `passage`, `told SENTENCE`, `badge probably`, `confidence under 0.4`, `reason`, "
    "`writer`, `settings`, `channel`, `rated bad`\n"
    "• `/audit feedback`: what people said of answers; also with `person`, `since`, `until`\n"
    "• `/audit kept out`: documents that nobody is shown, and why\n"
    "• `/audit jobs`: work by the clock, when it ran last and what became of it\n"
    "• `/audit help`: this"
)


def audit_heading(query: str, *, older: bool) -> str:
    if older:
        return f"Older exchanges: {query}" if query else "Older exchanges"
    return f"Exchanges, newest first: {query}" if query else "The latest exchanges"


def audit_nothing(query: str) -> str:
    return f"No exchange was found for: {query}" if query else "Nobody has asked anything yet."


OPINIONS = {
    "good": "helpful",
    "bad": "not helpful",
    "withdrawn": "taken back",
    "folded": "folded",
    "this_was_it": "the quoted passage was the answer",
}


def feedback_in_words(value: str, why: str, file: str, words: str) -> str:
    about = [WHYS.get(why, ""), file, f"“{' '.join(words.split())}”" if words.strip() else ""]
    said = ", ".join(each for each in about if each)
    what = OPINIONS.get(value, value)
    return f"{what}: {said}" if said else what


def feedback_heading(query: str, *, older: bool) -> str:
    newest = "Older feedback" if older else "Feedback, newest first"
    return f"{newest}: {query}" if query else newest


def feedback_nothing(query: str) -> str:
    return f"No feedback was found for: {query}" if query else "Nobody has given feedback yet."


def it_was(title: str) -> str:
    return f"Thank you: it is kept that “{title}” was it."


def place_in_chain(sequence: int, digest: str) -> str:
    return f"Entry {sequence} of the chain, hash {digest}"


def standing_at(char_start: int | None, length: int, read_in: str) -> str:
    """Which characters of its version a quote is, and when that was read; either may be unknown."""
    characters = "" if char_start is None else f"characters {char_start}-{char_start + length}"
    return ", ".join(filter(None, (characters, f"read in {read_in}" if read_in else "")))
