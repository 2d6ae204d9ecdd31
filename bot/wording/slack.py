"""What people read in Slack; nothing that a document or a person said is ever put into markup."""

from collections.abc import Mapping

from bot import wording
from bot.wording.web import RECEIPT

SIGNS = {
    "answered": "white_check_mark",
    "probably": "large_yellow_circle",
    "in part": "large_orange_diamond",
    "closest": "mag",
    "unknown": "grey_question",
}
"""By badge, as `wording.BADGES`."""
READERS_HERE = "everyone here"
DOCUMENT_ITSELF = "the document itself"
OPEN_SOURCE = "open the source"
SOURCES = "Sources"
YOU_ASKED = "You asked"
MORE_IN_PRIVATE_ALOUD = wording.MORE_IN_PRIVATE
MORE_IN_PRIVATE = f":lock: {MORE_IN_PRIVATE_ALOUD}"
OWN_RULE_IN_PRIVATE_ALOUD = wording.OWN_RULE_IN_PRIVATE
OWN_RULE_IN_PRIVATE = f":lock: {OWN_RULE_IN_PRIVATE_ALOUD}"
SHOW_EVIDENCE = "Show evidence"
THIS_WAS_IT = "This was it"
ANSWER_PRIVATELY = "Answer me privately"
ANSWER_AS_OF = "Answer as of {day}"
AS_OF = "As of {day}"
GOOD, BAD = "Good answer", "Bad answer"
GOOD_ALOUD = "This answer helped me"
BAD_ALOUD = "Something is wrong with this answer"
CLOSE, CANCEL, SEND = "Close", "Cancel", "Send"


def headline(badge: str, *, again: bool = False) -> str:
    """The badge at a glance, by a sign and by words; `again`: it was refused before."""
    return f":{SIGNS[badge]}: *{in_words(badge, again=again)}*"


def in_words(badge: str, *, again: bool = False) -> str:
    return wording.AGAIN[badge] if again else wording.BADGES[badge]


def headline_sure(badge: str, overall: float | None) -> str:
    return " · ".join(filter(None, (headline(badge), sure(badge, overall))))


def sure(badge: str, overall: float | None) -> str:
    if badge in ("unknown", "closest") or overall is None:
        return ""
    return f"{percent(overall)} sure"


def percent(share: float) -> str:
    if share > 0.994:
        return "over 99%"
    return f"{share:.0%}" if share >= 0.01 else "under 1%"


def omitted_sentences(count: int) -> str:
    return f"… {_counted(count, 'more sentence')}: press “{SHOW_EVIDENCE}” …"


def omitted_sources(count: int) -> str:
    return f"… {_counted(count, 'more source')}: press “{SHOW_EVIDENCE}” …"


def audit_footer(beginning: str, receipt: str = "") -> str:
    """`beginning` of an audit id: letters, digits and hyphens; `receipt`: an address of ours."""
    return f"Audit {beginning}" + (f" · <{receipt}|{RECEIPT}>" if receipt else "")


READING = ":hourglass_flowing_sand: Reading the documents…"
READING_ALOUD = "Reading the documents…"


def step(stage: str, counts: Mapping[str, int]) -> str:
    """What is done in a stage of answering, of what its readers may read; empty for most."""
    if stage == "rerank":
        found = f"Found {_counted(counts['passages'], 'passage')} in "
        return f"{found}{_counted(counts['documents'], 'document')}, reading {counts['read']}"
    if stage == "write":
        return "Putting the answer together"
    return f"Checking {_counted(counts['claims'], 'claim')}" if counts.get("claims") else ""


NOT_YET = ":warning: *Not answered yet*"
NOT_YET_ALOUD = "Not answered yet."
TRIES_AGAIN = "Your question is kept. I try again by myself, and the answer will stand here."
SEE_LOG = "Whoever runs me finds the reason in the log."
TROUBLE = {
    "index": "The documents cannot be searched just now.",
    "audit": "What I say must be recorded first, and that is not possible just now.",
    "writer": "The language model that words my answers cannot be reached just now.",
    "library_empty": "I have not been given any documents yet, so there is nothing to answer from.",
    "configuration": "I am not set up right, so I cannot answer yet.",
    "network": "The network failed me on the way.",
    "other": "Something went wrong on my side.",
}


