"""What meets Slack, and what meets strangers, at the address that Slack calls."""

import hashlib
import hmac
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_bolt import App, BoltResponse
from slack_bolt.authorization import AuthorizeResult

from bot.errors import BadConfiguration
from bot.slack.http import LARGEST_BODY, ConnectionLimits, health_checks, serve, slack_calls
from bot.slack.transport import HealthChecks

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
FEW = ConnectionLimits(receive_s=2.0, keep_alive_s=1, connections=50)
EVENT = {"type": "event_callback", "event": {"type": "message", "text": "when is term?"}}


@dataclass
class Door:
    """The server, the Bolt app behind it, and what got through to it."""

    http: httpx.Client
    health: httpx.Client
    received: list[dict[str, Any]] = field(default_factory=list)
    problems: dict[str, str] = field(default_factory=dict)
    hold: dict[str, threading.Event] = field(default_factory=dict)

    def post(
        self, body: str | bytes, headers: Mapping[str, str | bytes] | None = None
    ) -> httpx.Response:
        raw = body.encode() if isinstance(body, str) else body
        sent = {"content-type": "application/json", **(headers or {})}
        encoded = [
            (name.encode(), each.encode() if isinstance(each, str) else each)
            for name, each in sent.items()
        ]
        return self.http.post("/slack/events", content=raw, headers=encoded)

    def says(self, event: Mapping[str, Any], **signing: Any) -> httpx.Response:
        body = json.dumps(event)
        return self.post(body, signed(body, **signing))


def signed(body: str, *, secret: str = SECRET, age_s: float = 0) -> dict[str, str]:
    """As Slack's documentation tells it, written anew here."""
    timestamp = str(int(time.time() - age_s))
    digest = hmac.new(secret.encode(), f"v0:{timestamp}:{body}".encode(), hashlib.sha256)
    return {
        "X-Slack-Request-Timestamp": timestamp,
        "X-Slack-Signature": f"v0={digest.hexdigest()}",
    }


@pytest.fixture
def door() -> Iterator[Door]:
    app = App(
        signing_secret=SECRET,
        authorize=lambda: AuthorizeResult(
            enterprise_id=None, team_id="T1", bot_id="B1", bot_user_id="U1", bot_token="xoxb-1"
        ),
    )
    door = Door(httpx.Client(), httpx.Client())

    def receive(body: dict[str, Any]) -> BoltResponse:
        if (name := body.get("hold")) in door.hold:
            door.hold[name].wait(30)
        door.received.append(body)
        return BoltResponse(status=200)

    app.use(receive)
    calls = serve(slack_calls(app), "127.0.0.1", 0, limits=FEW)
    checks = serve(health_checks(lambda: door.problems), "127.0.0.1", 0)
    with (
        httpx.Client(base_url=f"http://127.0.0.1:{calls.port}", timeout=30) as door.http,
        httpx.Client(base_url=f"http://127.0.0.1:{checks.port}", timeout=30) as door.health,
    ):
        yield door
    calls.stop()
    checks.stop()


def test_slack_checks_the_address_when_it_is_entered(door: Door) -> None:
    reply = door.says({"type": "url_verification", "challenge": "3eZbrw1aB"})
    assert reply.status_code == 200
    assert reply.json() == {"challenge": "3eZbrw1aB"}


@pytest.mark.parametrize(
    "tampered",
    [
        pytest.param(lambda body: signed(body, secret="another secret"), id="another secret"),
        pytest.param(lambda body: signed(body, age_s=301), id="five minutes old"),
        pytest.param(lambda body: signed(body, age_s=-600), id="from the future"),
        pytest.param(lambda body: signed(body + " "), id="signature of another body"),
        pytest.param(lambda _body: {}, id="no signature"),
        pytest.param(lambda body: {**signed(body), "X-Slack-Signature": ""}, id="empty"),
        pytest.param(
            lambda body: {**signed(body), "X-Slack-Request-Timestamp": "now"}, id="no number"
        ),
        pytest.param(
            lambda body: {**signed(body), "X-Slack-Signature": b"v0=\xff" + b"a" * 63},
            id="no ascii",
        ),
        pytest.param(
            lambda body: {
                key: value.upper() if value.startswith("v0=") else value
                for key, value in signed(body).items()
            },
            id="upper case",
        ),
    ],
)
def test_a_stranger_is_refused(
    door: Door, tampered: Callable[[str], dict[str, str | bytes]]
) -> None:
    body = json.dumps(EVENT)
    assert door.post(body, tampered(body)).status_code == 401
    assert door.received == []


