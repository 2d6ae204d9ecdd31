"""What is deployed fits the program; neither Docker nor systemd runs here."""

import configparser
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from audit_stores import postgresql_server
from weaviate_servers import CATCHING_UP, PORTS, WeaviateNode, program

from audit.log import open_reader, open_writer
from bot.settings import Settings
from bot.slack.app import DRAIN_SECONDS
from bot.slack.http import GRACE_S
from bot.slack.inbox.store import Inbox

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
VALUES: dict[str, Any] = yaml.safe_load(
    (DEPLOY / "weaviate-values.yaml").read_text(encoding="utf-8")
)
OF_THE_PLACE = re.compile(
    r"PATH|HOME|PERSISTENCE_|BACKUP_|CLUSTER_|GRPC_PORT|RAFT_(?!BOOTSTRAP)|AUTHENTICATION_"
)
TO_FINISH_S = DRAIN_SECONDS + GRACE_S
PACKAGES = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"][
    "build"
]["targets"]["wheel"]["packages"]


def unit() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment]
    parser.read(DEPLOY / "vouch.service", encoding="utf-8")
    return parser["Service"]


@pytest.mark.parametrize(
    "name", ["Dockerfile", "compose.yaml", "env.example", "vouch.service", "weaviate-values.yaml"]
)
def test_every_setting_that_is_named_exists(name: str) -> None:
    named = set(re.findall(r"VOUCH_([A-Z_]+)", (DEPLOY / name).read_text(encoding="utf-8")))
    assert named
    assert named <= {field.upper() for field in Settings.model_fields}


def test_the_example_of_an_environment_file_is_taken_as_it_is(tmp_path: Path) -> None:
    text = (DEPLOY / "env.example").read_text(encoding="utf-8")
    everything = tmp_path / ".env"
    everything.write_text(re.sub(r"^#(?=[A-Z])", "", text, flags=re.MULTILINE))
    settings = Settings(_env_file=everything)  # type: ignore[call-arg]
    assert settings.slack_transport == "http"


def test_docker_and_systemd_wait_until_what_is_being_answered_is_finished() -> None:
    patience = [COMPOSE["services"]["vouch"]["stop_grace_period"], unit()["TimeoutStopSec"]]
    assert all(int(each.removesuffix("s")) > TO_FINISH_S for each in patience)
    assert unit()["KillSignal"] == "SIGTERM"
    assert "STOPSIGNAL SIGTERM" in DOCKERFILE


def test_the_bot_comes_up_again_by_itself() -> None:
    assert unit()["Restart"] == "always"
    assert COMPOSE["services"]["vouch"]["restart"] == "unless-stopped"


def gigabytes(limit: str) -> int:
    return int(limit.upper().removesuffix("G"))


def test_neither_memory_nor_processes_of_the_machine_can_be_used_up() -> None:
    """The bot takes half a gigabyte and some sixty threads; reading a file one gigabyte more."""
    bot, database = COMPOSE["services"]["vouch"], COMPOSE["services"]["postgres"]
    for limit in (bot["mem_limit"], unit()["MemoryMax"]):
        assert 3 <= gigabytes(limit) <= 8
    assert gigabytes(unit()["MemoryHigh"]) < gigabytes(unit()["MemoryMax"])
    for tasks in (bot["pids_limit"], unit()["TasksMax"]):
        assert 256 <= int(tasks) <= 1024
    assert database["mem_limit"]
    assert database["pids_limit"]


def test_the_health_check_asks_the_port_that_the_health_checks_have() -> None:
    environment = dict(re.findall(r"(VOUCH_\w+)=(\S+)", DOCKERFILE))
    assert environment["VOUCH_HEALTH_PORT"].isdigit()
    assert "os.environ['VOUCH_HEALTH_PORT']" in DOCKERFILE
    given = {name.removeprefix("VOUCH_").lower(): value for name, value in environment.items()}
    for transport in ("socket", "http"):
        settings = Settings(_env_file=None, slack_transport=transport, **given)  # type: ignore[call-arg]  # by name
        assert settings.health_port == int(environment["VOUCH_HEALTH_PORT"])
        assert (settings.host, settings.health_host) == (environment["VOUCH_HOST"], "127.0.0.1")
    assert f"EXPOSE {settings.http_port}" in DOCKERFILE