_SETTINGS = "api.slack.com/apps"
_WHAT_TO_DO = {
    "missing_scope": "Add the scope {needed} under OAuth & Permissions, and install the app again.",
    "not_in_channel": "Invite me to the channels in which I am to answer.",
    "messages_tab_disabled": "Turn on the Messages tab under App Home.",
    "message_limit_exceeded": "The workspace may send no more messages in its plan.",
}
_INSTALLED_AGAIN = (
    "Install the app again, put its bot token into VOUCH_SLACK_BOT_TOKEN, and restart me."
)
_OF_THE_INSTALLATION = (
    "account_inactive",
    "invalid_auth",
    "not_authed",
    "token_expired",
    "token_revoked",
)


def refused_by_slack(code: str, method: str, needed: str) -> str:
    todo = _INSTALLED_AGAIN if code in _OF_THE_INSTALLATION else _WHAT_TO_DO.get(code, "")
    todo = todo or "Whoever administers the workspace must allow it."
    return (
        f"Slack refuses what I ask of it ({method or 'a request'}: {code}): answers are missing. "
        f"{todo.format(needed=needed or 'that is named in the log')} The app is at {_SETTINGS}."
    )


def ahead(count: int) -> str:
    verb = "is" if count == 1 else "are"
    return f"{_counted(count, 'question')} {verb} before yours."


def slowed(seconds: int) -> str:
    return (
        "You have asked a lot in a short time, so I take yours one by one; "
        f"this one {_in(seconds)}."
    )


def help_lines(bot_user: str, *, private: bool) -> tuple[str, ...]:
    """What the bot is, how to ask it, what its signs mean, and who learns of it."""
    me = f"<@{bot_user}>"
    here = "Just write your question here." if private else f"Mention me: {me} and your question."
    ask = [
        here,
        "Go on in the thread under my answer: I know what was asked before."
        if not private
        else f"In a channel, mention me: {me} and your question. Everyone there reads the answer.",
        "Write `/ask` and your question anywhere: only you see the answer, there.",
        "Under a message's menu choose “Ask Vouch about this”: only you see the answer.",
    ]
    signs = "\n".join(f":{SIGNS[each]}: {meaning}" for each, meaning in _MEANINGS.items())
    return (
        ":wave: I answer questions from your organisation's own documents. Every sentence names "
        "the place where it stands and was checked against it. Where I am not sure that the "
        "documents answer, I say so.",
        "*How to ask*\n" + "\n".join(f"• {way}" for way in ask),
        f"*What the signs mean*\n{signs}\n:warning: not answered yet: I try again by myself",
        KEPT,
    )


