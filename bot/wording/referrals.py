"""What is said where a question goes to people who may know, and where their answer comes back."""

from collections.abc import Mapping, Sequence

from bot.wording.documents import who
from bot.wording.untrusted_text import in_one_line, shortened

TEAM = "slack_team"
"""The facet that tells workspaces apart, as the library calls it."""
ASK_A_PERSON = "Ask a person"
TITLE = "Ask a person"
SEND = "Ask"
NOTE = "Anything to add?"
WITH_NAME = "With my name"
WITHOUT_NAME = "Without my name"
HOW = "How do I ask?"
NOBODY = (
    "I know nobody whom I could ask: an administrator names the channels that answer in "
    "`channels.yaml` (`answers_for`), and invites me there."
)
ONLY_ASKER = "Only whoever asked can have it passed on."
PASSED_ALREADY = "I passed this question on already, and tell you as soon as it is answered."
GIVE = "Give the answer"
GIVE_TITLE = "Give the answer"
GIVE_SEND = "Send"
THE_ANSWER = "The answer, in your words"
FOR_OTHERS = "Others"
FOR_OTHERS_TOO = "Answer others who ask from it, too"
LAST_DAY = "It holds until"
LAST_DAY_HINT = "Left open, it holds until somebody retracts it: `vouch answers retract`."
NO_DOCUMENT = "I give it to whoever asked, and to nobody else."
ANSWERED_ALREADY = "Somebody has answered this already."
NOT_YOURS = (
    "Only people of this channel whom I know can answer here, and not whoever asked: ask an "
    "administrator to list you in `people.yaml`."
)
GIVEN = "Thank you! I hand it on."
EMPTY = "Please write the answer."
RESOLVED = "That answers it"
STILL_OPEN = "Not yet"
GLAD = "Good. I closed it."
ASKED_ONCE_MORE = "I told them that it is still open."
WHO_ASKED_ALONE = "Only whoever asked can say so."
CLOSEST = "The closest that I found"
SOMEBODY = "Somebody"
MAKE_STANDARD = "Make it the standard answer"
STANDARD_TITLE = "Standard answer"
STANDARD_SEND = "Keep"
KIND_OF_QUESTION = "The question that it answers"
ONE_A_LINE = "In several words if you like, one question a line: whoever asks in these is told it."
STANDARD_READERS = (
    "Whoever asks alike is answered from it, with your name and today's date, if they may read all "
    "that it rests on. As soon as one of those documents changes, nobody is told it any more: "
    "`vouch answers list` says so, and you review it anew."
)
STANDARD_CHECKED = (
    "Kept. I check now whether each sentence is borne out, and write to you in our direct message."
)
STANDARD_UNCHECKED = (
    "I could not check your standard answer now: `vouch answers list` says whether it is told."
)
STANDARD_KEPT = "I checked your standard answer: it is told in about a minute."
NO_STANDARD = "What this reply rests on has changed since: ask anew, and review that reply."
IN_GENERAL_WORDS = "Others read it: say it in general words, without who asked and their case."
NOT_PASSED = "I could not pass your question on after all: nobody can be asked there any more."
NOT_NOW = "That changed just now. Please look at the newest answer, and press it there."
REMINDER = "This question is still open. Does anybody know?"
REOPENED = "The answer did not settle it: the question is open again."
CLOSED = ":white_check_mark: Answered"


def passes_to(channel: str) -> str:
    return (
        f"I pass your question on to <#{channel}>, with why I could not answer it and what came "
        "closest, as far as everyone there may read it. Their answer comes back to you."
    )


def others_hear(audience: Mapping[str, Sequence[str]]) -> str:
    """Say to whoever asks who else may be answered; people asked in private are their own unit."""
    return (
        f"Whoever answers may let me tell {_others(audience)} the same, if they ask it too, with "
        "your question in general words. "
    )


THEY_READ_UNIT = (
    "So whoever answers sees which unit you belong to, even if you ask without your name."
)


def passed_to(channel: str) -> str:
    return f"I passed it on to <#{channel}>, and tell you as soon as somebody answers."


def asks(user: str) -> str:
    return f":grey_question: *{f'<@{user}>' if user else SOMEBODY} asks*"


def why(missing: Sequence[str], *, answered: bool) -> str:
    """Say why it is asked; `missing`: parts of the question that the answer left open."""
    if not answered:
        return "I found no document that answers it and that whoever asks may read."
    if missing:
        return f"I could answer it in part. What is missing: {'; '.join(missing)}"
    return "I answered it, and am not sure of it."


def asks_aloud(question: str) -> str:
    return f"Somebody asks: {question}"


def goes_to(*, private: bool, channel: str, shared: bool) -> str:
    if private:
        return "Whoever asked reads it alone."
    outside = ", and people of another organisation are among them" if shared else ""
    return f"Everyone in <#{channel}> reads it{outside}."


def others_are(audience: Mapping[str, Sequence[str]]) -> str:
    return f"This goes to {_others(audience)} who ask the same."


def _others(audience: Mapping[str, Sequence[str]]) -> str:
    """Name people by what they have in common: "others in cs"."""
    inside = {facet: values for facet, values in audience.items() if facet != TEAM}
    common = " and ".join(value for values in inside.values() for value in values)
    place = who(tuple((facet, each) for facet, each in audience.items() if facet == TEAM))
    where = place.removeprefix("everyone")
    return f"others{f' in {common}' if common else ''}{where}" if audience else "anybody else"


def answered_by(user: str, day: str) -> str:
    return f":speech_balloon: *<@{user}> answers* ({day})"


def answered_aloud(name: str, answer: str) -> str:
    return f"{name} answers: {answer}"


REVIEWED = "standard answer, reviewed by "
"""What the kind of such a document begins with, and that of no other does."""


def reviewed_on(name: str, day: str) -> str:
    return f"{REVIEWED}{name} on {day}"


def closed(user: str, day: str) -> str:
    return f"{CLOSED} by <@{user}> ({day})"


def answered_on(name: str, day: str) -> str:
    """What kind of document a given answer is; it stands beside what cites it."""
    return f"answered by {name} on {day}"


RETRACTED = "Nobody is told it any more."


def never_leads(words: str) -> str:
    """`words`: what the check of claims refuses in a reviewed answer."""
    said = shortened(in_one_line(words), 300)
    return (
        f"I tell your standard answer to nobody: my check does not bear out “{said}”. Say each "
        "sentence, and the question, so that it is understood by itself, and send it anew."
    )


def too_many_questions(most: int) -> str:
    return f"At most {most} questions, one a line."


def listed(
    answer: str, name: str, day: str, question: str, *, stands: bool, refused: str
) -> tuple[str, str]:
    """An answer, in two lines at a terminal; `refused`: why it never leads, if it does not."""
    fell = "" if stands else " (told to nobody: what it rests on has changed; review it anew)"
    if stands and refused:
        said = shortened(in_one_line(refused), 90)
        fell = f" (never leads: the check refuses “{said}”; review it anew)"
    return f"{answer}{fell}", f"  {day} {name}: {question}"


def exported(count: int, folder: str) -> str:
    return f"{count} answer{'' if count == 1 else 's'} written to {folder}"


def no_answer(answer: str) -> str:
    return f"No answer that others are told is called {answer}: `vouch answers list` has them."
