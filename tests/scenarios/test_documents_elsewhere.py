"""Somebody has documents read from where they live."""

import json
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from confluence_site import site, without_ids
from notion_site import site as notion_site
from notion_site import without_ids as titles
from remote_places import PASSWORD, web, webdav
from vouch_home import Home, write

PARKING = "Parking costs two euros a day in the yard."
GYM = "The gym opens at six in the morning on weekdays."


def sources(home: Home) -> dict[str, dict[str, object]]:
    return {each["name"]: each for each in home.vouch("sources", "--json").json}


def test_documents_are_read_from_a_server_answered_from_and_let_go(
    home: Home, tmp_path: Path
) -> None:
    with webdav(tmp_path / "server") as place:
        place.put({"parking.md": PARKING, "secret/pay.md": GYM})
        place.put({"secret/metadata.yaml": '"*": {audience: {departments: [hr]}}'})
        keys = {"VOUCH_SOURCE_KEYS": json.dumps(place.keys)}
        read = home.does("ingest", place.url, "--for=everyone", "--name=yard", **keys)
        citation = home.ask("how much is parking a day?")["claims"][0]["citations"][0]
        assert citation["link"] == f"{place.url.replace('webdav', 'http')}/parking.md"
        assert GYM not in str(home.ask("when does the gym open?"))
        place.drop("parking.md")
        again = home.vouch("ingest", "--all", "--json", **keys)
        assert (again.status, again.json["gone"]) == (0, 1)
        listed = sources(home)["yard"]
        assert (listed["url"], listed["documents"], listed["fault"]) == (place.url, 1, None)
        wrong = {"VOUCH_SOURCE_KEYS": json.dumps({place.url: {"password": "wr0ngw0rd"}})}
        refused = home.refuses("credentials", "ingest", place.url, **wrong)
        assert "credentials" in str(sources(home)["yard"]["fault"])
    for path in home.path.rglob("*"):
        assert not path.is_file() or PASSWORD.encode() not in path.read_bytes()
    assert PASSWORD not in f"{read.said}{again.said}" + home.vouch("sources").said
    assert "wr0ngw0rd" not in refused.said
    purged = home.vouch("purge", "secret/pay.md", "--yes")
    assert place.url in purged.said
    assert not list(home.path.rglob("pay.md"))
    home.does("ingest", "--remove", f"{place.url}/")
    assert "yard" not in sources(home)
    assert not list((home.path / ".mirrors").iterdir())


def test_a_source_that_is_away_holds_up_no_other_and_loses_nothing(
    home: Home, tmp_path: Path
) -> None:
    away = write(tmp_path / "away", {"parking.md": PARKING})
    there = write(tmp_path / "there", {"gym.md": GYM})
    for each in (away, there):
        home.does("ingest", f"file://{each}", "--for=everyone")
    away.rename(tmp_path / "elsewhere")
    write(there, {"pool.md": "The pool opens at eight in the morning."})
    read = home.vouch("ingest", "--all", "--json")
    assert read.status == 1
    assert read.json["new"] == 1
    assert [each["source"] for each in read.json["failed"]] == ["away"]
    assert set(home.texts()) == {"parking.md", "gym.md", "pool.md"}
    assert "not read the last time: its folder is gone" in home.vouch("sources").said
    confused = home.vouch("ingest", "--all", "--json", VOUCH_SOURCE_KEYS="away")
    assert [each["source"] for each in confused.json["failed"]] == ["away", "there"]
    (tmp_path / "elsewhere").rename(away)
    home.does("ingest", "--all")
    assert "last time" not in home.vouch("sources").said


@pytest.mark.parametrize(
    "url",
    ["https://ana:t0psecret@docs.example.org/", "https://docs.example.org/?key=t0psecret"],
)
def test_a_url_with_a_password_is_refused_and_kept_nowhere(home: Home, url: str) -> None:
    for options in ((), ("--remove",)):
        refused = home.calls_wrong("VOUCH_SOURCE_KEYS", "ingest", url, *options)
        assert "t0psecret" not in refused.said


