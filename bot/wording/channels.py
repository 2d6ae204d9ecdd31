"""What people read of how the bot answers in a channel, and of what nobody asked it."""

from datetime import UTC, datetime

TITLE = "Answers in this channel"
SAVE = "Save"
UNCHANGED = "Nobody has changed anything here yet."
HOW = "What do I answer here?"
ANSWERS = {
    "mentioned": "What I am asked: who mentions me is answered",
    "sure": "And questions that I am sure of, unasked, once each",
    "offered": "And such a question's answer I offer to the asker alone",
}
"""By `Answers`."""
UNASKED_HINT = (
    "Unasked I answer only what bears the badge “Answered”, never “Probably”, and else keep "
    "silent. "
    ":x: by the asker or by one of you takes such an answer away."
)
UNASKED_NOT_ALLOWED = (
    "Whoever runs me lets me answer only what I am asked here. For more, this channel must stand "
    "in `channels.yaml`, and nothing there may forbid it."
)
WHICH_SOURCES = "From which sources?"
SOURCES_HINT = "None chosen: from all that everyone here may read."
WHERE = "Where do I reply?"
PLACES = {"thread": "In the question's thread", "beside": "In the channel itself"}
OUTSIDERS = "People of other organisations"
ANSWER_OUTSIDERS = "Answer them, too"
OUTSIDERS_HINT = (
    "Where they read along (Slack Connect). Off unless you turn it on: what everyone may read was "
    "written for everyone in your organisation, not beyond it."
)
OUTSIDERS_NOT_ALLOWED = "Whoever runs me lets me answer nobody of another organisation here."
ASK_PERSON = "Where does “Ask a person” go?"
ASK_PERSON_HINT = (
    "A channel of people who answer what I cannot. Left open: the channel of the unit."
)
NOT_A_CHANNEL = "How I answer is set in a channel: write `/ask-settings` in the one that you mean."
NOT_A_MANAGER = (
    "How I answer here is set by whoever created this channel, by administrators, and by those "
    "whom whoever runs me named for it. Please ask one of them."
)
CHOOSE_AGAIN = "These sources can no longer be read here. Please open the settings again."
TURNED_AWAY = (
    "I answer from documents that were written for the people of my own organisation, so I do not "
    "answer people of other organisations here. Please ask your contact there; whoever manages "
    "this channel can also allow me to answer you."
)
CAN_ANSWER = "I can answer this from the documents. Only you see this."
SHOW_ME = "Show me"
UNASKED = "Nobody asked me; I answer because I am sure. :x: by whoever asked takes this away."

NOW_ANSWERS = {
    "mentioned": "From now on I answer, and keep, only what I am asked here.",
    "sure": "From now on I read what is said here, keep what sounds like a question to the "
    "documents, and answer it, once, where I am sure.",
    "offered": "From now on I read what is said here, keep what sounds like a question to the "
    "documents, and offer its asker an answer where I am sure.",
}
"""By `Answers`."""


def now_answers(answers: str, user: str) -> str:
    """Tell a channel what is read there from now on, and who wants it; in Slack's markup."""
    return f"{NOW_ANSWERS[answers]} <@{user}> set this with `/ask-settings`."


def changed(user: str, at: datetime) -> str:
    """Who set all of it last, in Slack's markup."""
    return f"Set by <@{user}> on {at.astimezone(UTC):%Y-%m-%d at %H:%M} UTC."


def bad_forbid(value: str, why: str) -> str:
    return f"VOUCH_CHANNELS_FORBID is {value!r}: {why}."
