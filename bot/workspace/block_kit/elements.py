"""Block Kit has these interactive elements.

Figures: https://docs.slack.dev/reference/block-kit/block-elements
"""

# ruff: noqa: D101 - a block's name says what it is, and the pages above say the rest

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from bot.workspace.block_kit.texts import (
    Confirm,
    DispatchAction,
    FormattedOption,
    Identifier,
    Option,
    OptionGroup,
    OverflowOption,
    PlainText,
    Strict,
    Style,
    at_most,
    length,
)

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


Chosen = Button | Overflow | StaticSelect | UsersSelect | DatePicker | Checkboxes | RadioButtons
InActions = Annotated[Chosen, Field(discriminator="type")]
AsAccessory = Annotated[Chosen | Image, Field(discriminator="type")]
InContextActions = Annotated[FeedbackButtons | IconButton, Field(discriminator="type")]
InInput = Annotated[
    PlainTextInput | StaticSelect | UsersSelect | DatePicker | Checkboxes | RadioButtons,
    Field(discriminator="type"),
]