def test_the_signature_is_compared_in_constant_time(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[str, str]] = []
    real = hmac.compare_digest

    def compare(one: str, other: str) -> bool:
        compared.append((one, other))
        return real(one, other)

    monkeypatch.setattr(hmac, "compare_digest", compare)
    body = json.dumps(EVENT)
    headers = signed(body)
    assert door.post(body, headers).status_code == 200
    assert [pair[1] for pair in compared] == [headers["X-Slack-Signature"]]


@given(
    body=st.one_of(
        st.binary(max_size=200),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=9),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["type", "event", "payload", "authorizations", "user", "team"])
                    | st.text(max_size=9),
                    inner,
                    max_size=3,
                )
            ),
        ).map(lambda value: json.dumps(value).encode()),
        st.just(b"[" * 100_000),
        st.text(max_size=50).map(lambda text: f"payload={text}".encode()),
    ),
    timestamp=st.one_of(
        st.just(str(int(time.time()))),
        st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=30),
    ),
    signature=st.one_of(st.just("v0=" + "0" * 64), st.from_regex(r"\Av0=[0-9a-f]{64}\Z")),
    kind=st.sampled_from(["application/json", "application/x-www-form-urlencoded", "text/plain"]),
)
def test_whatever_a_stranger_sends_is_refused_and_never_an_error(
    door: Door, body: bytes, timestamp: str, signature: str, kind: str
) -> None:
    reply = door.post(
        body,
        {
            "X-Slack-Request-Timestamp": timestamp,
            "X-Slack-Signature": signature,
            "content-type": kind,
        },
    )
    assert reply.status_code in {400, 401}
    assert door.received == []


@pytest.mark.parametrize("stated", [True, False], ids=["length stated", "in chunks"])
def test_a_body_that_is_too_large_is_refused(door: Door, stated: bool) -> None:
    body = json.dumps({"type": "x", "filler": "a" * LARGEST_BODY}).encode()
    content = body if stated else iter([body[:500_000], body[500_000:]])
    reply = door.http.post("/slack/events", content=content, headers=signed(body.decode()))
    assert reply.status_code == 413
    assert door.received == []


def test_a_body_of_the_largest_size_is_received(door: Door) -> None:
    event = {"type": "x", "filler": ""}
    event["filler"] = "a" * (LARGEST_BODY - len(json.dumps(event)))
    assert door.says(event).status_code == 200


def test_a_slow_request_keeps_no_other_waiting(door: Door) -> None:
    door.hold["slow"] = threading.Event()
    with ThreadPoolExecutor() as elsewhere:
        slow = elsewhere.submit(door.says, {"type": "x", "hold": "slow"})
        assert door.says(EVENT).status_code == 200
        assert door.health.get("/healthz").status_code == 200
        assert not slow.done()
        door.hold["slow"].set()
        assert slow.result(30).status_code == 200


def test_nothing_else_is_there(door: Door) -> None:
    assert door.http.get("/").status_code == 404
    assert door.http.post("/slack/install").status_code == 404
    assert door.http.get("/slack/events").status_code == 405


