"""What is said of quality over time."""

from collections.abc import Sequence

from bot.wording.names import listed

MOST_QUESTIONS = 10
"""Named in one alarm; `vouch quality run --json` has all."""
NO_QUESTIONS = (
    "No labelled questions are named, so only what people asked and the sources were looked at. "
    "Set VOUCH_QUALITY_QUESTIONS to a file in the form that `vouch evaluate` reads."
)
NO_RUNS = "Nothing was measured yet. `vouch quality run` does, with VOUCH_QUALITY_QUESTIONS set."
NO_ALARMS = "Nothing to say: everything is as it was."
MEASURES = {
    "precision_at_5": "precision at 5",
    "relevant_first_5": "relevant of the first 5",
    "false_answers": "false answers",
    "coverage": "coverage",
    "citation_precision": "citation precision",
    "helped": "helped",
    "confidence": "confidence",
}
"""Figures of a run by their names."""
SHORT_MEASURES = {
    "precision_at_5": "P@5",
    "relevant_first_5": "of 5",
    "false_answers": "false",
    "coverage": "coverage",
    "citation_precision": "cites",
    "helped": "helped",
    "confidence": "confidence",
}
"""The same where many stand beside each other."""
RUN_HEADINGS = ("when (UTC)", "questions")
NOTHING = "-"


def fell(measure: str, before: float, now: float, day: str, questions: int) -> str:
    return (
        f"{measure.capitalize()} fell from {before:.3f} to {now:.3f} since {day}, over the "
        f"{questions} questions that both runs asked."
    )


def false_answers_rose(before: int, now: int, day: str) -> str:
    return (
        f"False answers rose from {before} to {now} since {day}: questions are answered that the "
        "documents do not answer."
    )


def few_relevant(mean: float, attainable: float, least: float) -> str:
    return (
        f"Of the first five passages {mean:.2f} are relevant on average; a perfect ranking would "
        f"have {attainable:.2f}, and under {least:.2f} this is said."
    )


def gold_missing(questions: Sequence[str]) -> str:
    named = listed(questions, MOST_QUESTIONS)
    return (
        f"The places that should answer are not in the library any more for {len(questions)} "
        f"questions: {named}. Bring the documents back, or label the questions anew."
    )


def questions_failed(failed: int, questions: int, reason: str) -> str:
    return f"{failed} of {questions} questions could not be asked; the first one: {reason}"


def out_of_band(
    measure: str, value: float, low: float, high: float, weeks: int, questions: int
) -> str:
    return (
        f"In the last seven days {measure} came to {value:.3f} over {questions} questions; in the "
        f"{weeks} weeks before {max(low, 0.0):.3f} to {min(high, 1.0):.3f} was usual."
    )


def source_unread(source: str, day: str, days: int) -> str:
    return (
        f"The source {source} was last read on {day}, more than {days} days ago. Read it again "
        "with `vouch ingest`."
    )


def source_unchanged(source: str, day: str, days: int) -> str:
    return (
        f"Nothing in the source {source} changed since {day}, for more than {days} days. See "
        "whether it is still kept up."
    )


def differs(what: str, before: str, now: str) -> str:
    return f"{what}: {before or 'none'} then, {now or 'none'} now"


def other_versions(differences: Sequence[str]) -> str:
    """Empty where there are none."""
    return f"What differs between the runs: {'; '.join(differences)}." if differences else ""


def became(was_right: bool, is_right: bool) -> str:
    """Empty where it stayed."""
    if was_right == is_right:
        return ""
    return "was right, now wrong" if was_right else "was wrong, now right"


def relevant_moved(before: int | None, now: int | None) -> str:
    """Empty where it stayed."""
    if before == now or before is None or now is None:
        return ""
    return f"{before} relevant of the first five then, {now} now"


def changed(question_id: str, question: str, what: Sequence[str]) -> str:
    return f"- {question_id} ({question}): {', '.join(filter(None, what))}"


def more_changed(left: int) -> str:
    return f"- and {left} more"
