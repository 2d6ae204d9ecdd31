"""A badge must sort: of the replies that bear a surer one, more are right."""

from collections.abc import Sequence

from audit.badge import Badge, badge_of
from bot.evaluation.outcomes import LabelledOutcome


def by_badge(outcomes: Sequence[LabelledOutcome]) -> dict[str, dict[str, int]]:
    """How many replies bore each badge, and how many of them were right.

    An answer is right where it cites gold, "I don't know" where no document answers.
    """
    counts = {badge.value: {"right": 0, "shown": 0} for badge in Badge}
    for outcome in outcomes:
        if outcome.decision is None:
            continue
        count = counts[badge_of(outcome.decision, outcome.missing)]
        count["right"] += outcome.cites_gold if outcome.answered else not _has_answer(outcome)
        count["shown"] += 1
    return counts


def _has_answer(outcome: LabelledOutcome) -> bool:
    return outcome.question.kind.has_answer
