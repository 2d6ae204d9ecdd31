"""Object stores on this machine, each served by a stand-in that others wrote."""

import shutil
import subprocess
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from drive_site import ACCOUNT, TOKEN, another_key, key
from emulated import FOLDER
from joserfc import jwt
from joserfc.errors import JoseError
from remote_places import PASSWORD, JsonSite, Place, Said, in_json, served

AZURITE = FOLDER / "node_modules" / "azurite" / "dist" / "src" / "blob" / "main.js"
_OPTIONS = ("--blobPort=0", "--inMemoryPersistence", "--disableTelemetry", "--silent")
_OF_ANY_VERSION = "--skipApiVersionCheck"


def _connection(server: str, password: str = PASSWORD) -> str:
    """As Azure's portal shows it."""
    login = f"AccountName=vouch;AccountKey={b64encode(password.encode()).decode()}"
    return f"DefaultEndpointsProtocol=http;{login};BlobEndpoint={server}/vouch;"


@contextmanager
def azure(folder: Path) -> Iterator[Place]:
    from azure.storage.blob import ContainerClient

    node = shutil.which("node")
    if not node or not AZURITE.is_file():
        pytest.skip("Azurite is not installed; `make emulate` installs it")
    account = _connection("").split(";")[2].removeprefix("AccountKey=")
    with subprocess.Popen(
        [node, AZURITE, *_OPTIONS, _OF_ANY_VERSION],
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={"AZURITE_ACCOUNTS": f"vouch:{account}"},
    ) as program:
        assert program.stdout
        try:
            server = next(line for line in program.stdout if "listens on" in line).split()[-1]
            with ContainerClient.from_connection_string(_connection(server), "docs") as container:
                container.create_container()

                def put(files: Mapping[str, str]) -> None:
                    for name, text in files.items():
                        container.upload_blob(f"all/{name}", text.encode(), overwrite=True)

                def drop(name: str) -> None:
                    container.delete_blob(f"all/{name}")

                keys = {"az://docs": {"connection_string": _connection(server)}}
                wrong = _connection(server, "another")
                secret = "connection_string"
                yield Place("az://docs/all", folder, put, drop, keys, "", secret, wrong=wrong)
        finally:
            program.terminate()


class _Tokens(JsonSite):
    """Gives one to whoever signed with the service account's key."""

    def answered(self, path: str, headers: Mapping[str, str], posted: bytes | None) -> Said:
        (assertion,) = parse_qs((posted or b"").decode())["assertion"]
        try:
            jwt.decode(assertion, key(), algorithms=["RS256"])
        except JoseError:
            return in_json({"error": "invalid_grant"}, 400)
        return in_json({"access_token": TOKEN, "expires_in": 3599, "token_type": "Bearer"})


@contextmanager
def google(folder: Path) -> Iterator[Place]:
    """One that takes any token, beside what gives them."""
    pytest.importorskip("gcp_storage_emulator", reason="`make install-all` installs it")
    from gcp_storage_emulator.server import RequestHandler
    from gcp_storage_emulator.storage import Storage
    from gcsfs.core import GCSFileSystem

    storage, tokens = Storage(use_memory_fs=True), _Tokens()
    storage.create_bucket("docs", {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(RequestHandler, storage))
    with served(server), served(tokens):
        at = f"http://127.0.0.1:{server.server_port}"
        token = {
            "type": "service_account",
            "client_email": ACCOUNT,
            "private_key": key().as_pem(private=True).decode(),
            "token_uri": f"http://{tokens.place}/token",
        }
        system = GCSFileSystem(token="anon", endpoint_url=at)

        def put(files: Mapping[str, str]) -> None:
            for name, text in files.items():
                system.pipe_file(f"docs/all/{name}", text.encode())

        def drop(name: str) -> None:
            system.rm_file(f"docs/all/{name}")

        keys = {"gs://docs": {"token": token, "endpoint_url": at}}
        wrong = {**token, "private_key": another_key()}
        yield Place("gs://docs/all", folder, put, drop, keys, "", "token", wrong=wrong)
