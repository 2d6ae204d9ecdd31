"""A citation beside the address of its page: as a work object, and as blocks."""

from typing import Any

from bot.citations.links import Cited
from bot.slack.blocks.elements import in_line, line, quotation, rich, trimmed, words
from bot.slack.blocks.sources import kind_in_words
from bot.wording import slack as wording

LONGEST_QUOTE = 1_000


def entity(cited: Cited, entity_id: str, url: str) -> dict[str, Any]:
    """Lay out title, quote and place as Slack's item of content.

    docs.slack.dev/messaging/work-objects-implementation, "Supported entity types".
    """
    beside = {"where": cited.place.in_words(), "kind": kind_in_words(cited), "file": cited.file}
    fields = [
        {"key": key, "label": wording.PREVIEW_LABELS[key], "type": "string", "value": value[:200]}
        for key, value in beside.items()
        if value
    ]
    return {
        "entity_type": "slack#/entities/content_item",
        "url": url,
        "external_ref": {"id": entity_id, "type": "citation"},
        "entity_payload": {
            "attributes": {
                "title": {"text": _title(cited)},
                "display_type": wording.CITATION,
                "product_name": wording.PRODUCT,
            },
            "fields": {"description": {"value": _quote(cited), "format": "plain_text"}},
            "custom_fields": fields,
            "display_order": ["description", *(each["key"] for each in fields)],
        },
    }


def preview(cited: Cited) -> dict[str, Any]:
    """Lay out the same as blocks."""
    where = " · ".join(each for each in (_title(cited), cited.place.in_words()) if each)
    return {"blocks": [rich(quotation(_quote(cited)), line(words(where)))]}


def _title(cited: Cited) -> str:
    return in_line(cited.title if cited.title.strip() else cited.file, 150)


def _quote(cited: Cited) -> str:
    return trimmed(" ".join(cited.quote.split()), LONGEST_QUOTE)
