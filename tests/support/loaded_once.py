"""What no test changes is loaded once in a process: bundled models, and certificates."""

import os
import ssl
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import httpx

from retrieval.models import bundled_model
from retrieval.models.onnx import OnnxModel
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


def install() -> None:
    patch("httpx._transports.default.create_ssl_context", trusting).start()
    patch.object(guarded, "ssl", SimpleNamespace(create_default_context=_of_machine)).start()
    patch.object(bundled_model, "OnnxModel", model).start()
    patch.object(bundled_model, "digest_of", digest).start()
