"""A source's URL holds no secret, and is read with what is meant for it alone."""

import socket
from pathlib import Path

import pytest
from drive_site import ACCOUNT, another_key
from remote_places import JsonSite, Said, in_json, opening, served
from sharepoint_site import APP

from retrieval.errors import BadSource, SourceUnavailable
from retrieval.remote.api import Account
from retrieval.remote.urls import options_for, source_url

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
DRIVE = {"client_email": ACCOUNT, "private_key": another_key()}
MICROSOFT = "login.microsoftonline.com", "graph.microsoft.com"


@pytest.mark.parametrize(
    ("url", "keys", "hosts"),
    [
        (
            "confluence://acme.atlassian.net/HR",
            {"username": "a@b.example", "token": SECRET},
            ("acme.atlassian.net",) * 2,
        ),
        (
            "gdrive://drive.google.com/drive/folders/abc",
            DRIVE,
            ("oauth2.googleapis.com", "www.googleapis.com"),
        ),
        ("sharepoint://acme.sharepoint.com/sites/HR", APP, MICROSOFT),
        *(
            (f"notion://{page}", {"token": SECRET}, ("api.notion.com",) * 2)
            for page in ("01234567-89ab-cdef-0123-456789abcdef", DIGITS.replace("a", "A"))
        ),
    ],
)
def test_a_service_is_asked_at_its_own_place_over_an_encrypted_line(
    url: str,
    keys: dict[str, object],
    hosts: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    asked: list[tuple[str, int]] = []

    def looked_up(host: str, port: int, **_: object) -> object:
        asked.append((host, port))
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    place = f"notion://{DIGITS}" if url.startswith("notion") else url
    made = opening({place: keys})
    with pytest.raises(SourceUnavailable, match="cannot be reached"):
        made.source(source_url(url), tmp_path).listing()
    monkeypatch.setattr(Account, "headers", lambda _: {})  # as if it had signed in
    with pytest.raises(SourceUnavailable, match="cannot be reached"):
        made.source(source_url(url), tmp_path).listing()
    assert asked == [(host, 443) for host in hosts]


@pytest.mark.parametrize(
    ("url", "why"),
    [
        *(
            (f"confluence://wiki.example.org/{space}", "by its key")
            for space in ("HR home", 'HR" or space = "IT', "", "a/b%22")
        ),
        *(
            (f"gdrive://drive.{place}", "as it stands in the browser")
            for place in (
                "google.com",
                "google.com/drive/folders/it's",
                "example.org/drive/folders/abc",
                "google.com:8080/drive/folders/abc",
            )
        ),
        *(
            (f"sharepoint://{place}", "as it stands in the browser")
            for place in (
                "acme.sharepoint.com",
                "acme.sharepoint.com/HR",
                "acme.sharepoint.com.evil.example/sites/HR",
                "acme.sharepoint.com:8443/sites/HR",
                "files.example.org/sites/HR",
            )
        ),
        *(
            (f"notion://{page}", "32 digits")
            for page in ("HR-home", "0123", "g" * 32, "1" * 33, "1" * 32 + "/HR")
        ),
    ],
)
def test_an_address_that_is_none_of_its_service_is_said(url: str, why: str) -> None:
    with pytest.raises(BadSource, match=why):
        opening().source(source_url(url), Path())


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