def test_a_source_elsewhere_is_nobodys_until_somebody_says_whose(
    home: Home, tmp_path: Path
) -> None:
    docs = write(tmp_path / "docs", {"parking.md": PARKING})
    home.refuses(f"vouch ingest file://{docs} --for everyone", "ingest", f"file://{docs}")
    assert PARKING not in str(home.ask("how much is parking a day?"))
    home.does("sources", "docs", "--for=everyone")
    assert PARKING in str(home.ask("how much is parking a day?"))


def test_a_copy_is_not_read_by_its_own_path(home: Home, tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"parking.md": PARKING})
    home.vouch("ingest", f"file://{docs}", "--for=everyone")
    copy = next((home.path / ".mirrors").iterdir()) / "files"
    for path in (copy, copy / "parking.md"):
        home.calls_wrong("URL", "ingest", path, "--for=everyone")
    above = write(tmp_path / "home", {"beside.md": GYM})
    home.vouch("ingest", above, "--for=departments=hr")
    documents = {p.document.file: p.document for p in home.library.all_passages()}
    assert documents.keys() == {"parking.md", "beside.md"}
    assert documents["parking.md"].metadata.access.audience == ()


def test_keys_that_are_not_understood_are_said_without_them(home: Home) -> None:
    refused = home.refuses(
        "VOUCH_SOURCE_KEYS is not understood",
        "ingest",
        "s3://docs",
        VOUCH_SOURCE_KEYS="s3://docs t0psecret",
    )
    assert "t0psecret" not in refused.said


def test_a_missing_driver_is_named_with_its_extra(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "adlfs", None)
    home.refuses("vouch[azure]", "ingest", "az://docs")


def test_a_space_of_confluence_is_answered_from_by_its_own_restrictions(
    home: Home, tmp_path: Path
) -> None:
    groups = {"hr-team": {"departments": ["hr"]}}
    with site() as space:
        top = space.page("HR home", "<p>Welcome to the space of human resources.</p>")
        space.page("Parking", f"<p>{PARKING}</p>", top)
        gym = space.page("Gym", f"<p>{GYM}</p>", top, groups=("hr-team",))
        space.page("Pool", "<p>The pool opens at eight in the morning.</p>", gym, users=("ana",))
        people = [{"id": "ana", "departments": ["hr"]}]
        known = {"people": people, "sources": {space.url: groups}}
        write(home.path, {"people.yaml": json.dumps(known)})
        keys = {"VOUCH_SOURCE_KEYS": json.dumps({space.url: space.login})}
        read = home.vouch("ingest", space.url, "--for=everyone", **keys)
        assert "Pool.html" in read.said
        assert set(map(without_ids, home.texts())) == {
            "HR home.html",
            "HR home/Parking.html",
            "HR home/Gym.html",
        }
        citation = home.ask("how much is parking a day?")["claims"][0]["citations"][0]
        assert citation["link"].startswith(f"http://{space.place}/spaces/HR/pages/")
        asked = "when does the gym open on weekdays?"
        assert GYM not in str(home.ask(asked))
        assert GYM in str(home.ask(asked, "--as=ana"))
        gym.groups = ("board",)
        home.vouch("ingest", "--all", **keys)
        assert GYM not in str(home.ask(asked, "--as=ana"))
        listed = sources(home)["HR"]
        assert (listed["url"], listed["documents"], listed["fault"]) == (space.url, 2, None)
        groups["board"] = {"departmens": ["hr"]}
        write(home.path, {"people.yaml": json.dumps(known)})
        home.refuses("unknown facet departmens", "ingest", "--all", **keys)
        assert "unknown facet departmens" in str(sources(home)["HR"]["fault"])
        assert "unknown facet departmens" in home.vouch("check", VOUCH_WEB_PORT="0").said
        yard = write(tmp_path / "yard", {"pool.md": "The pool is shut."}).as_uri()
        home.does("ingest", yard, "--for=everyone", **keys)
    for path in home.path.rglob("*"):
        assert not path.is_file() or PASSWORD.encode() not in path.read_bytes()


