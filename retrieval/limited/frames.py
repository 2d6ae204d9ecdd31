"""What a limited process and the one that asks it say to each other.

Each message is a pickled tuple with its length before it. The reader trusts nothing but plain
values and those of documents: a process that was taken over must not run code on this side.
"""

import io
import pickle
import struct
from typing import IO

_LENGTH = struct.Struct(">Q")
_ALLOWED = frozenset({"set", "frozenset", "bytearray", "complex"})
"""Of the builtins, what front matter may hold."""


class BrokenFrame(Exception):
    """The other side ended, or said what it may not say."""


def send(stream: IO[bytes], message: tuple[object, ...]) -> None:
    """Raise `OSError` where nobody reads any more."""
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[object, ...]:
    """The next message. Raise `BrokenFrame`."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    try:
        message = _Unpickler(io.BytesIO(_exactly(stream, length))).load()
    except (pickle.UnpicklingError, TypeError, ValueError, AttributeError) as error:
        raise BrokenFrame(str(error)) from error
    if not isinstance(message, tuple):
        raise BrokenFrame("not a message")
    return message


def _exactly(stream: IO[bytes], length: int) -> bytes:
    content = stream.read(length)
    if len(content) < length:
        raise BrokenFrame("the other side ended")
    return content


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> object:
        plain = module == "builtins" and name in _ALLOWED
        if "." not in name and (plain or module in ("datetime", "retrieval.types")):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a document")
