"""Block Kit's composition objects are texts, options and confirmation dialogs.

Figures: https://docs.slack.dev/reference/block-kit/composition-objects
"""

# ruff: noqa: D101 - a block's name says what it is, and the pages above say the rest

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

TEXT_TOO_LONG = "object_text_too_long"
"""The type of the error when the text inside an object is too long for where it stands."""

Style = Literal["primary", "danger"]


class Strict(BaseModel):
    """Slack refuses unknown keys and converts nothing."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def length(most: int, least: int = 1) -> Any:
    """Bound how many characters a string, or items a list, may have."""
    return Field(min_length=least, max_length=most)


class PlainText(Strict):
    type: Literal["plain_text"]
    text: Annotated[str, length(3000)]
    emoji: bool | None = None


class Markup(Strict):
    type: Literal["mrkdwn"]
    text: Annotated[str, length(3000)]
    verbatim: bool | None = None


Text = Annotated[PlainText | Markup, Field(discriminator="type")]
Identifier = Annotated[str, length(255)]
"""A `block_id` or `action_id`."""


def at_most(most: int) -> AfterValidator:
    """Make the type of a text object of at most so many characters."""

    def check(value: PlainText | Markup) -> PlainText | Markup:
        if len(value.text) > most:
            raise PydanticCustomError(
                TEXT_TOO_LONG, "must be less than {bound} characters", {"bound": most + 1}
            )
        return value

    return AfterValidator(check)


class Confirm(Strict):
    title: Annotated[PlainText, at_most(100)]
    text: Annotated[Text, at_most(300)]
    confirm: Annotated[PlainText, at_most(30)]
    deny: Annotated[PlainText, at_most(30)]
    style: Style | None = None


class Option(Strict):
    text: Annotated[PlainText, at_most(75)]
    value: Annotated[str, length(150)]
    description: Annotated[PlainText, at_most(75)] | None = None


class FormattedOption(Strict):
    """Only an option of checkboxes or radio buttons may have markup."""

    text: Annotated[Text, at_most(75)]
    value: Annotated[str, length(150)]
    description: Annotated[Text, at_most(75)] | None = None


class OverflowOption(Option):
    url: Annotated[str, length(3000)] | None = None


class OptionGroup(Strict):
    label: Annotated[PlainText, at_most(75)]
    options: Annotated[list[Option], length(100)]


class DispatchAction(Strict):
    trigger_actions_on: list[Literal["on_enter_pressed", "on_character_entered"]]
