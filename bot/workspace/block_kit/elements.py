"""Block Kit has these texts, options and interactive elements: those that the app sends.

Figures: https://docs.slack.dev/reference/block-kit/composition-objects and .../block-elements
"""

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


class Option(Strict):
    text: Annotated[Text, at_most(75)]
    value: Annotated[str, length(150)]


class DispatchAction(Strict):
    trigger_actions_on: list[Literal["on_enter_pressed", "on_character_entered"]]


ButtonText = Annotated[PlainText, at_most(75)]
ButtonValue = Annotated[str, length(2000, least=0)]
Spoken = Annotated[str, length(75)]
Placeholder = Annotated[PlainText, at_most(150)]


class Element(Strict):
    action_id: Identifier | None = None


class Button(Element):
    type: Literal["button"]
    text: ButtonText
    value: ButtonValue | None = None
    style: Style | None = None


class Thumb(Strict):
    """A thumb is one of the two feedback buttons."""

    text: ButtonText
    value: ButtonValue
    accessibility_label: Spoken | None = None


class FeedbackButtons(Element):
    type: Literal["feedback_buttons"]
    positive_button: Thumb
    negative_button: Thumb


class SlackFile(Strict):
    id: Annotated[str, Field(pattern="^[F][A-Z0-9]{8,}$")]


class ConversationFilter(Strict):
    include: list[Literal["im", "mpim", "private", "public"]] | None = None
    exclude_bot_users: bool | None = None


class ConversationsSelect(Element):
    type: Literal["conversations_select"]
    placeholder: Placeholder | None = None
    initial_conversation: str | None = None
    filter: ConversationFilter | None = None


class DatePicker(Element):
    type: Literal["datepicker"]
    initial_date: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")] | None = None


class Checkboxes(Element):
    type: Literal["checkboxes"]
    options: Annotated[list[Option], length(10)]
    initial_options: Annotated[list[Option], length(10)] | None = None


class RadioButtons(Element):
    type: Literal["radio_buttons"]
    options: Annotated[list[Option], length(10)]
    initial_option: Option | None = None


class OptionGroup(Strict):
    label: Annotated[PlainText, at_most(75)]
    options: Annotated[list[Option], length(100)]


class StaticSelect(Element):
    type: Literal["static_select"]
    option_groups: Annotated[list[OptionGroup], length(100)]
    placeholder: Placeholder | None = None


class PlainTextInput(Element):
    type: Literal["plain_text_input"]
    placeholder: Placeholder | None = None
    initial_value: Annotated[str, length(3000, least=0)] | None = None
    multiline: bool | None = None
    max_length: Annotated[int, Field(ge=1, le=3000)] | None = None
    dispatch_action_config: DispatchAction | None = None


InInput = Annotated[
    PlainTextInput | ConversationsSelect | DatePicker | Checkboxes | RadioButtons | StaticSelect,
    Field(discriminator="type"),
]
