"""Block Kit lays messages and modals out in these, with Slack's limits.

Figures: https://docs.slack.dev/reference/block-kit/blocks and .../reference/views
"""

# ruff: noqa: D101 - a block's name says what it is, and the pages above say the rest

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from bot.workspace.block_kit.elements import (
    AsAccessory,
    Image,
    InActions,
    InContextActions,
    InInput,
    Pictured,
)
from bot.workspace.block_kit.rich_text import RichText
from bot.workspace.block_kit.texts import (
    Identifier,
    Markup,
    PlainText,
    Strict,
    Text,
    at_most,
    length,
)

MESSAGE_BLOCKS = 50
MODAL_BLOCKS = 100


class Layout(Strict):
    block_id: Identifier | None = None


class Section(Layout):
    type: Literal["section"]
    text: Text | None = None
    fields_: Annotated[list[Annotated[Text, at_most(2000)]], length(10)] | None = Field(
        default=None, alias="fields"
    )
    accessory: AsAccessory | None = None
    expand: bool | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "Section":
        if self.text is None and self.fields_ is None:
            raise PydanticCustomError("empty_section", "must define either `text` or `fields`")
        return self


class Header(Layout):
    type: Literal["header"]
    text: Annotated[PlainText, at_most(150)]


class Divider(Layout):
    type: Literal["divider"]


class Context(Layout):
    type: Literal["context"]
    elements: Annotated[
        list[Annotated[PlainText | Markup | Image, Field(discriminator="type")]], length(10)
    ]


class Actions(Layout):
    type: Literal["actions"]
    elements: Annotated[list[InActions], length(25)]


class ContextActions(Layout):
    type: Literal["context_actions"]
    elements: Annotated[list[InContextActions], length(5)]


class ImageBlock(Layout, Pictured):
    type: Literal["image"]
    title: Annotated[PlainText, at_most(2000)] | None = None


class Markdown(Layout):
    type: Literal["markdown"]
    text: Annotated[str, length(12_000)]


class RawText(Strict):
    type: Literal["raw_text"]
    text: Annotated[str, Field(min_length=1)]


class Column(Strict):
    align: Literal["left", "center", "right"] | None = None
    is_wrapped: bool | None = None


Cell = Annotated[RawText | RichText, Field(discriminator="type")]


class Table(Layout):
    type: Literal["table"]
    rows: Annotated[list[Annotated[list[Cell], length(20)]], length(100)]
    column_settings: Annotated[list[Column | None], length(20, least=0)] | None = None


class InputBlock(Layout):
    type: Literal["input"]
    label: Annotated[PlainText, at_most(2000)]
    element: InInput
    dispatch_action: bool | None = None
    hint: Annotated[PlainText, at_most(2000)] | None = None
    optional: bool | None = None


Anywhere = Section | Header | Divider | Context | Actions | ImageBlock | RichText | InputBlock
InMessage = Annotated[
    Anywhere | Markdown | Table | ContextActions,
    Field(discriminator="type"),
]
"""The documentation gives markdown, table and context_actions the message alone."""
InModal = Annotated[Anywhere, Field(discriminator="type")]


class MessageBlocks(Strict):
    blocks: Annotated[list[InMessage], Field(max_length=MESSAGE_BLOCKS)]


class ModalBlocks(Strict):
    blocks: Annotated[list[InModal], Field(max_length=MODAL_BLOCKS)]


Label = Annotated[PlainText, at_most(24)]


class Modal(ModalBlocks):
    type: Literal["modal"]
    title: Label
    submit: Label | None = None
    close: Label | None = None
    private_metadata: Annotated[str, length(3000, least=0)] | None = None
    callback_id: Annotated[str, length(255, least=0)] | None = None
    external_id: Annotated[str, length(255, least=0)] | None = None
    clear_on_close: bool | None = None
    notify_on_close: bool | None = None
    submit_disabled: bool | None = None

    @model_validator(mode="after")
    def _can_be_submitted(self) -> "Modal":
        if self.submit is None and any(isinstance(block, InputBlock) for block in self.blocks):
            raise PydanticCustomError(
                "no_submit", "missing required field: submit, as the view has an input block"
            )
        return self
