"""These can go wrong in retrieval.

Every message says what to do next, in words for the person who reads it.
"""

from importlib.util import find_spec


class RetrievalError(Exception):
    """All errors that retrieval raises on purpose derive from it."""


class UnreadableDocument(RetrievalError):
    """A file cannot be turned into passages; the message is the reason."""


class BadMetadata(UnreadableDocument):
    """Metadata has an unknown facet or a malformed value: it is shown to no one."""


class EndedFromOutside(UnreadableDocument):
    """The process that read a file was ended by something else than the file."""


class NobodyByLikeness(BadMetadata):
    """Other documents like it leave it no reader: that may change without the file."""


class NotYetPublished(BadMetadata):
    """It says that it is published on a later day: nobody may know of it before."""


class IsDraft(BadMetadata):
    """It is no rule yet; another document may say nearly the same and be one."""


class SourceNameTaken(RetrievalError):
    """A folder is known under another name, or a name for another folder."""


class WrongReaders(RetrievalError):
    """What is said of a source's readers is not understood, or would open another's documents."""


class SourceUnavailable(RetrievalError):
    """A source elsewhere cannot be read now; what is known of it stays as it is."""


class SourceShrank(SourceUnavailable):
    """More than half of a source's documents are gone at once."""


class BadSource(SourceUnavailable):
    """A source's URL, or what it is read with, is wrong; the message repeats no secret."""


class IndexMismatch(RetrievalError):
    """Another embedder made the index: its vectors mean nothing to this one."""


class IndexUnavailable(RetrievalError):
    """The index cannot be opened, read or written."""


class LibraryUnavailable(RetrievalError):
    """The library cannot be opened, read or written."""


class PassageChanged(LibraryUnavailable):
    """A passage was changed behind the library's back: it is not quoted."""


class ParserUnavailable(RetrievalError):
    """The process that reads documents does not start: that is no document's fault."""


class NoPicture(RetrievalError):
    """A page or lines cannot be drawn; the message is the reason."""


class NoSuchPage(NoPicture):
    """A document has no page of this number."""


class ModelUnavailable(RetrievalError):
    """A model's files are missing or damaged."""


class EmbedderUnavailable(ModelUnavailable):
    """A server that embeds cannot be reached or answers nonsense: it may pass by itself."""


class MissingExtra(RetrievalError):
    """Something was asked for that the installed set of packages cannot do."""


class BadGlossary(RetrievalError):
    """The glossary is not there, or says something that cannot be meant."""


class BadOntology(RetrievalError):
    """The file of the organisation's levels and facets is missing or wrong."""


def shortened(value: object, most: int = 60) -> str:
    """A value as an error shows it: its beginning says which one is meant."""
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}..."


MODELS = "models"
"""Models named in the settings, through sentence-transformers and PyTorch."""
EVALUATE = "evaluate"
"""Fitting a calibration and drawing pictures."""
MCP = "mcp"
"""A door for other agents."""
METRICS = "metrics"
"""What is seen of a running bot from outside: numbers for Prometheus, traces by OpenTelemetry."""
TRAIN = "train"
"""Training the models that ship, in a checkout."""
S3, GCS, AZURE, SFTP, WEBDAV, GIT, WEB = "s3", "gcs", "azure", "sftp", "webdav", "git", "web"
"""Drivers of the places where documents live; of the web, what finds the main text of pages."""


def require(extra: str, *packages: str) -> None:
    """Raise `MissingExtra` where one of an extra's packages is not installed; imports nothing."""
    missing = [package for package in packages if not _is_installed(package)]
    if missing:
        raise MissingExtra(
            f"This needs {' and '.join(missing)}, which the light installation leaves out. "
            f"Run `pip install 'vouch[{extra}]'`, or `make install-all` in a checkout."
        )


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return False
