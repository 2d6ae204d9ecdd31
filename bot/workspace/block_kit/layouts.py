"""Block Kit lays messages and modals out in these, with Slack's limits: those that the app sends.

Figures: https://docs.slack.dev/reference/block-kit/blocks, .../blocks/rich-text-block and
https://docs.slack.dev/reference/views
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from bot.workspace.block_kit.elements import (
    Button,
    FeedbackButtons,
    Identifier,
    InInput,
    PlainText,
    SlackFile,
    Strict,
    Text,
    at_most,
    length,
)


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
