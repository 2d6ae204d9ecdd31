"""A `rich_text` block holds these.

https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
"""

# ruff: noqa: D101 - a block's name says what it is, and the pages above say the rest

from typing import Annotated, Literal

from pydantic import Field

from bot.workspace.block_kit.texts import Identifier, Strict, length


class TextStyle(Strict):
    bold: bool | None = None
    italic: bool | None = None
    strike: bool | None = None
    underline: bool | None = None
    code: bool | None = None


class MentionStyle(TextStyle):
    highlight: bool | None = None
    client_highlight: bool | None = None
    unlink: bool | None = None


class _Text(Strict):
    type: Literal["text"]
    text: Annotated[str, Field(min_length=1)]
    style: TextStyle | None = None


class _Link(Strict):
    type: Literal["link"]
    url: Annotated[str, length(3000)]
    text: Annotated[str, Field(min_length=1)] | None = None
    unsafe: bool | None = None
    style: TextStyle | None = None


class _User(Strict):
    type: Literal["user"]
    user_id: Annotated[str, length(255)]
    style: MentionStyle | None = None


class _Group(Strict):
    type: Literal["usergroup"]
    usergroup_id: Annotated[str, length(255)]
    style: MentionStyle | None = None


class _Channel(Strict):
    type: Literal["channel"]
    channel_id: Annotated[str, length(255)]
    style: MentionStyle | None = None


class _Emoji(Strict):
    type: Literal["emoji"]
    name: Annotated[str, length(255)]
    unicode: str | None = None
    skin_tone: int | None = None
    style: TextStyle | None = None


class _Date(Strict):
    type: Literal["date"]
    timestamp: int
    format: Annotated[str, Field(min_length=1)]
    url: str | None = None
    fallback: str | None = None
    style: TextStyle | None = None


class _Broadcast(Strict):
    type: Literal["broadcast"]
    range: Literal["here", "channel", "everyone"]
    style: TextStyle | None = None


class _Color(Strict):
    type: Literal["color"]
    value: Annotated[str, Field(pattern=r"^#[0-9A-Fa-f]{6}$")]
    style: TextStyle | None = None


Inline = Annotated[
    _Text | _Link | _User | _Group | _Channel | _Emoji | _Date | _Broadcast | _Color,
    Field(discriminator="type"),
]
Border = Literal[0, 1]


class Section(Strict):
    type: Literal["rich_text_section"]
    elements: list[Inline]


class List(Strict):
    type: Literal["rich_text_list"]
    elements: list[Section]
    style: Literal["bullet", "ordered"]
    indent: Annotated[int, Field(ge=0, le=8)] | None = None
    offset: Annotated[int, Field(ge=0)] | None = None
    border: Border | None = None


class Preformatted(Strict):
    type: Literal["rich_text_preformatted"]
    elements: list[Annotated[_Text | _Link, Field(discriminator="type")]]
    border: Border | None = None
    language: str | None = None


class Quote(Strict):
    type: Literal["rich_text_quote"]
    elements: list[Inline]
    border: Border | None = None


class RichText(Strict):
    type: Literal["rich_text"]
    elements: Annotated[
        list[Annotated[Section | List | Preformatted | Quote, Field(discriminator="type")]],
        Field(min_length=1),
    ]
    block_id: Identifier | None = None
