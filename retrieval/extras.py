"""Not every installation has the packages of `pyproject.toml`'s extras."""

from importlib.util import find_spec

from retrieval.errors import MissingExtra

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
S3, GCS, AZURE, SFTP, WEBDAV, GIT = "s3", "gcs", "azure", "sftp", "webdav", "git"
"""Drivers of the places where documents live."""


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
