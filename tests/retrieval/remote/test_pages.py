"""Pages are asked of the hosts that are meant, as their sites allow, and of nobody else."""

import gzip
import socket
from collections.abc import Iterator, Mapping

import httpcore
import pytest
from hypothesis import given
from hypothesis import strategies as st
from remote_places import JsonSite, Said, served

from retrieval.errors import BadSource, SourceUnavailable, UnreadableDocument
from retrieval.ports import SourceFile
from retrieval.remote import guarded
from retrieval.remote.guarded import GuardedHttp, is_public
from retrieval.remote.web import WebSource, path_of


class Site(JsonSite):
    """A site whose answers a test sets; others are 404."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.headers: dict[str, str] = {}
        """Of the last request."""

    @property
    def url(self) -> str:
        return f"http://site.example:{self.server_port}"

    def says(self, path: str, text: str | bytes = b"", status: int = 200, **headers: str) -> None:
        content = text if isinstance(text, bytes) else text.encode()
        self.answers[path] = status, {k.replace("_", "-"): v for k, v in headers.items()}, content

    def lists(self, *pages: str, name: str = "/sitemap.xml") -> None:
        entries = "".join(f"<url>{each}</url>" for each in pages)
        self.says(
            name, f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
        )

    def answered(self, path: str, headers: Mapping[str, str], _: bytes | None) -> Said:
        self.headers = dict(headers)
        status, said, content = self.answers.get(path, (404, {}, b""))
        if self.headers.get("if-none-match", "") == said.get("ETag", "none"):
            return 304, said, b""
        return status, said, content


@pytest.fixture(scope="module")
def server() -> Iterator[Site]:
    site = Site()
    with served(site):
        yield site


@pytest.fixture
def site(server: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Its name, and that of others, is found as `NAMES` has it."""
    server.answers.clear()
    server.asked.clear()
    found = socket.getaddrinfo

    def looked_up(host: str, port: int, *more: object, **by: object) -> object:
        addresses = NAMES.get(host, [host])
        return [each for a in addresses for each in found(a, port, type=socket.SOCK_STREAM)]

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    return server


NAMES = {
    "site.example": ["127.0.0.1"],
    "inside.example": ["10.0.0.7"],
    "both.example": ["93.184.216.34", "169.254.169.254"],
}


def source_of(site: Site, *more: str, private: tuple[str, ...] = ("site.example",)) -> WebSource:
    http = GuardedHttp((f"site.example:{site.server_port}", *more), private)
    return WebSource(f"{site.url}/sitemap.xml", http, most_pages=5, largest=1_000)


def page(site: Site, path: str, more: str = "") -> str:
    return f"<loc>{site.url}{path}</loc>{more}"


def fetched(source: WebSource, path: str, held: str = "") -> bytes | None:
    file = next(each for each in source.listing().files if each.path.endswith(path))
    found = source.fetch(file, held)
    return b"".join(found.chunks) if found else None


# --- addresses ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"),  # noqa: S104
        *("100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fd00::1"),
        *("::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::"),
        *("2001::1", "fec0::1", "ff02::1"),
    ],
)
def test_no_address_of_a_private_network_is_public(address: str) -> None:
    assert not is_public(address)


@given(st.ip_addresses(v=4))
def test_an_address_wrapped_in_another_is_no_more_public(address: object) -> None:
    assert not is_public(f"::ffff:{address}")


def test_public_addresses_are_public() -> None:
    assert is_public("93.184.216.34")
    assert is_public("2606:2800:220:1:248:1893:25c8:1946")


@pytest.mark.parametrize(
    "host",
    [
        *("inside.example", "both.example", "127.0.0.1", "2130706433", "0x7f.1", "127.1"),
        *("[::1]", "[::ffff:127.0.0.1]", "localhost"),
    ],
)
def test_a_host_at_a_private_address_is_not_asked(site: Site, host: str) -> None:
    url = f"http://{host}:{site.server_port}/sitemap.xml"
    http = GuardedHttp([f"{host}:{site.server_port}"])
    with pytest.raises(SourceUnavailable, match="VOUCH_PRIVATE_HOSTS"):
        WebSource(url, http, 5, 1_000).listing()
    assert site.asked == []


