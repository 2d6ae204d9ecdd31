"""Services that answer in JSON, through the guarded client.

One is waited for as long as it says. Where something is missing in an answer none of it is taken.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from html import escape
from typing import Any, TypeVar
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from retrieval.errors import BadSource, SourceUnavailable
from retrieval.metadata.access import EVERYBODY, NOBODY, Audience
from retrieval.remote.guarded import GuardedHttp, StatusError
from retrieval.remote.urls import KEYS

LARGEST_ANSWER = 100_000_000
"""Bytes of what is no document."""
MOST_ANSWERS = 10_000
"""Of one listing, each a part of it."""
ATTEMPTS, LONGEST_WAIT = 3, 60
"""Of a server that has too much to do: how often it is asked, what seconds it may name."""


class ApiModel(BaseModel):
    model_config = ConfigDict(coerce_numbers_to_str=True, frozen=True)


class CamelModel(ApiModel):
    """Its names are in camel case, and what is null says no more than what is left out."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, said: Any) -> Any:
        return {k: v for k, v in said.items() if v is not None} if isinstance(said, dict) else said


class NotUnderstood(SourceUnavailable):
    """An answer that lacks something, or is none of the service's."""


M = TypeVar("M", bound=ApiModel)


def understood(kind: type[M], answer: bytes | Mapping[str, object]) -> M:
    """Raise `NotUnderstood`."""
    try:
        if isinstance(answer, bytes):
            return kind.model_validate_json(answer)
        return kind.model_validate(answer)
    except ValidationError:
        raise NotUnderstood(
            "answers what is not understood, such as a page to sign in; see that its URL is right"
        ) from None


class Api:
    def __init__(
        self,
        http: GuardedHttp,
        site: str,
        headers: Callable[[], Mapping[str, str]],
        refusal: Callable[[bytes], Exception | None] = lambda _: None,
        longest_wait: int = LONGEST_WAIT,
    ) -> None:
        """`site`: what paths are put after; `refusal`: what an answer of status 403 means."""
        self._http, self.site, self._headers, self._refusal = http, site, headers, refusal
        self._longest_wait = longest_wait

    def get(self, kind: type[M], path: str, post: bytes | None = None) -> M:
        return understood(kind, self.content(path, post=post))

    def content(
        self,
        path: str,
        most: int = LARGEST_ANSWER,
        *,
        post: bytes | None = None,
        attempts: int = ATTEMPTS,
    ) -> bytes:
        """At most so many bytes; raise whatever the client raises."""
        with self._http.ask(self.site + path, self._headers(), post) as answer:
            wait = answer.headers.get("retry-after", "") if answer.status in (429, 503) else ""
            if answer.status == 403 and (why := self._refusal(answer.content(LARGEST_ANSWER))):
                raise why
            if not wait.isdecimal() or int(wait) > self._longest_wait or attempts == 1:
                return answer.answered().content(most)
        time.sleep(int(wait))
        return self.content(path, most, post=post, attempts=attempts - 1)


def parts_of(
    get: Callable[[str], M], following: Callable[[M], str], first: str = ""
) -> Iterator[M]:
    """All parts of a listing; `following` tells by what the next is asked for, empty at the end."""
    cursor = first
    for _ in range(MOST_ANSWERS):
        part = get(cursor)
        yield part
        if not (cursor := following(part)):
            return
    raise BadSource(f"lists what it has in more than {MOST_ANSWERS} answers")


class _Token(ApiModel):
    access_token: str
    expires_in: int
    """Seconds."""


class Account:
    """Signs in with a form (RFC 6749), anew before a token ends."""

    def __init__(
        self,
        http: GuardedHttp,
        site: str,
        path: str,
        form: Callable[[], Mapping[str, str]],
        refused: str = "",
    ) -> None:
        """`form` may raise `BadSource`; `refused`: what to do where the account is."""
        kind = {"content-type": "application/x-www-form-urlencoded"}
        self._path, self._form, self._api = path, form, Api(http, site, lambda: kind)
        self._refused, self._token, self._ends = refused, "", 0.0

    def headers(self) -> Mapping[str, str]:
        """What authorizes."""
        if time.monotonic() > self._ends:
            try:
                token = self._api.get(_Token, self._path, urlencode(self._form()).encode())
            except StatusError as error:
                if error.status not in (400, 401):
                    raise
                why = "may not be read with the credentials that are set"
                raise BadSource(f"{why}{self._refused or f' in {KEYS}'}") from None
            self._token = token.access_token
            self._ends = time.monotonic() + token.expires_in / 2
        return {"authorization": f"Bearer {self._token}"}


def audience_of(names: Collection[str], groups: Mapping[str, Audience]) -> Audience:
    """Whom all those that are mapped are together; nobody where none is."""
    known = [groups[name] for name in names if name in groups]
    return reduce(_either, known) if known else NOBODY


def _either(one: Audience, other: Audience) -> Audience:
    """Whoever is of one of both; nobody where no facets say that, as where two of them differ."""
    if EVERYBODY in (one, other):
        return EVERYBODY
    first, second = dict(one), dict(other)
    differing = [facet for facet in first if set(first[facet]) != set(second.get(facet, ()))]
    if first.keys() != second.keys() or len(differing) > 1:
        return NOBODY
    return tuple((facet, tuple(sorted({*values, *second[facet]}))) for facet, values in one)


def titled(trail: Sequence[str], body: str, stated: Iterable[tuple[str, str]] = ()) -> bytes:
    """A page as an HTML document, below the titles of the tree that it stands in.

    `trail` are these, from the top down to its own; `body` is HTML. `stated`: what the page says
    of itself, which may close it.
    """
    titles = [_in_a_line(each) for each in trail]
    metas = (f'<meta name="{_in_a_line(k)}" content="{_in_a_line(v)}">' for k, v in stated)
    head = f'<meta charset="utf-8">{"".join(metas)}<title>{titles[-1]}</title>'
    shown = f"<h2>{' › '.join(titles)}</h2>\n{body}"  # an h1 would be the title
    return f"<!DOCTYPE html>\n<html><head>{head}</head><body>{shown}</body></html>\n".encode()


def _in_a_line(text: str) -> str:
    return escape("".join(each if each.isprintable() else " " for each in text))
