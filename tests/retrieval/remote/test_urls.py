"""A source's URL holds no secret, and is read with what is meant for it alone."""

import socket
from pathlib import Path

import pytest
from remote_places import JsonSite, Said, in_json, opening, served

from retrieval.errors import BadSource, SourceUnavailable
from retrieval.remote.urls import Keys, options_for, source_url

SECRET = "t0psecret"


@pytest.mark.parametrize(
    "url",
    [
        f"https://ana:{SECRET}@files.example.org/sitemap.xml",
        f"git+https://{SECRET}@git.example.org/docs.git",
        f"sftp://ana:{SECRET}@files.example.org/docs",
        f"webdavs://ana:{SECRET}@files.example.org/docs",
        f"https://files.example.org/sitemap.xml?token={SECRET}",
        f"https://files.example.org/sitemap.xml#{SECRET}",
        f"az://box/docs?sig={SECRET}",
        f"ftp://ana:{SECRET}@files.example.org",
        f"https://[{SECRET}",
        f"s3:///{SECRET}",
        f"s3://place/../{SECRET}",
    ],
)
def test_a_url_that_may_hold_a_secret_is_refused_without_it(url: str) -> None:
    with pytest.raises(BadSource) as refused:
        source_url(url)
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("s3://place/handbook/", "handbook"),
        ("s3://place", "place"),
        ("github://org/rules@main", "rules"),
        ("git+https://git.example.org/org/rules.git@main", "rules"),
        ("https://docs.example.org/sitemap.xml", "docs.example.org"),
        ("sftp://ana@files.example.org:2222/", "files.example.org"),
    ],
)
def test_a_source_is_called_as_people_call_it(url: str, name: str) -> None:
    assert source_url(url).name == name


KEYS = {
    "webdavs://files.example.org": {"username": "all", "password": SECRET},
    "webdavs://files.example.org/hr": {"username": "hr", "password": SECRET},
}


@pytest.mark.parametrize(
    ("url", "user"),
    [
        ("webdavs://files.example.org/docs", "all"),
        ("webdavs://files.example.org/hr/pay", "hr"),
        ("webdavs://files.example.org/hr2", "all"),
        ("webdavs://files.example.org.evil.org/hr", None),
        ("webdavs://files.example.org:8443/hr", None),
        ("webdav://files.example.org/hr", None),
    ],
)
def test_a_password_is_sent_to_its_own_place_alone(url: str, user: str | None) -> None:
    assert options_for(source_url(url), KEYS).get("username") == user


@pytest.mark.parametrize(
    ("url", "option"),
    [
        ("webdav://files.example.org", "password"),
        ("git+http://files.example.org/d", "password"),
        ("confluence+http://wiki.example.org/HR", "token"),
        ("notion+http://wiki.example.org/" + "1" * 32, "token"),
        ("gdrive+http://drive.example.org/drive/folders/abc", "private_key"),
        ("sharepoint+http://files.example.org/sites/HR", "client_secret"),
    ],
)
def test_a_password_is_not_sent_where_others_read_it(url: str, option: str) -> None:
    with pytest.raises(BadSource, match="unencrypted"):
        options_for(source_url(url), {url: {option: SECRET}})


DIGITS = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("url", "keys", "host"),
    [
        (
            "confluence://acme.atlassian.net/HR",
            {"confluence://acme.atlassian.net": {"username": "a@b.example", "token": SECRET}},
            "acme.atlassian.net",
        ),
        *(
            (f"notion://{page}", {f"notion://{DIGITS}": {"token": SECRET}}, "api.notion.com")
            for page in ("01234567-89ab-cdef-0123-456789abcdef", DIGITS.replace("a", "A"))
        ),
    ],
)
def test_a_service_is_asked_over_an_encrypted_line_however_a_page_is_written(
    url: str, keys: Keys, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int]] = []

    def looked_up(host: str, port: int, **_: object) -> object:
        asked.append((host, port))
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    with pytest.raises(SourceUnavailable, match="cannot be reached"):
        opening(keys).source(source_url(url), Path()).listing()
    assert asked == [(host, 443)]


def test_a_misspelt_option_is_named_without_its_value() -> None:
    with pytest.raises(BadSource, match="'passwort'") as refused:
        options_for(source_url("s3://place"), {"s3://place": {"passwort": SECRET}})
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "options"),
    [
        ("az://docs", {}),
        ("az://docs", {"connection_string": SECRET}),
        ("gs://docs", {"token": {"type": "service_account", "private_key": SECRET}}),
        ("gs://docs", {"token": {"private_key": SECRET}}),
    ],
)
def test_a_store_whose_keys_cannot_be_used_is_said_to_be_so_without_them(
    url: str, options: dict[str, object]
) -> None:
    with pytest.raises(BadSource, match="VOUCH_SOURCE_KEYS") as raised:
        opening({url: options}).source(source_url(url), Path())
    assert SECRET not in str(raised.value)


def test_a_bucket_that_is_closed_to_whoever_asks_is_said_to_be_so() -> None:
    class Closed(JsonSite):
        def answered(self, *_: object) -> Said:
            return in_json({"error": {"message": SECRET}}, 403)

    with served(site := Closed()):
        keys = {"gs://docs": {"token": "anon", "endpoint_url": f"http://{site.place}"}}
        source = opening(keys).source(source_url("gs://docs/all"), Path())
        with pytest.raises(SourceUnavailable, match="VOUCH_SOURCE_KEYS") as refused:
            source.listing()
    assert SECRET not in str(refused.value)