def test_pages_of_notion_are_answered_from_by_the_table_of_whom_they_are_for(home: Home) -> None:
    with notion_site() as space:
        space.page("Parking", PARKING)
        gym = space.page("Gym", GYM)
        space.page("Pool", "The pool opens at eight in the morning.", above=space.database("Q"))
        people = [{"id": "ana", "departments": ["hr"]}]
        pages: dict[str, object] = {space.top.key: "everyone", gym.id: {"departments": ["hr"]}}
        known = {"people": people, "sources": {space.url: pages}}
        write(home.path, {"people.yaml": json.dumps(known)})
        keys = {"VOUCH_SOURCE_KEYS": json.dumps({space.url: space.login})}
        home.does("ingest", space.url, "--for=everyone", "--name=wiki", **keys)
        assert set(map(titles, home.texts())) == {"Parking.html", "Gym.html", "Q/Pool.html"}
        citation = home.ask("how much is parking a day?")["claims"][0]["citations"][0]
        assert citation["link"].startswith("https://www.notion.so/")
        asked = "when does the gym open on weekdays?"
        assert GYM not in str(home.ask(asked))
        assert GYM in str(home.ask(asked, "--as=ana"))
        pages["0" * 32] = "everyone"
        write(home.path, {"people.yaml": json.dumps(known)})
        home.refuses(f"lacks {'0' * 32}", "ingest", "--all", **keys)
        assert "correct the id in people.yaml" in str(sources(home)["wiki"]["fault"])
        assert GYM not in str(home.ask(asked, "--as=ana"))
    for path in home.path.rglob("*"):
        assert not path.is_file() or PASSWORD.encode() not in path.read_bytes()


def test_of_pages_of_others_only_the_main_text_is_read_and_who_may_read_it_holds(
    home: Home, tmp_path: Path
) -> None:
    fees = (
        '<div class="cookie-notice">We use cookies to make this site better for all of you.</div>'
        '<div class="menu"><a href="/">Home</a> <a href="/p">Parking in the city</a></div>'
        "<div><h1>Parking</h1><p>Visitors may park in the blue zone for three hours at most.</p>"
        "<table><tr><th>Zone</th><th>Fee</th></tr><tr><td>Blue zone</td><td>2 euros an hour</td>"
        "</tr></table><ul><li>Trailers are not allowed in any zone of the city.</li></ul>"
        "<p>A day ticket costs 12 euros and is valid until midnight in all zones.</p></div>"
        '<div class="sidebar"><h3>Most read</h3>'
        "<p>The mayor opens a new swimming pool on Sunday at noon.</p></div>"
    )
    page = "<html><head><title>Parking</title></head><body>{}</body></html>"
    closed = page.format("<p>For members of the council only.</p>" + fees.replace("12", "13"))
    with web(tmp_path / "server") as place:
        place.put({"fees.html": page.format(fees)})
        hosts = {"VOUCH_PRIVATE_HOSTS": "127.0.0.1"}
        home.does("ingest", place.url, "--for=everyone", "--name=city", **hosts)
        assert "swimming pool" in str(home.texts())
        hosts["VOUCH_WEB_MAIN_TEXT"] = str(urlsplit(place.url).hostname)
        read = home.vouch("ingest", "--all", "--json", **hosts)
        assert read.json["changed"] == 1
        said = str(home.texts())
        for kept in ("three hours", "2 euros an hour", "Trailers", "A day ticket"):
            assert kept in said
        for foreign in ("swimming pool", "cookies", "Home"):
            assert foreign not in said
        assert home.vouch("ingest", "--all", "--json", **hosts).json["changed"] == 0
        place.put({"council.html": closed})
        home.refuses("may restrict", "ingest", "--all", **hosts)


@pytest.mark.parametrize("name", ["VOUCH_WEB_HOSTS", "VOUCH_PRIVATE_HOSTS", "VOUCH_WEB_MAIN_TEXT"])
def test_what_names_no_host_is_refused_with_what_to_write_and_not_repeated(
    home: Home, name: str
) -> None:
    wrong = [
        '["127.0.0.1"]',
        "https://127.0.0.1/",
        "a:pa55@b",
        "*.a.example",
        "a.example b.example",
    ]
    private = name == "VOUCH_PRIVATE_HOSTS"
    wrong += ["a.example:80", "[::1]"] if private else ["::1", "a.example:x"]
    right = "127.0.0.1, ::1, a.example" if private else "a_b.example:8080,[::1]:80, intranet,"
    for stated in wrong:
        refused = home.refuses("write each as HOST", "sources", **{name: stated})
        assert name in refused.said
        assert stated not in refused.said
    assert "write each as" not in home.vouch("sources", **{name: right}).said