def test_nobody_is_root() -> None:
    assert re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE)[-1] != "0"
    assert unit()["User"] == "vouch"


def test_compose_starts_the_bot_when_the_database_answers_and_keeps_what_it_holds() -> None:
    bot, database = COMPOSE["services"]["vouch"], COMPOSE["services"]["postgres"]
    healthy = {"condition": "service_healthy"}
    assert bot["depends_on"] == {"postgres": healthy, "weaviate": healthy}
    assert "pg_isready" in database["healthcheck"]["test"]
    for service in (bot, database):
        named = {each.split(":")[0] for each in service["volumes"]} & set(COMPOSE["volumes"])
        assert named
    for url in ("VOUCH_AUDIT_URL", "VOUCH_INBOX_URL"):
        assert "@postgres/" in bot["environment"][url]


def weaviate() -> dict[str, Any]:
    service: dict[str, Any] = COMPOSE["services"]["weaviate"]
    return service


def test_what_is_deployed_of_weaviate_is_the_release_that_the_tests_run() -> None:
    tested = program().parent.name.removeprefix("weaviate-v")
    assert weaviate()["image"] == f"cr.weaviate.io/semitechnologies/weaviate:{tested}"
    assert VALUES["image"]["tag"] == tested


@pytest.mark.parametrize("where", ["compose", "chart"])
def test_what_is_deployed_of_weaviate_is_set_as_in_the_tests(where: str) -> None:
    """But for places, ports, names, and who is let in: here nobody without a key."""
    deployed = weaviate()["environment"] if where == "compose" else VALUES["env"]
    tested = WeaviateNode("node", Path(), dict.fromkeys(PORTS, 0)).environment()
    if where == "chart":
        tested |= {**CATCHING_UP, "RAFT_BOOTSTRAP_EXPECT": str(VALUES["replicas"])}
        del tested["ENABLE_MODULES"]
    common = {name: value for name, value in tested.items() if not OF_THE_PLACE.match(name)}
    assert {"AUTOSCHEMA_ENABLED", "DISABLE_TELEMETRY"} <= common.keys()
    if where == "compose":
        common.pop("RAFT_BOOTSTRAP_EXPECT")
    assert {name: str(deployed.get(name)) for name in common} == common


def test_weaviate_lets_nobody_in_without_a_key_and_is_seen_by_the_bot_alone() -> None:
    environment = weaviate()["environment"]
    assert environment["AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED"] == "false"
    assert environment["AUTHENTICATION_APIKEY_ENABLED"] == "true"
    given = COMPOSE["services"]["vouch"]["environment"]
    assert environment["AUTHENTICATION_APIKEY_ALLOWED_KEYS"] == given["VOUCH_WEAVIATE_KEY"]
    assert given["VOUCH_WEAVIATE_KEY"].startswith("${WEAVIATE_KEY:?")
    assert given["VOUCH_WEAVIATE_URL"] == "http://weaviate:8080"
    assert "ports" not in weaviate()
    assert VALUES["authentication"]["anonymous_access"]["enabled"] is False
    assert "AUTHENTICATION_APIKEY_ALLOWED_KEYS" in VALUES["envSecrets"]


def test_the_servers_of_the_chart_have_one_name_for_both_ports_that_the_bot_is_told() -> None:
    file = (DEPLOY / "weaviate-service.yaml").read_text(encoding="utf-8")
    service = yaml.safe_load(file)
    http, grpc = (each["port"] for each in service["spec"]["ports"])
    told = (DEPLOY / "weaviate-values.yaml").read_text(encoding="utf-8")
    assert f"VOUCH_WEAVIATE_URL=http://{service['metadata']['name']}:{http} " in told
    assert grpc == Settings.model_fields["weaviate_grpc_port"].default
    assert f"VOUCH_WEAVIATE_REPLICAS={VALUES['replicas']}" in told


