"""What the local workspace tells the person at its page; in Slack's words where it has any."""

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
    """Why something was not done, and what to do."""
    if code in ("invalid_arguments", "push_limit_reached", "invalid_response_action"):
        return _CONNECT
    return _REFUSALS.get(code, _SOMETHING.format(code=code))


def command(name: str, code: str) -> str:
    """Why a slash command failed."""
    if code == "unknown_command":
        return (
            f"{name} is not a valid command. Messages that start with the “/” character are "
            "commands; put a space before it to send it as a message."
        )
    if code in ("dispatch_failed", "operation_timeout", "invalid_command_response"):
        return f'{name} failed with the error "{code}"'
    return refusal(code)


def port_taken(port: int) -> str:
    """The server cannot start."""
    return (
        f"Port {port} on this machine is in use, perhaps by another workspace. Stop that one, "
        "or set VOUCH_WORKSPACE_PORT to another port (0 picks a free one)."
    )


def unusable_file(path: object, reason: object) -> str:
    """The messages of the workspace cannot be kept."""
    return (
        f"The workspace keeps its messages in {path}, which cannot be used: {reason}. Make its "
        "folder writable, or move the file away to begin with an empty workspace."
    )