def test_health_checks_tell_alive_from_ready(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    assert door.health.get("/readyz").json() == {"ready": True, "problems": []}
    door.problems["audit store"] = "postgresql://vouch:secret@db does not answer"
    for _probe in range(3):
        reply = door.health.get("/readyz")
        assert reply.status_code == 503
        assert reply.json() == {"ready": False, "problems": ["audit store"]}
        assert "secret" not in reply.text
        assert door.health.get("/healthz").status_code == 200
    assert len(re.findall("does not answer", caplog.text)) == 1
    door.problems.clear()
    assert door.health.get("/readyz").status_code == 200


def test_the_health_checks_have_a_port_of_their_own(door: Door) -> None:
    assert door.http.get("/healthz").status_code == 404
    assert door.http.get("/readyz").status_code == 404
    server = serve(health_checks(dict), "127.0.0.1", 0)
    address = f"http://127.0.0.1:{server.port}"
    assert httpx.get(f"{address}/healthz").status_code == 200
    assert httpx.post(f"{address}/slack/events").status_code == 404
    server.stop()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{address}/healthz")


def test_stopping_lets_a_request_in_progress_end(door: Door) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def slowly_ready() -> dict[str, str]:
        begun.set()
        may_end.wait(30)
        return {}

    server = serve(health_checks(slowly_ready), "127.0.0.1", 0)
    with ThreadPoolExecutor() as elsewhere:
        reply = elsewhere.submit(httpx.get, f"http://127.0.0.1:{server.port}/readyz", timeout=30)
        assert begun.wait(30)
        stopping = elsewhere.submit(server.stop)
        may_end.set()
        assert reply.result(30).status_code == 200
        stopping.result(30)


def half_open(door: Door, number: int, sent: bytes) -> list[socket.socket]:
    """Connections on which somebody begins a request and never ends it."""
    address = (door.http.base_url.host, door.http.base_url.port or 0)
    opened = [socket.create_connection(address, timeout=10) for _ in range(number)]
    for each in opened:
        each.sendall(sent)
    return opened


def wait_until_closed_from_the_other_side(connection: socket.socket) -> None:
    """After whatever is answered; raise `TimeoutError` where it stays open."""
    with suppress(ConnectionResetError):
        while connection.recv(2_000):
            pass


BEGUN = {
    "nothing": b"",
    "half a head": b"POST /slack/events HTTP/1.1\r\nHost: x\r\nX-Slack",
    "half a body": b"POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 90\r\n"
    b"X-Slack-Request-Timestamp: 1\r\nX-Slack-Signature: v0=" + b"0" * 64 + b"\r\n\r\n{",
    "a second request": b"GET / HTTP/1.1\r\nHost: x\r\n\r\nPOST /slack",
}


@pytest.mark.parametrize("begun", BEGUN)
def test_whoever_holds_hundreds_of_connections_open_keeps_slack_out_for_no_moment(
    door: Door, begun: str
) -> None:
    flood = half_open(door, 300, BEGUN[begun])
    if begun == "a second request":
        for each in flood:  # who is being answered is not sent away, however many there are
            with suppress(ConnectionResetError):
                each.recv(2_000)
    assert door.says(EVENT).status_code == 200
    assert door.health.get("/healthz").status_code == 200
    for each in flood:
        wait_until_closed_from_the_other_side(each)
        each.close()


def trickle(connection: socket.socket) -> None:
    for number in range(100):
        connection.sendall(f"X-{number}: y\r\n".encode())
        time.sleep(0.1)


def test_a_request_that_trickles_in_is_not_waited_for(door: Door) -> None:
    [connection] = half_open(door, 1, b"POST /slack/events HTTP/1.1\r\n")
    with connection, pytest.raises(OSError, match=r"reset|[Bb]roken pipe"):
        trickle(connection)


def test_a_connection_that_is_kept_carries_one_request_after_another(door: Door) -> None:
    for number in range(8):
        assert door.says(EVENT).status_code == 200
        time.sleep(0.1 if number else FEW.receive_s)
    assert len(door.received) == 8


def test_a_taken_port_is_named_with_the_setting_to_change() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadConfiguration, match=rf"Port {port} .* VOUCH_PORT"):
            serve(health_checks(dict), "127.0.0.1", port)
        with pytest.raises(BadConfiguration, match="VOUCH_HEALTH_PORT"):
            HealthChecks(health_checks(dict), "127.0.0.1", port).start()


def test_an_address_of_another_machine_is_named_with_the_setting_to_change() -> None:
    with pytest.raises(BadConfiguration, match="VOUCH_HOST"):
        serve(health_checks(dict), "192.0.2.1", 0)
    with pytest.raises(BadConfiguration, match="VOUCH_HEALTH_HOST"):
        HealthChecks(health_checks(dict), "192.0.2.1", 0).start()
