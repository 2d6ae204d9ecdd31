"""What is said of quality over time, and of answers that are looked back at."""

from collections.abc import Mapping, Sequence

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
    return f"What differs between the runs: {'; '.join(differences)}." if differences else ""


def became(was_right: bool, is_right: bool) -> str:
    if was_right == is_right:
        return ""
    return "was right, now wrong" if was_right else "was wrong, now right"


def relevant_moved(before: int | None, now: int | None) -> str:
    if before == now or before is None or now is None:
        return ""
    return f"{before} relevant of the first five then, {now} now"


def changed(question_id: str, question: str, what: Sequence[str]) -> str:
    return f"- {question_id} ({question}): {', '.join(filter(None, what))}"


def more_changed(left: int) -> str:
    return f"- and {left} more"


NO_ANSWER = (
    "That record is of a search alone: no answer was sought, so there is none to make again."
)
FROM_LIBRARY = (
    "That record is of a question about the library itself, and was answered from what stood in "
    "it then. Ask again to see what stands in it now."
)
SAME = "The same reply comes out, word for word."
ANOTHER = "Another reply comes out."
WHAT_DIFFERS = "What comes out otherwise"
MADE_WITH = "What it is made with otherwise"
LACKING = "What cannot be had again as it was"
ATTACHED = "files that came with the question: their words are not kept with the record"
SEVERAL_PARTS = (
    "which candidates were read for which part of the question: all are read for each of them"
)
BY_LANGUAGE_MODEL = "what a language model writes or judges: asked again, it may say it otherwise"
NO_REASON = (
    "Nothing that the record names is different. It does not name which courses were current, nor "
    "what the ontology and the contacts said."
)
NO_THRESHOLD = "Say what would be otherwise: --answer-at, --partial-at, or both."
ABSTENTIONS = (
    "An abstention does not keep what its sources said against each other, so some that would be "
    "answered may still be held back."
)
JUDGED = {"better": "for the better", "worse": "for the worse", "unknown": "nobody said"}


def gone(file: str, version: str) -> str:
    return f"{file}, version {version}: its text is not kept any more"


def degraded(said: Sequence[str]) -> str:
    return f"what was out of order then: {'; '.join(said)}"


def then_and_now(then: str, now: str) -> str:
    return f"then: {then or 'nothing'}\nnow:  {now or 'nothing'}"


def decided_again(records: int, was: Mapping[str, int], would_be: Mapping[str, int]) -> str:
    counts = ", ".join(f"{name} {was[name]} → {would_be[name]}" for name in was)
    return f"{records} answers decided again: {counts}."


def changes(judged: Mapping[str, int]) -> str:
    if not any(judged.values()):
        return "No decision would change."
    counts = ", ".join(f"{judged[name]} {said}" for name, said in JUDGED.items())
    return f"{sum(judged.values())} would change: {counts}."
