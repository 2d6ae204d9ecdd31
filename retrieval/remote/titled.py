"""A page that stands in a tree of pages becomes an HTML document, below the titles of that."""

from collections.abc import Iterable, Sequence
from html import escape


def titled(trail: Sequence[str], body: str, stated: Iterable[tuple[str, str]] = ()) -> bytes:
    """`trail` are the titles from the top of the tree down to the page's own; `body` is HTML.

    `stated`: what the page says of itself, which may close it.
    """
    titles = [_in_a_line(each) for each in trail]
    metas = (f'<meta name="{_in_a_line(k)}" content="{_in_a_line(v)}">' for k, v in stated)
    head = f'<meta charset="utf-8">{"".join(metas)}<title>{titles[-1]}</title>'
    shown = f"<h2>{' › '.join(titles)}</h2>\n{body}"  # an h1 would be the title
    return f"<!DOCTYPE html>\n<html><head>{head}</head><body>{shown}</body></html>\n".encode()


def _in_a_line(text: str) -> str:
    return escape("".join(each if each.isprintable() else " " for each in text))
