"""Block Kit: texts, elements and layouts that the app sends, with the limits that Slack sets them.

Figures: https://docs.slack.dev/reference/block-kit/composition-objects, .../block-elements,
.../blocks, .../blocks/rich-text-block and https://docs.slack.dev/reference/views
"""

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


class TextStyle(Strict):
    bold: bool | None = None
    italic: bool | None = None
    code: bool | None = None


class _Text(Strict):
    type: Literal["text"]
    text: Annotated[str, Field(min_length=1)]
    style: TextStyle | None = None


class _Link(Strict):
    type: Literal["link"]
    url: Annotated[str, length(3000)]
    text: Annotated[str, Field(min_length=1)] | None = None


class _Emoji(Strict):
    type: Literal["emoji"]
    name: Annotated[str, length(255)]


Inline = Annotated[_Text | _Link | _Emoji, Field(discriminator="type")]


class RichTextSection(Strict):
    type: Literal["rich_text_section"]
    elements: list[Inline]


class RichTextList(Strict):
    type: Literal["rich_text_list"]
    elements: list[RichTextSection]
    style: Literal["bullet", "ordered"]
    indent: Annotated[int, Field(ge=0, le=8)] | None = None
    offset: Annotated[int, Field(ge=0)] | None = None


class Preformatted(Strict):
    type: Literal["rich_text_preformatted"]
    elements: list[Annotated[_Text | _Link, Field(discriminator="type")]]


class Quote(Strict):
    type: Literal["rich_text_quote"]
    elements: list[Inline]


class RichText(Strict):
    type: Literal["rich_text"]
    elements: Annotated[
        list[
            Annotated[
                RichTextSection | RichTextList | Preformatted | Quote, Field(discriminator="type")
            ]
        ],
        Field(min_length=1),
    ]
    block_id: Identifier | None = None


MESSAGE_BLOCKS = 50
MODAL_BLOCKS = 100


class Layout(Strict):
    block_id: Identifier | None = None


class Section(Layout):
    type: Literal["section"]
    text: Text
    accessory: Button | None = None


class Header(Layout):
    type: Literal["header"]
    text: Annotated[PlainText, at_most(150)]


class Divider(Layout):
    type: Literal["divider"]


class Context(Layout):
    type: Literal["context"]
    elements: Annotated[list[Text], length(10)]


class Actions(Layout):
    type: Literal["actions"]
    elements: Annotated[list[Button], length(25)]


class ContextActions(Layout):
    type: Literal["context_actions"]
    elements: Annotated[list[FeedbackButtons], length(5)]


class Image(Layout):
    type: Literal["image"]
    slack_file: SlackFile
    alt_text: Annotated[str, length(2000)]
    title: Annotated[PlainText, at_most(2000)] | None = None


class RawText(Strict):
    type: Literal["raw_text"]
    text: Annotated[str, Field(min_length=1)]


class Column(Strict):
    is_wrapped: bool | None = None


Cell = Annotated[RawText | RichText, Field(discriminator="type")]


class Table(Layout):
    type: Literal["table"]
    rows: Annotated[list[Annotated[list[Cell], length(20)]], length(100)]
    column_settings: Annotated[list[Column | None], length(20, least=0)] | None = None


class TaskCard(Layout):
    type: Literal["task_card"]
    task_id: Annotated[str, Field(min_length=1)]
    title: Annotated[str, Field(min_length=1)]
    status: Literal["pending", "in_progress", "complete", "error"]


class Plan(Layout):
    type: Literal["plan"]
    title: Annotated[str, Field(min_length=1)]
    tasks: list[TaskCard]


class InputBlock(Layout):
    type: Literal["input"]
    label: Annotated[PlainText, at_most(2000)]
    element: InInput
    dispatch_action: bool | None = None
    hint: Annotated[PlainText, at_most(2000)] | None = None
    optional: bool | None = None


Anywhere = Section | Header | Divider | Context | Actions | Image | RichText | InputBlock
InMessage = Annotated[Anywhere | Table | ContextActions | Plan, Field(discriminator="type")]
"""The documentation gives table and context_actions to messages alone; of plans it says nothing."""
InModal = Annotated[Anywhere, Field(discriminator="type")]


class MessageBlocks(Strict):
    blocks: Annotated[list[InMessage], Field(max_length=MESSAGE_BLOCKS)]


class ModalBlocks(Strict):
    blocks: Annotated[list[InModal], Field(max_length=MODAL_BLOCKS)]


Label = Annotated[PlainText, at_most(24)]


class Home(ModalBlocks):
    type: Literal["home"]
    private_metadata: Annotated[str, length(3000, least=0)] | None = None
    callback_id: Annotated[str, length(255, least=0)] | None = None


class Modal(ModalBlocks):
    type: Literal["modal"]
    title: Label
    submit: Label | None = None
    close: Label | None = None
    private_metadata: Annotated[str, length(3000, least=0)] | None = None
    callback_id: Annotated[str, length(255, least=0)] | None = None
    notify_on_close: bool | None = None

    @model_validator(mode="after")
    def _can_be_submitted(self) -> "Modal":
        if self.submit is None and any(isinstance(block, InputBlock) for block in self.blocks):
            raise PydanticCustomError(
                "no_submit", "missing required field: submit, as the view has an input block"
            )
        return self
