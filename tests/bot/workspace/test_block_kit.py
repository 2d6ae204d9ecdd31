"""Every limit of Slack's: what stands at it is taken, one more is refused in Slack's words."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.workspace.block_kit.validation import problems, too_long, view_problems

Block = dict[str, Any]
SCRIPTS = st.sampled_from(["a", "é", "ж", "语", "ع", "न", "😀", "&", "<", "\n"])


def markup(text: str) -> Block:
    return {"type": "mrkdwn", "text": text}


def plain(text: str) -> Block:
    return {"type": "plain_text", "text": text}


def actions(*elements: Block) -> Block:
    return {"type": "actions", "elements": list(elements)}


def button(**more: Any) -> Block:
    return {"type": "button", "text": plain("Go"), **more}


def asked(**more: Any) -> Block:
    return {
        "type": "input",
        "label": plain("Why?"),
        "element": {"type": "plain_text_input"},
        **more,
    }


def choice(kind: str, count: int = 1, **more: Any) -> Block:
    options = [{"text": plain("One"), "value": "one", **more} for _ in range(count)]
    return asked(element={"type": kind, "options": options})


def grouped(groups: int = 1, options: int = 1, label: str = "All", **more: Any) -> Block:
    group = {"label": plain(label), "options": [{"text": plain("One"), "value": "1"}] * options}
    return asked(element={"type": "static_select", "option_groups": [group] * groups, **more})


def feedback(**more: Any) -> Block:
    thumb = {"text": plain("Good"), "value": "good", **more}
    buttons = {"type": "feedback_buttons", "positive_button": thumb, "negative_button": thumb}
    return {"type": "context_actions", "elements": [buttons]}


def table(rows: int, columns: int, text: str = "x") -> Block:
    return {"type": "table", "rows": [[{"type": "raw_text", "text": text}] * columns] * rows}


IMAGE = {"type": "image", "slack_file": {"id": "F0NOWHERE1"}, "alt_text": "x"}

CHARACTERS: dict[str, tuple[int, Callable[[str], Block]]] = {
    "section text": (3000, lambda text: {"type": "section", "text": markup(text)}),
    "header": (150, lambda text: {"type": "header", "text": plain(text)}),
    "block_id": (255, lambda text: {"type": "divider", "block_id": text}),
    "action_id": (255, lambda text: actions(button(action_id=text))),
    "button text": (75, lambda text: actions(button(text=plain(text)))),
    "button value": (2000, lambda text: actions(button(value=text))),
    "feedback value": (2000, lambda text: feedback(value=text)),
    "feedback text": (75, lambda text: feedback(text=plain(text))),
    "feedback label": (75, lambda text: feedback(accessibility_label=text)),
    "option text": (75, lambda text: choice("checkboxes", text=plain(text))),
    "option value": (150, lambda text: choice("radio_buttons", value=text)),
    "option group": (75, lambda text: grouped(label=text)),
    "placeholder": (
        150,
        lambda text: asked(element={"type": "plain_text_input", "placeholder": plain(text)}),
    ),
    "input label": (2000, lambda text: asked(label=plain(text))),
    "input hint": (2000, lambda text: asked(hint=plain(text))),
    "image alt text": (2000, lambda text: IMAGE | {"alt_text": text}),
    "image title": (2000, lambda text: IMAGE | {"title": plain(text)}),
}

ITEMS: dict[str, tuple[int, Callable[[int], list[Block]]]] = {
    "blocks": (50, lambda count: [{"type": "divider"}] * count),
    "context": (10, lambda count: [{"type": "context", "elements": [markup("x")] * count}]),
    "actions": (25, lambda count: [actions(*[button()] * count)]),
    "context_actions": (
        5,
        lambda count: [{"type": "context_actions", "elements": feedback()["elements"] * count}],
    ),
    "checkboxes": (10, lambda count: [choice("checkboxes", count)]),
    "radio": (10, lambda count: [choice("radio_buttons", count)]),
    "option groups": (100, lambda count: [grouped(count)]),
    "options of a group": (100, lambda count: [grouped(options=count)]),
    "table rows": (100, lambda count: [table(count, 1)]),
    "table columns": (20, lambda count: [table(1, count)]),
}


@pytest.mark.parametrize("what", CHARACTERS)
@given(character=SCRIPTS)
def test_text_may_be_as_long_as_slack_says_and_no_longer(what: str, character: str) -> None:
    most, block = CHARACTERS[what]
    assert problems([block(character * most)]) == []
    refused = problems([block(character * (most + 1))])
    assert [text.partition(" [")[0] for text in refused] == [
        f"must be less than {most + 1} characters"
    ] * len(refused)
    assert refused


@pytest.mark.parametrize("what", ITEMS)
def test_lists_may_be_as_long_as_slack_says_and_no_longer(what: str) -> None:
    most, blocks = ITEMS[what]
    assert problems(blocks(most)) == []
    (refused,) = problems(blocks(most + 1))
    assert refused.startswith(f"no more than {most} items allowed [json-pointer:/blocks")


EMPTY = sorted(set(CHARACTERS) - {"button value", "feedback value"})


@pytest.mark.parametrize("what", EMPTY)
def test_no_text_may_be_empty(what: str) -> None:
    _, block = CHARACTERS[what]
    assert any(text.startswith("must be more than 0 characters") for text in problems([block("")]))


@pytest.mark.parametrize(
    ("block", "says"),
    [
        (
            {"type": "section", "text": markup("x" * 3001)},
            "must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
        ),
        ({"type": "header"}, "missing required field: text [json-pointer:/blocks/0]"),
        (
            {"type": "header", "text": markup("x")},
            "must be a valid enum value [json-pointer:/blocks/0/text/type]",
        ),
        ({"type": "carousel"}, "unsupported type: carousel [json-pointer:/blocks/0]"),
        ({}, "missing required field: type [json-pointer:/blocks/0]"),
        (
            {"type": "divider", "colour": "red"},
            "invalid additional property: colour [json-pointer:/blocks/0]",
        ),
        (
            {"type": "section", "text": markup("x") | {"emoji": True}},
            "invalid additional property: emoji [json-pointer:/blocks/0/text]",
        ),
        (
            actions(button(style="loud")),
            "must be a valid enum value [json-pointer:/blocks/0/elements/0/style]",
        ),
        (
            {
                "type": "rich_text",
                "elements": [
                    {"type": "rich_text_section", "elements": [{"type": "text", "text": ""}]}
                ],
            },
            "must be more than 0 characters [json-pointer:/blocks/0/elements/0/elements/0/text]",
        ),
        ({"type": "divider", "block_id": 3}, "must provide a string"),
        (asked(element=button()), "unsupported type: button [json-pointer:/blocks/0/element]"),
    ],
)
def test_slack_says_what_is_wrong_and_where(block: Block, says: str) -> None:
    (said,) = problems([block])
    assert said.startswith(says)


def test_ids_are_unique() -> None:
    twice = [{"type": "divider", "block_id": "a"}] * 2
    assert len(problems(twice)) == 2
    same_action = actions(button(action_id="go"), button(action_id="go"))
    assert problems([same_action]) == [
        '`action_id` "go" already exists [json-pointer:/blocks/0/elements]'
    ]
    assert problems([actions(button(action_id="go")), actions(button(action_id="go"))]) == []


def test_tables_are_counted_over_the_whole_message() -> None:
    assert problems([table(10, 10, "x" * 100)]) == []
    assert problems([table(10, 10, "x" * 101)])
    assert problems([table(1, 1), table(1, 1)]) == ["only_one_table_allowed [json-pointer:/blocks]"]


def test_some_blocks_belong_to_messages_alone() -> None:
    assert problems([feedback()], "modal") == [
        "unsupported type: context_actions [json-pointer:/blocks/0]"
    ]
    assert problems([asked()], "modal") == []
    assert problems([{"type": "divider"}] * 100, "modal") == []
    assert problems([{"type": "divider"}] * 101, "modal")


def modal(**more: Any) -> Block:
    return {"type": "modal", "title": plain("Evidence"), "blocks": [{"type": "divider"}], **more}


@pytest.mark.parametrize(
    ("most", "view"),
    [
        (24, lambda text: modal(title=plain(text))),
        (24, lambda text: modal(submit=plain(text))),
        (24, lambda text: modal(close=plain(text))),
        (3000, lambda text: modal(private_metadata=text)),
        (255, lambda text: modal(callback_id=text)),
    ],
)
def test_a_modal_has_limits_of_its_own(most: int, view: Callable[[str], Block]) -> None:
    assert view_problems(view("x" * most)) == []
    (said,) = view_problems(view("x" * (most + 1)))
    assert said.startswith(f"must be less than {most + 1} characters [json-pointer:/view/")


def test_a_modal_with_a_question_needs_a_button_to_submit() -> None:
    assert view_problems(modal(blocks=[asked()]))[0].startswith("missing required field: submit")
    assert view_problems(modal(blocks=[asked()], submit=plain("Send"))) == []
    assert view_problems({}) == [
        f"missing required field: {name} [json-pointer:/view]"
        for name in ("blocks", "type", "title")
    ]


def test_a_message_may_be_so_long_and_no_longer() -> None:
    def message(size: int) -> list[Block]:
        return [{"type": "section", "text": markup("x" * size)}]

    assert not too_long(message(13_297))
    assert too_long(message(13_298))
    assert not too_long([*message(13_172), {"type": "divider"}])
    assert too_long([*message(13_173), {"type": "divider"}])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(["type", "text", "elements", "fields", "element", "rows"]) | st.text(),
            inner | st.sampled_from(["section", "mrkdwn", "actions", "button", "rich_text"]),
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, min_size=1, max_size=4))
def test_whatever_is_sent_is_judged_and_never_breaks_the_judge(blocks: list[Any]) -> None:
    for said in problems(blocks):
        assert "[json-pointer:/" in said
    json.dumps(view_problems({"type": "modal", "blocks": blocks}))
    too_long(blocks)
