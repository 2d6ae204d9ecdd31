"""A service is asked with a token, which a form is given for (RFC 6749)."""

import time
from collections.abc import Mapping
from urllib.parse import urlencode

from retrieval.remote.api import Answered, Api, understood
from retrieval.remote.guarded import GuardedHttp, StatusError


class _Token(Answered):
    """What is asked with, for some seconds."""

    access_token: str
    expires_in: int


class Account:
    """Signs in, anew before a token ends."""

    def __init__(self, http: GuardedHttp, site: str, path: str) -> None:
        form = {"content-type": "application/x-www-form-urlencoded"}
        self._path, self._api = path, Api(http, site, lambda: form)
        self._token, self._ends = "", 0.0

    def headers(self) -> Mapping[str, str]:
        """What authorizes; raise `StatusError` of 401 where the account is refused."""
        if time.monotonic() > self._ends:
            form = urlencode(self.form()).encode()
            try:
                said = understood(_Token, self._api.asked(self._path, post=form))
            except StatusError as error:
                raise StatusError(401 if error.status == 400 else error.status) from None
            self._token = said.access_token
            self._ends = time.monotonic() + said.expires_in / 2
        return {"authorization": f"Bearer {self._token}"}

    def form(self) -> Mapping[str, str]:
        """Raise `BadSource` where there is none."""
        raise NotImplementedError  # each service has its own
