"""A service answers in JSON, through the guarded client, and is waited for as long as it says.

Where something is missing in an answer none of it is taken.
"""

import time
from collections.abc import Callable, Collection, Mapping
from functools import reduce
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from retrieval.errors import SourceUnavailable
from retrieval.metadata.access import EVERYBODY, NOBODY, Audience
from retrieval.remote.guarded import GuardedHttp

LARGEST_ANSWER = 100_000_000
"""Bytes of what is no document."""
MOST_ANSWERS = 10_000
"""Of one listing, each a part of it."""
ATTEMPTS, LONGEST_WAIT = 3, 60
"""Of a server that has too much to do: how often it is asked, what seconds it may name."""


class Answered(BaseModel):
    """Something that a service says."""

    model_config = ConfigDict(coerce_numbers_to_str=True, frozen=True)


class NotUnderstood(SourceUnavailable):
    """An answer that lacks something, or is none of the service's."""


A = TypeVar("A", bound=Answered)


def understood(kind: type[A], said: bytes | Mapping[str, object]) -> A:
    """Raise `NotUnderstood`."""
    try:
        if isinstance(said, bytes):
            return kind.model_validate_json(said)
        return kind.model_validate(said)
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
        """`site`: what paths are put after. `headers`: what authorizes, asked for each time.

        `refusal`: what is raised for what is said with a status of 403, where that tells more.
        """
        self._http, self.site, self._headers, self._refusal = http, site, headers, refusal
        self._longest_wait = longest_wait

    def asked(
        self,
        path: str,
        most: int = LARGEST_ANSWER,
        *,
        post: bytes | None = None,
        attempts: int = ATTEMPTS,
    ) -> bytes:
        """What it answers, of at most so many bytes; raise whatever the client raises."""
        with self._http.ask(self.site + path, self._headers(), post) as answer:
            wait = answer.headers.get("retry-after", "") if answer.status in (429, 503) else ""
            if answer.status == 403 and (why := self._refusal(answer.content(LARGEST_ANSWER))):
                raise why
            if not wait.isdecimal() or int(wait) > self._longest_wait or attempts == 1:
                return answer.answered().content(most)
        time.sleep(int(wait))
        return self.asked(path, most, post=post, attempts=attempts - 1)


def mapped(names: Collection[str], groups: Mapping[str, Audience]) -> Audience:
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
