"""A server in the tests' own process stops at once, where Uvicorn would wait."""

import asyncio
from typing import Any
from unittest.mock import patch

from uvicorn import server

LONGEST_S = 0.01


class _Impatient:
    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, LONGEST_S))


def install() -> None:
    patch.object(server, "asyncio", _Impatient()).start()
