"""What sources elsewhere are read with: options of drivers, by how URLs begin."""

from collections.abc import Iterator, Mapping

import yaml

_NO_SECRETS = frozenset(
    (
        *("username", "account_name", "client_email", "subject", "tenant_id", "client_id"),
        *("endpoint_url", "anon", "known_hosts"),
    )
)


def parsed_keys(text: str) -> Mapping[str, Mapping[str, object]]:
    """Raise `ValueError`, which repeats none of it."""
    try:
        stated = yaml.safe_load(text) or {}
    except yaml.YAMLError:
        stated = None
    is_understood = isinstance(stated, dict) and all(
        isinstance(begins, str) and "://" in begins and isinstance(options, dict)
        for begins, options in stated.items()
    )
    if not is_understood:
        raise ValueError(
            "write each as `URL: {OPTION: VALUE}`, such as "
            "`webdavs://files.example.org: {username: vouch, password: ...}`"
        )
    return dict(stated or {})


def secrets_of_keys(text: str) -> Iterator[str]:
    """Each value that no message may repeat."""
    try:
        keys = parsed_keys(text)
    except ValueError:
        return
    for options in keys.values():
        yield from _texts({name: v for name, v in options.items() if name not in _NO_SECRETS})


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str | int) and len(str(value)) > 3:
        yield str(value)