def test_weaviate_keeps_its_data_and_backups_and_takes_no_more_memory_than_it_may() -> None:
    service = weaviate()
    places = {each.split(":")[1]: each.split(":")[0] for each in service["volumes"]}
    for name in ("PERSISTENCE_DATA_PATH", "BACKUP_FILESYSTEM_PATH"):
        assert places[service["environment"][name]] in COMPOSE["volumes"]
    assert "/v1/.well-known/ready" in service["healthcheck"]["test"][-1]
    assert service["mem_limit"]
    assert service["pids_limit"]


def test_documents_are_mounted_to_be_read_only() -> None:
    mounts = COMPOSE["services"]["vouch"]["volumes"]
    assert next(each for each in mounts if ":/documents" in each).endswith(":ro")


def test_no_secret_stands_in_a_deployed_file() -> None:
    for path in DEPLOY.glob("*"):
        if path.is_file() and path.suffix != ".png":
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"xox[bap]-\d|xapp-\d", text), path.name


def test_what_the_image_copies_is_there_and_not_ignored() -> None:
    sources = [
        source
        for line in re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE)
        for source in line.split()[:-1]
    ]
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    assert set(sources) == {each[1:] for each in ignored if each.startswith("!")}
    assert all((ROOT / source).exists() for source in sources)


def test_the_health_check_of_the_image_is_python() -> None:
    code = re.search(r'CMD \["python", "-c", "(.*)"\]$', DOCKERFILE, re.MULTILINE)
    assert code
    compile(code[1].replace('\\"', '"'), "HEALTHCHECK", "exec")


@pytest.mark.slow
def test_an_installed_vouch_has_every_file_that_it_runs_on(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    kept = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    training = {file for file in kept if file.startswith("retrieval/training/")}
    assert training
    assert kept - training <= packed
    assert training.isdisjoint(packed)


@pytest.mark.parametrize("name", ["run", "models", "all"])
def test_every_locked_file_has_its_hash_and_no_lock_brings_cuda(name: str) -> None:
    lock = (ROOT / "requirements" / f"{name}.lock").read_text(encoding="utf-8")
    packages = re.split(r"\n(?=\S)", lock.strip())
    assert all("--hash=sha256:" in package for package in packages)
    assert not re.search(r"^(torch|nvidia|triton|cuda)", lock, re.MULTILINE)
    assert "://" not in lock


def test_what_is_locked_in_one_set_is_locked_alike_in_the_others() -> None:
    def pins(name: str) -> dict[str, str]:
        lock = (ROOT / "requirements" / f"{name}.lock").read_text(encoding="utf-8")
        return dict(re.findall(r"^([\w.-]+)==([\w.]+)", lock, re.MULTILINE))

    everything = pins("all")
    assert pins("run").items() <= pins("models").items() <= everything.items()


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    here = tmp_path / "vouch.service"
    text = (DEPLOY / "vouch.service").read_text(encoding="utf-8")
    here.write_text(re.sub(r"ExecStart=\S+", f"ExecStart={sys.executable}", text))
    verify = ["systemd-analyze", "verify", "--man=no", str(here)]
    result = subprocess.run(verify, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.server
def test_one_database_holds_the_audit_store_and_the_inbox_as_compose_has_it() -> None:
    environment = COMPOSE["services"]["vouch"]["environment"]
    assert environment["VOUCH_AUDIT_URL"] == environment["VOUCH_INBOX_URL"]
    with postgresql_server() as server:
        url = server.new_database().url
        for _start in range(2):
            open_writer(url).close()
            Inbox.open(url).close()
        with open_reader(url) as reader:
            assert reader.find().records == ()
