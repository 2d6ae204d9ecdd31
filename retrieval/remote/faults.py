"""What went wrong with a server, in words that repeat none of its own: they may hold a secret."""

from collections.abc import Iterator
from contextlib import contextmanager

from retrieval.errors import BadSource, RetrievalError, SourceUnavailable, UnreadableDocument
from retrieval.remote.urls import KEYS

_NOT_FOR_US = f"may not be read with the credentials that are set in {KEYS}"
_LASTING = {
    401: _NOT_FOR_US,
    403: _NOT_FOR_US,
    404: "is not there any more",
    410: "is not there any more",
}


@contextmanager
def of_source() -> Iterator[None]:
    """Raise `SourceUnavailable` in the place of whatever a driver raises."""
    try:
        yield
    except RetrievalError:
        raise
    except Exception as error:
        raise SourceUnavailable(in_words(error)) from None


@contextmanager
def of_file() -> Iterator[None]:
    """The same of one file; `UnreadableDocument` for what does not pass by itself."""
    try:
        yield
    except BadSource as error:
        raise UnreadableDocument(str(error)) from None
    except RetrievalError:
        raise
    except Exception as error:
        kind = UnreadableDocument if is_lasting(error) else SourceUnavailable
        raise kind(in_words(error)) from None


def is_lasting(error: BaseException) -> bool:
    """Whether the server has answered, and would again: gone, or not for us."""
    return _status(error) in _LASTING


def in_words(error: BaseException) -> str:
    status = _status(error)
    if status in _LASTING:
        return _LASTING[status]
    if "HostKey" in type(error).__name__:
        return "has a key that stands in no file of known hosts; see that it is the one you mean"
    if isinstance(error, TimeoutError) or "timeout" in type(error).__name__.lower():
        return "did not answer in time"
    if status:
        return f"answered with the status {status}"
    return f"cannot be reached ({type(error).__name__})"


def _status(error: BaseException | None) -> int:
    """As HTTP has it; 0 where it is unknown."""
    if isinstance(error, PermissionError) or "PermissionDenied" in type(error).__name__:
        return 403
    if isinstance(error, OSError) and str(error).startswith("Forbidden: "):  # of gcsfs
        return 403
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return 404
    while error is not None:
        for name in ("status_code", "status", "code"):
            value = getattr(error, name, None)
            if isinstance(value, int) and 400 <= value < 600:
                return int(value)
        error = error.__cause__
    return 0
