"""A server in the tests' own process stops at once.

Uvicorn looks every tenth of a second whether it is to stop, and waits another tenth before it asks
whether its connections have ended: hundreds of tests would wait for both.
"""

import asyncio
from typing import Any
from unittest.mock import patch

from uvicorn import server

LONGEST_S = 0.01


class _Impatient:
    """`asyncio`, as uvicorn's server knows it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, LONGEST_S))


def install() -> None:
    """For all tests of this process."""
    patch.object(server, "asyncio", _Impatient()).start()