_MEANINGS = {
    "answered": "answered, with numbered sources",
    "probably": "probably: I am less sure, so please check the sources",
    "in part": "answered in part: I say what is missing",
    "closest": "not sure: I quote the closest that I found; “This was it” tells me if it was",
    "unknown": "I don't know: nothing that I may show you comes near",
}
KEPT = "What you ask and what I answer is kept; administrators can look it up."
HELP_ALOUD = (
    "I answer questions from your organisation's own documents. "
    "Mention me, write to me directly, or use /ask."
)
ADMIN_HELP = (
    "As an administrator you can also send me a file with the words `read this`, to have it read "
    "as a document for whom you choose, and write `/audit` to see what was answered and why."
)
THANKS = "You're welcome."
ABOUT = (
    "I am Vouch, a bot: I answer questions from your organisation's own documents, with sources."
)
BYE = "Goodbye! Ask me again any time."
ASK_AGAIN = "Ask again"
ASKED_AGAIN = "I have your question now, and answer it in its turn."
ASKED_BEFORE = "I have this question of yours already, or you changed or deleted it since."
REFUSED_TO_ANOTHER = "Only whoever asked this can ask it again here."
NOT_STORED = (
    "I could not keep your question just now, so I did not start on it. Slack will hand it to "
    "me again by itself; if nothing has come of it in ten minutes, please ask again."
)
FOLDED = {
    "deleted": "The question was deleted, so my answer is folded. The audit keeps both.",
    "gone": "The question was deleted or changed, so this answer is folded.",
    "changed": "The question was changed, so this answer is folded: the new one stands below.",
    "asked": "Whoever asked this deleted or changed the question, so it is folded.",
    "given": "The question was deleted or changed, so this answer is folded. The audit keeps both.",
    "unwanted": "This answer was not wanted here, so it is folded. The audit keeps it.",
}
FOLDED |= {
    "deleted, taken back": f"{FOLDED['deleted']} What I had passed on is taken back.",
    "gone, taken back": f"{FOLDED['gone']} What I had passed on is taken back.",
    "changed, taken back": (
        f"{FOLDED['changed']} What I had passed on is taken back; to have it passed on as it is "
        f"now, press “Ask a person” there."
    ),
}
TAKEN_BACK = "I am done here: what I said in this message holds no more."
ASK_ACKNOWLEDGED = "I'll answer in our direct message."
ASKED_IN_PLACE = "I'm reading the documents. Only you will see the answer, here."
PRODUCT, CITATION = "Vouch", "Citation"
PREVIEW_LABELS = {"where": "Where", "kind": "What it is", "file": "File"}
FILES_NOT_READ = "Not read:"
"""Before files with why not: "plan.zip is of a kind that is not read"."""
FILES_SAY_NOTHING = "Read with your question, and not used here:"
FILE_GONE = "is not there any more"
FILE_ELSEWHERE = "was not posted in this conversation"
FILE_TOO_LARGE = "is larger than 20 MB"
FILE_ONE_TOO_MANY = "is one too many: I read five with a question"
FILE_BEYOND_ALL = "is left out: the files here are too long together"
FILE_NOT_HANDED_OVER = "could not be fetched: Slack did not hand it over"
ATTACHED_FILE = "attached file"
"""What it is, beside a citation of it."""
SEARCHED_MESSAGE = "message in Slack"
FROM_SEARCH = "From messages that Slack's search found for you:"
NOT_SEARCHED = "Messages in Slack could not be searched."
FROM_ATTACHED = "From the file attached here, which is seen in this conversation only:"
FILES_HEARD = "I have your file:"
ASK_OF_FILES = (
    "Please write what you would like to know: I read it with your question, for this "
    "conversation only."
)
ASKED_BY = "<@{user}> asked:"
POST_HERE = "Post here"
POSTED_HERE = (
    "I answer it there for everyone, from what everyone there may read: it can be less than you "
    "were told."
)
NOT_POSTED = "I did not post it: nothing that everyone here may read answers it."
POSTED_ALREADY = "It was asked there already."
ONLY_ASKER_POSTS = "Only whoever asked can have it posted."
NOWHERE_TO_POST = "I no longer know where it was asked, so please ask it there: mention me."
HOME = (
    "I answer questions from your organisation's own documents, and name the place of every "
    "sentence. Write to me under *Messages*, mention me in a channel, or type `/ask` anywhere."
)
ASK_A_QUESTION = "Ask a question"
MY_QUESTIONS = "Your last questions"
NO_QUESTIONS = "You have not asked anything yet."
MY_DOCUMENTS = "What you may read"
SEARCH_DOCUMENTS = "Words of a title"
NO_UNIT = "No unit named"
FOR_ADMINS = "For administrators"
HOME_SOURCES, HOME_JOBS, HOME_GAPS = "Sources", "Jobs", "Asked last and not answered"
HOME_NOT_LED = "Standard answers that are never given: `vouch answers list` says why"
NONE = "none"
PROMPTS = "You could ask"
GREETING_ALOUD = (
    "Mention me with a question, and I answer it in its thread from documents that everyone here "
    "may read."
)


def greeting(bot_user: str) -> str:
    return (
        f":wave: Mention me, <@{bot_user}>, with a question: I read it, and what its asker adds "
        "in its thread, and nothing else here, unless whoever manages this channel wants more "
        "answered with `/ask-settings`; then I say so here.\nEveryone here sees the answer, so it "
        "comes from documents that everyone here may read; `/ask` answers you alone."
    )


def prompt(heading: str, title: str) -> str:
    if heading.rstrip().endswith("?"):
        return heading
    return f"What does “{title}” say about “{heading}”?"


def documents(found: int, all_of_them: int) -> str:
    every = _counted(all_of_them, "document")
    return every if found == all_of_them else f"{found} of {every}"


PAGE_BEFORE, PAGE_AFTER = "Previous page", "Next page"


def page_of(first: int, last: int, found: int) -> str:
    return f"{first} to {last} of {found}"