def test_a_name_that_leads_elsewhere_the_second_time_is_judged_by_where_it_leads(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address that was judged is the one connected to: nothing looks the name up again."""
    asked: list[str] = []
    public, private = ("93.184.216.34", 80), ("127.0.0.1", site.server_port)

    def rebinding(host: str, *more: object, **by: object) -> object:
        asked.append(host)
        where = public if len(asked) == 1 else private
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", where)]

    connected: list[object] = []

    def connect(address: object, *more: object, **by: object) -> object:
        connected.append(address)
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(SourceUnavailable):
        source_of(site, private=()).listing()
    assert (asked, connected) == (["site.example"], [(public[0], site.server_port)])


@pytest.mark.parametrize(
    "target",
    [
        "http://inside.example/", "http://127.0.0.1/", "http://169.254.169.254/latest/meta-data",
        "http://site.example/", "file:///etc/passwd", "//elsewhere.example/", "gopher://site.example/",
        "http://ana@site.example/", "http://site.example\\@127.0.0.1/",
    ],
)  # fmt: skip
def test_a_redirect_to_what_is_not_meant_is_not_followed(site: Site, target: str) -> None:
    site.lists(page(site, "/rules"))
    site.says("/rules", status=302, Location=target)
    with pytest.raises(UnreadableDocument):
        fetched(source_of(site, "inside.example"), "rules.html")
    assert [path for path, _ in site.asked] == ["/sitemap.xml", "/robots.txt", "/rules"]


def test_a_redirect_within_the_site_is_followed_and_not_for_ever(site: Site) -> None:
    site.lists(page(site, "/old"), page(site, "/round"))
    site.says("/old", status=301, Location="/new")
    site.says("/new", "<p>Here now.</p>")
    site.says("/round", status=302, Location="/round")
    assert fetched(source_of(site), "old.html") == b"<p>Here now.</p>"
    with pytest.raises(UnreadableDocument, match="without end"):
        fetched(source_of(site), "round.html")


# --- what is listed -------------------------------------------------------------------


def test_pages_of_all_sitemaps_are_listed_and_those_of_other_hosts_said(site: Site) -> None:
    below = f"<sitemap><loc>{site.url}/one.xml.gz</loc></sitemap>"
    site.says("/sitemap.xml", f"<sitemapindex>{below}</sitemapindex>")
    site.lists(page(site, "/"), "<loc>https://other.example/a</loc>", name="/plain")
    site.says("/one.xml.gz", gzip.compress(site.answers.pop("/plain")[2]))
    listing = source_of(site).listing()
    place = f"site.example:{site.server_port}"
    assert [each.path for each in listing.files] == [f"{place}/index.html"]
    assert list(listing.unlisted) == ["other.example/a.html"]


def test_what_robots_txt_forbids_is_not_asked_for(site: Site) -> None:
    site.says("/robots.txt", "User-agent: *\nDisallow: /private")
    site.lists(page(site, "/private/a"), page(site, "/b"))
    listing = source_of(site).listing()
    assert [each.path.rpartition("/")[2] for each in listing.files] == ["b.html"]
    assert "robots.txt" in str(listing.unlisted)


@pytest.mark.parametrize(
    ("content", "status"),
    [
        *(("<urlset><url>", 200), ("<html><body>Sign in</body></html>", 200), ("", 503)),
        *(("<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><urlset>&b;</urlset>", 200),),
        *(("Sign in first", 200), (gzip.compress(b"x" * 60_000_000), 200), ("", 404)),
    ],
    ids=["cut", "html", "503", "entity", "words", "bomb", "404"],
)
def test_half_a_list_is_no_list(site: Site, content: str | bytes, status: int) -> None:
    site.says("/sitemap.xml", content, status)
    with pytest.raises(SourceUnavailable):
        source_of(site).listing()


def test_a_site_whose_robots_txt_cannot_be_read_is_not_read(site: Site) -> None:
    site.lists(page(site, "/a"))
    site.says("/robots.txt", status=503)
    with pytest.raises(SourceUnavailable, match="503"):
        source_of(site).listing()


def test_more_pages_than_are_read_are_refused(site: Site) -> None:
    site.lists(*(page(site, f"/{number}") for number in range(6)))
    with pytest.raises(SourceUnavailable, match="VOUCH_WEB_PAGES"):
        source_of(site).listing()


def test_a_page_that_is_as_it_was_does_not_come_again(site: Site) -> None:
    site.lists(page(site, "/a", "<lastmod>2020-01-02</lastmod>"), page(site, "/b"))
    site.says("/b", "<p>One.</p>", ETag='"1"')
    source = source_of(site)
    marks = {each.path.rpartition("/")[2]: each.mark for each in source.listing().files}
    assert marks["a.html"]
    assert marks["b.html"] == ""
    file = SourceFile(next(each.path for each in source.listing().files if "b.html" in each.path))
    first = source.fetch(file)
    assert first
    assert source.fetch(file, first.mark) is None
    assert site.headers["if-none-match"] == '"1"'


def test_a_page_that_is_too_large_is_not_kept_in_memory(site: Site) -> None:
    site.lists(page(site, "/a"))
    site.says("/a", b"x" * 2_000)
    with pytest.raises(UnreadableDocument, match="more than 1000 bytes"):
        fetched(source_of(site), "a.html")


def test_pages_are_called_by_where_they_stand() -> None:
    assert path_of("https://A.example/x/%C3%A9?q=1/2") == "a.example/x/é~q=1%2F2.html"
    assert path_of("https://a.example/x/form.pdf") == "a.example/x/form.pdf"
    assert path_of("https://a.example") == "a.example/index.html"


def test_no_redirect_leads_from_an_encrypted_line_to_one_that_others_can_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line is httpcore's own stand-in: no host here has a certificate that is believed."""
    away = b"HTTP/1.1 302 Found\r\nLocation: http://site.example/pay\r\nContent-Length: 0\r\n\r\n"
    monkeypatch.setattr(guarded, "_Backend", lambda _: httpcore.MockBackend([away]))
    with (
        pytest.raises(BadSource, match="encrypted"),
        GuardedHttp(["site.example"]).ask(
            "https://site.example/pay", {"authorization": "Bearer t0k3n"}
        ),
    ):
        pytest.fail("it was followed")
