"""Servers on this machine that documents live on, each written to as its people do."""

import asyncio
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseServer
from typing import Any, TypeVar

from retrieval.metadata.access import Audience
from retrieval.ports import DocumentSource, SourceFile
from retrieval.remote.opening import Opening
from retrieval.remote.urls import Keys, source_url

PASSWORD = "pa55-of-the-place"
PUBLIC = ("127.0.0.1",)
HR: Audience = (("departments", ("hr",)),)
CS: Audience = (("departments", ("cs",)),)
BOTH: Audience = (("departments", ("cs", "hr")),)
ServerT = TypeVar("ServerT", bound=BaseServer)


def opening(
    keys: Keys | None = None,
    private: tuple[str, ...] = PUBLIC,
    web_hosts: tuple[str, ...] = (),
    groups: Mapping[str, Mapping[str, Audience]] | None = None,
) -> Opening:
    return Opening(keys or {}, web_hosts, private, (), 100, 1, groups or {})


@dataclass
class Place:
    """Where documents live."""

    url: str
    kept_in: Path
    put: Callable[[Mapping[str, str]], None]
    drop: Callable[[str], None]
    keys: Keys = field(default_factory=dict)
    below: str = ""
    """What every path begins with."""
    secret: str = "password"
    """The option that is one."""
    own_words: Callable[[str], str] = str
    called: Callable[[str], str] = str
    wrong: object = PASSWORD[::-1]

    @property
    def source(self) -> DocumentSource:
        return opening(self.keys).source(source_url(self.url), self.kept_in)


def of_folder(root: Path, url: str, kept_in: Path, **more: Any) -> Place:
    def put(files: Mapping[str, str]) -> None:
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)

    return Place(url, kept_in, put, lambda name: (root / name).unlink(), **more)


@contextmanager
def served(server: ServerT) -> Iterator[ServerT]:
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


ODD_TITLES = [
    *("../../etc/passwd", "..", "a/b", "metadata.yaml", "Metadata", "meta", ".hidden"),
    *("lost+found", "form.md", "Nul\0", "\u202elmth.txt", "C:\\docs", " spaced ", "é" * 200),
    *("ends.", "", "~$x", "<b>HR</b></h2><script>x()</script>"),
]


def listed(source: DocumentSource, called: Callable[[str], str] = str) -> dict[str, SourceFile]:
    """By what each is called there."""
    return {called(each.path): each for each in source.listing().files}


def read(source: DocumentSource, path: str, called: Callable[[str], str] = str) -> str:
    fetched = source.fetch(listed(source, called)[path])
    assert fetched
    return b"".join(fetched.chunks).decode()


def once(wanted: str, then: Callable[[], None]) -> Callable[[str], None]:
    """Before the first answer to such a path."""
    waiting = [then]

    def before(path: str) -> None:
        if wanted in path and waiting:
            waiting.pop()()

    return before


@contextmanager
def another_server(said: bytes = b"") -> Iterator[tuple[str, list[str | None]]]:
    """Its place, and what authorized requests to it."""
    told: list[str | None] = []

    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.append(self.headers.get("Authorization"))
            self.send_response(200)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        do_POST = do_GET  # noqa: N815  # as the server calls it

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Other)
    with served(server):
        yield f"127.0.0.1:{server.server_port}", told


@contextmanager
def s3(folder: Path) -> Iterator[Place]:
    import boto3
    from moto.backends import get_backend
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    login = {"key": "AKIAOFTHEPLACE", "secret": PASSWORD, "endpoint_url": f"http://{host}:{port}"}
    client = boto3.client(
        "s3",
        endpoint_url=login["endpoint_url"],
        aws_access_key_id=login["key"],
        aws_secret_access_key=PASSWORD,
        region_name="us-east-1",
    )
    client.create_bucket(Bucket="docs")

    def put(files: Mapping[str, str]) -> None:
        for name, text in files.items():
            client.put_object(Bucket="docs", Key=f"all/{name}", Body=text.encode())

    def drop(name: str) -> None:
        client.delete_object(Bucket="docs", Key=f"all/{name}")

    try:
        yield Place("s3://docs/all", folder, put, drop, {"s3://docs": login})
    finally:
        server.stop()
        get_backend("s3").reset()


@contextmanager
def webdav(folder: Path) -> Iterator[Place]:
    from cheroot.wsgi import Server
    from wsgidav.wsgidav_app import WsgiDAVApp

    root = folder / "served"
    root.mkdir(parents=True)
    app = WsgiDAVApp(
        {
            "provider_mapping": {"/": str(root)},
            "simple_dc": {"user_mapping": {"*": {"vouch": {"password": PASSWORD}}}},
            "verbose": 0,
            "logging": {"enable": False},
        }
    )
    server = Server(("127.0.0.1", 0), app)
    server.prepare()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    url = f"webdav://127.0.0.1:{server.bind_addr[1]}"
    keys = {url: {"username": "vouch", "password": PASSWORD}}
    try:
        yield of_folder(root, url, folder, keys=keys)
    finally:
        server.stop()
        thread.join()


