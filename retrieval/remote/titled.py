"""A page that stands in a tree of pages becomes an HTML document, below the titles of that."""

from collections.abc import Sequence
from html import escape


def titled(trail: Sequence[str], body: str) -> bytes:
    """`trail` are the titles from the top of the tree down to the page's own; `body` is HTML."""
    titles = ["".join(c if c.isprintable() else " " for c in title) for title in trail]
    head = f'<head><meta charset="utf-8"><title>{escape(titles[-1])}</title></head>'
    heading = f"<h2>{escape(' › '.join(titles), quote=False)}</h2>"  # an h1 would be the title
    return f"<!DOCTYPE html>\n<html>{head}<body>{heading}\n{body}</body></html>\n".encode()
