"""What a browser sends with a form."""

from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request

LARGEST_FORM = 4_000
"""Bytes; the only form has one field."""


def field_of(form: Mapping[str, list[str]], name: str) -> str:
    """Return the first value of a field; empty where there is none."""
    return form.get(name, [""])[0]


async def form_of(request: Request) -> Mapping[str, list[str]]:
    """Return the fields of a form; none where it is too large or ends early."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST_FORM:
                return {}
    except ClientDisconnect:
        return {}
    return parse_qs(body.decode("utf-8", "replace"))