@contextmanager
def sftp(folder: Path) -> Iterator[Place]:
    import asyncssh

    root, key = folder / "served", asyncssh.generate_private_key("ssh-ed25519")
    root.mkdir(parents=True)

    class Server(asyncssh.SSHServer):  # type: ignore[misc, unused-ignore]
        def password_auth_supported(self) -> bool:
            return True

        def validate_password(self, username: str, password: str) -> bool:
            return password == PASSWORD

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def listen() -> Any:
        return await asyncssh.listen(
            "127.0.0.1",
            0,
            server_factory=Server,
            server_host_keys=[key],
            sftp_factory=lambda channel: asyncssh.SFTPServer(channel, chroot=os.fsencode(root)),
        )

    server = asyncio.run_coroutine_threadsafe(listen(), loop).result()
    port = server.get_port()
    known = folder / "known_hosts"
    known.write_text(f"[127.0.0.1]:{port} {key.export_public_key().decode()}")
    url = f"sftp://vouch@127.0.0.1:{port}/"
    options = {"password": PASSWORD, "known_hosts": str(known)}
    try:
        yield of_folder(root, url, folder, keys={url: options})
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


@contextmanager
def git(folder: Path) -> Iterator[Place]:
    from wsgiref.simple_server import make_server

    from dulwich import porcelain
    from dulwich.repo import Repo
    from dulwich.server import DictBackend
    from dulwich.web import WSGIRequestHandlerLogger, WSGIServerLogger, make_wsgi_chain

    root = folder / "work"
    root.mkdir(parents=True)
    repo: Repo = porcelain.init(str(root))

    def commit() -> None:
        porcelain.commit(repo, message=b"change", author=b"A <a@b.c>", committer=b"A <a@b.c>")

    def put(files: Mapping[str, str]) -> None:
        place.put(files)
        porcelain.add(repo, [str(root / name) for name in files])
        commit()

    def drop(name: str) -> None:
        porcelain.remove(repo, [str(root / name)])
        commit()

    place = of_folder(root, "", folder)
    repositories: Any = {"/docs.git": repo}
    app = make_wsgi_chain(DictBackend(repositories))
    server = make_server(
        "127.0.0.1", 0, app, handler_class=WSGIRequestHandlerLogger, server_class=WSGIServerLogger
    )
    url = f"git+http://127.0.0.1:{server.server_port}/docs.git"
    with served(server):
        yield Place(url, folder / "git", put, drop)
    repo.close()


class Quiet(SimpleHTTPRequestHandler):
    """Answers with Last-Modified, and 304 where that is known."""

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def web(folder: Path) -> Iterator[Place]:
    root = folder / "served"
    root.mkdir(parents=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    base = f"http://127.0.0.1:{server.server_port}"
    place = of_folder(root, f"{base}/pages.txt", folder, below=f"127.0.0.1:{server.server_port}/")

    def list_anew() -> None:
        pages = (p.relative_to(root).as_posix() for p in root.rglob("*.html"))
        (root / "pages.txt").write_text("".join(f"{base}/{each}\n" for each in pages))

    def put(files: Mapping[str, str]) -> None:
        of_folder(root, "", folder).put(files)
        list_anew()

    def drop(name: str) -> None:
        (root / name).unlink()
        list_anew()

    place.put, place.drop = put, drop
    list_anew()
    with served(server):
        yield place


@contextmanager
def folder(folder: Path) -> Iterator[Place]:
    root = folder / "share"
    root.mkdir(parents=True)
    yield of_folder(root, f"file://{root}", folder)


PLACES = {f.__name__: f for f in (folder, s3, webdav, sftp, git, web)}


Said = tuple[int, Mapping[str, str], str | bytes]


def in_json(content: object, status: int = 200) -> Said:
    return status, {"Content-Type": "application/json"}, json.dumps(content)


class JsonSite(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[tuple[str, str]] = []
        """Paths, and what authorizes."""
        self.instead: dict[str, list[Said]] = {}
        """Answers in place of the next ones, by what paths hold."""
        self.before_answering: Callable[[str], None] = lambda _: None

    @property
    def here(self) -> str:
        return f"http://{self.place}"

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def answered(self, path: str, headers: Mapping[str, str], posted: bytes | None) -> Said:
        """`posted` is None where nothing was."""
        raise NotImplementedError  # each service has its own

    def rewrite(self, one: Any, text: str) -> None:
        one.text = text

    def trash(self, one: Any) -> None:
        one.trashed = True


class _Handler(BaseHTTPRequestHandler):
    server: JsonSite

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, posted: bytes | None) -> None:
        site = self.server
        site.before_answering(self.path)
        site.asked.append((self.path, self.headers.get("Authorization", "")))
        instead = next((some for b, some in site.instead.items() if some and b in self.path), None)
        headers = {name.lower(): value for name, value in self.headers.items()}
        said = instead.pop(0) if instead else site.answered(self.path, headers, posted)
        status, stated, content = said
        self.send_response(status)
        for name, value in stated.items():
            self.send_header(name, value)
        content = content.encode() if isinstance(content, str) else content
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


def in_tree(site: Any, kept_in: Path, keys: Mapping[str, Any], secret: str, **more: Any) -> Place:
    """A site of files in folders, written as paths."""
    made: dict[str, Any] = {}

    def put(files: Mapping[str, str]) -> None:
        for path, text in files.items():
            if path in made:
                site.rewrite(made[path], text)
                continue
            above, *folders = None, *path.split("/")[:-1]
            for folder in folders:
                above = made[folder] = made.get(folder) or site.folder(folder, above)
            made[path] = site.file(path.rpartition("/")[2], text, above)

    def drop(path: str) -> None:
        site.trash(made.pop(path))

    [url] = keys
    return Place(url, kept_in, put, drop, keys, secret=secret, **more)
