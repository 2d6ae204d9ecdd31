"""Block Kit has these texts, options, confirmation dialogs and interactive elements.

Figures: https://docs.slack.dev/reference/block-kit/composition-objects and .../block-elements
"""

# ruff: noqa: D101 - a block's name says what it is, and the pages above say the rest

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
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


Url = Annotated[str, length(3000)]
ButtonText = Annotated[PlainText, at_most(75)]
ButtonValue = Annotated[str, length(2000, least=0)]
Spoken = Annotated[str, length(75)]
Placeholder = Annotated[PlainText, at_most(150)]


class Element(Strict):
    action_id: Identifier | None = None


class Input(Element):
    placeholder: Placeholder | None = None
    focus_on_load: bool | None = None


class Button(Element):
    type: Literal["button"]
    text: ButtonText
    value: ButtonValue | None = None
    url: Url | None = None
    style: Style | None = None
    confirm: Confirm | None = None
    accessibility_label: Spoken | None = None


class Thumb(Strict):
    """A thumb is one of the two feedback buttons."""

    text: ButtonText
    value: ButtonValue
    accessibility_label: Spoken | None = None


class FeedbackButtons(Element):
    type: Literal["feedback_buttons"]
    positive_button: Thumb
    negative_button: Thumb


class IconButton(Element):
    type: Literal["icon_button"]
    icon: Literal["trash"]
    text: ButtonText
    value: ButtonValue | None = None
    confirm: Confirm | None = None
    accessibility_label: Spoken | None = None
    visible_to_user_ids: list[str] | None = None


class SlackFile(Strict):
    """A file of Slack's is named by one of the two."""

    id: Annotated[str, Field(pattern="^[F][A-Z0-9]{8,}$")] | None = None
    url: Url | None = None

    @model_validator(mode="after")
    def _is_named_once(self) -> "SlackFile":
        if (self.id is None) == (self.url is None):
            raise PydanticCustomError("named_once", "must define either `id` or `url`")
        return self


class Pictured(Strict):
    """A picture stands at a public address, or is a file of Slack's."""

    image_url: Url | None = None
    slack_file: SlackFile | None = None
    alt_text: Annotated[str, length(2000)]

    @model_validator(mode="after")
    def _has_one_source(self) -> "Pictured":
        if (self.image_url is None) == (self.slack_file is None):
            raise PydanticCustomError(
                "one_source", "must define either `image_url` or `slack_file`"
            )
        return self


class Image(Pictured):
    type: Literal["image"]


class Overflow(Element):
    type: Literal["overflow"]
    options: Annotated[list[OverflowOption], length(5)]
    confirm: Confirm | None = None


class StaticSelect(Input):
    type: Literal["static_select"]
    options: Annotated[list[Option], length(100)] | None = None
    option_groups: Annotated[list[OptionGroup], length(100)] | None = None
    initial_option: Option | None = None
    confirm: Confirm | None = None

    @model_validator(mode="after")
    def _has_options(self) -> "StaticSelect":
        if (self.options is None) == (self.option_groups is None):
            raise PydanticCustomError("choices", "must define either `options` or `option_groups`")
        return self


class UsersSelect(Input):
    type: Literal["users_select"]
    initial_user: str | None = None
    confirm: Confirm | None = None


class ConversationFilter(Strict):
    include: list[Literal["im", "mpim", "private", "public"]] | None = None
    exclude_external_shared_channels: bool | None = None
    exclude_bot_users: bool | None = None


class ConversationsSelect(Input):
    type: Literal["conversations_select"]
    initial_conversation: str | None = None
    default_to_current_conversation: bool | None = None
    response_url_enabled: bool | None = None
    filter: ConversationFilter | None = None
    confirm: Confirm | None = None


class DatePicker(Input):
    type: Literal["datepicker"]
    initial_date: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")] | None = None
    confirm: Confirm | None = None


class Checkboxes(Element):
    type: Literal["checkboxes"]
    options: Annotated[list[FormattedOption], length(10)]
    initial_options: Annotated[list[FormattedOption], length(10)] | None = None
    confirm: Confirm | None = None
    focus_on_load: bool | None = None


class RadioButtons(Element):
    type: Literal["radio_buttons"]
    options: Annotated[list[FormattedOption], length(10)]
    initial_option: FormattedOption | None = None
    confirm: Confirm | None = None
    focus_on_load: bool | None = None


class PlainTextInput(Input):
    type: Literal["plain_text_input"]
    initial_value: Annotated[str, length(3000, least=0)] | None = None
    multiline: bool | None = None
    min_length: Annotated[int, Field(ge=0, le=3000)] | None = None
    max_length: Annotated[int, Field(ge=1, le=3000)] | None = None
    dispatch_action_config: DispatchAction | None = None


Select = StaticSelect | UsersSelect | ConversationsSelect
Chosen = Button | Overflow | Select | DatePicker | Checkboxes | RadioButtons
InActions = Annotated[Chosen, Field(discriminator="type")]
AsAccessory = Annotated[Chosen | Image, Field(discriminator="type")]
InContextActions = Annotated[FeedbackButtons | IconButton, Field(discriminator="type")]
InInput = Annotated[
    PlainTextInput | Select | DatePicker | Checkboxes | RadioButtons,
    Field(discriminator="type"),
]
