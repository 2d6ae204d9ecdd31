"""What the tests of one process share: models, certificates, tables, servers, parsers."""

import asyncio
import os
import ssl
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import httpx
from sqlalchemy import Connection, event, text
from uvicorn import server

from audit.database import Revisions
from retrieval.documents.database import KEY_CHECK, Seal
from retrieval.ingest.parser_pool import ParserPool, ParsingLimits
from retrieval.models import bundled_model
from retrieval.models.onnx import OnnxModel
from retrieval.parsing.recognition import OFF, Recognition
from retrieval.remote import guarded

_digest_of = bundled_model.digest_of
shipped = cache(OnnxModel)
_digest_of_shipped = cache(_digest_of)
_of_machine = cache(ssl.create_default_context)


def is_shipped(file: Path) -> bool:
    return file.is_relative_to(bundled_model.BUNDLED)


def model(network: Path, *others: Any) -> OnnxModel:
    return (shipped if is_shipped(network) else OnnxModel)(network, *others)


def digest(file: Path) -> str:
    return (_digest_of_shipped if is_shipped(file) else _digest_of)(file)


def trusting(
    verify: ssl.SSLContext | str | bool = True, cert: Any = None, trust_env: bool = True
) -> ssl.SSLContext:
    if verify is not True or cert:
        return httpx.create_ssl_context(verify, cert, trust_env)
    return _usual(trust_env, os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@cache
def _usual(trust_env: bool, *_read: str | None) -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=trust_env)


LONGEST_S = 0.01


class _Impatient:
    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, LONGEST_S))


CHANGES = ("CREATE", "ALTER", "DROP", "INSERT", "UPDATE", "DELETE")
OF_ITS_OWN = text("UPDATE library_state SET key_check = :check, library_id = :made")
_by_alembic = Revisions.bring_up
_statements: dict[str, Sequence[tuple[str, Any]]] = {}
"""With their parameters, by the table in which revisions are stated."""


def bring_up(
    revisions: Revisions,
    connection: Connection,
    *,
    stamped: str | None = None,
    seal: Seal | None = None,
) -> None:
    """`seal`: of a library, which has a key and an id of its own."""
    attributes: dict[str, Any] = {"seal": seal} if seal else {}
    if not _is_new(connection):
        _by_alembic(revisions, connection, stamped=stamped, **attributes)
    elif known := _statements.get(revisions.table):
        for statement, parameters in known:
            connection.exec_driver_sql(statement, parameters)
        if seal:
            own = {"check": seal.of(KEY_CHECK), "made": uuid4().hex}
            connection.execute(OF_ITS_OWN, own)
    else:
        _statements[revisions.table] = _noted(revisions, connection, attributes)


def _is_new(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite" and not connection.scalar(
        text("SELECT count(*) FROM sqlite_master")
    )


def _noted(
    revisions: Revisions, connection: Connection, attributes: dict[str, Any]
) -> Sequence[tuple[str, Any]]:
    done: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        if statement.lstrip().upper().startswith(CHANGES):
            done.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", note)
    try:
        _by_alembic(revisions, connection, **attributes)
    finally:
        event.remove(connection, "before_cursor_execute", note)
    return done


USUAL = ParsingLimits()


class WarmPool(ParserPool):
    """It ends with the tests' own process; a lost child is started again, as ever."""

    def __enter__(self) -> "WarmPool":
        if not self._all:
            super().__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """What was still asked for is read, and nobody waits for it."""


def warm_pool(
    workers: int = 1, limits: ParsingLimits = USUAL, recognition: Recognition = OFF
) -> ParserPool:
    """One for each kind; where recognition must be there that is looked into each time."""
    if recognition.is_required:
        return ParserPool(workers, limits, recognition)
    return _warm(workers, limits, recognition, os.environ.get("PATH", ""))


@cache
def _warm(
    workers: int, limits: ParsingLimits, recognition: Recognition, _programs: str
) -> WarmPool:
    return WarmPool(workers, limits, recognition)


def install() -> None:
    """For all tests of this process."""
    patch("httpx._transports.default.create_ssl_context", trusting).start()
    patch.object(guarded, "ssl", SimpleNamespace(create_default_context=_of_machine)).start()
    patch.object(bundled_model, "OnnxModel", model).start()
    patch.object(bundled_model, "digest_of", digest).start()
    patch.object(server, "asyncio", _Impatient()).start()
    patch.object(Revisions, "bring_up", bring_up).start()