ASK_TITLE = "Ask Vouch"
ASK = "Ask"
YOUR_QUESTION = "Your question"
ANSWER_WHERE = "Answer in a channel"
ONLY_TO_ME = "Only to me"
ANSWER_WHERE_HINT = (
    "Left open, I answer you alone, in our direct message. In a channel everyone reads the answer, "
    "and I answer from what everyone there may read."
)
NOT_BOTH_THERE = (
    "You and I must both be in that channel. Join it, and invite me there, or pick another."
)
ASKS_NOTHING = "I find no words in this message that I could look up."


def too_many(waiting: int) -> str:
    return (
        f"{_counted(waiting, 'question')} of yours wait already, and I take them one by one. "
        "I keep no more until some are answered: please ask again then."
    )


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _in(seconds: int) -> str:
    if seconds < 90:
        return f"in about {seconds} s"
    return f"in about {round(seconds / 60)} minutes"


COMMAND_NOT_STORED = (
    "I could not keep your question just now, so I did not start on it. "
    "Please ask again in a minute."
)
NOT_THERE = "I no longer find this exchange. The audit store has it, if it was ever answered."
NOT_HERE = "This button belongs to another conversation, so I do not open it here."
ASKER_ALONE = "Only whoever asked can say which passage was it."
NOT_KEPT = "That button is over, so I did not keep this."
STORE_AWAY = "The audit store does not answer just now. Please try again in a minute."
CLICK_FAILED = "That did not work; the operator finds the reason in the log. Please try again."
WINDOW_LATE = (
    "Slack lets me open a window only in the three seconds after you ask, and I was too slow. "
    "Please try again."
)
WINDOW_FAILED = "The window could not be opened just now. Please try again in a minute."
PEOPLE_AWAY = "I cannot look up who you are just now. Please try again in a minute."
ASKED_ALREADY = "I have this question of yours already: look into our direct message."


def checkpoint(entries: int) -> str:
    return f"The audit log as it is signed, {entries} entries. Keep this message."


def audit_not_understood(word: str) -> str:
    return f"I don't understand `{word}` there."


def audit_no_key_of_feedback(key: str) -> str:
    return f"Feedback is not listed by `{key}`. Write `person`, `since` or `until`."


STATUS_READING = "is reading the documents…"
"""Slack puts the bot's name before it."""


REQUIRED = "Please complete this required field."
_SOMETHING = "That did not work ({code}). Please reload the page and try again."
_REFUSALS = {
    "action_not_found": "That button is not there any more: the message has changed.",
    "cant_delete_message": "Only your own messages can be deleted.",
    "cant_update_message": "Only your own messages can be edited.",
    "channel_not_found": "That channel does not exist.",
    "dispatch_failed": "The bot is not connected. Start it, and try again.",
    "is_archived": "This channel is archived: nobody can write here.",
    "message_not_found": "That message is not there any more.",
    "msg_too_long": "That message is too long. Slack takes up to 40,000 characters.",
    "no_text": "There was no text.",
    "not_found": "That window is not open any more.",
    "not_in_channel": "You are not in this channel.",
    "operation_timeout": "The bot did not react in time. Try again in a moment.",
    "user_not_found": "Nobody here goes by that id. Reload the page.",
}
_CONNECT = "We had some trouble connecting. Try again?"


def refusal(code: str) -> str:
    if code in ("invalid_arguments", "push_limit_reached", "invalid_response_action"):
        return _CONNECT
    return _REFUSALS.get(code, _SOMETHING.format(code=code))


def command(name: str, code: str) -> str:
    if code == "unknown_command":
        return (
            f"{name} is not a valid command. Messages that start with the “/” character are "
            "commands; put a space before it to send it as a message."
        )
    if code in ("dispatch_failed", "operation_timeout", "invalid_command_response"):
        return f'{name} failed with the error "{code}"'
    return refusal(code)


def port_taken(port: int) -> str:
    return (
        f"Port {port} on this machine is in use, perhaps by another workspace. Stop that one, "
        "or take another: `vouch up --port 8710`, or VOUCH_WORKSPACE_PORT (0 picks a free one)."
    )


def unusable_file(path: object, reason: object) -> str:
    return (
        f"The workspace keeps its messages in {path}, which cannot be used: {reason}. Make its "
        "folder writable, or move the file away to begin with an empty workspace."
    )
