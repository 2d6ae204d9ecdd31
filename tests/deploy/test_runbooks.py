"""What the pages tell an operator to type is typed here, in other places and without `sudo`."""

import inspect
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from pages import DOCS
from test_packaging import COMPOSE, DEPLOY, DOCKERFILE, TO_FINISH_S, gigabytes, unit, weaviate
from vouch_home import SAMPLE, Home, write

from bot.settings import Settings
from bot.web.addresses import AUDIT, DIGEST, HOME
from bot.web.app import WebApp

MANIFESTS: list[dict[str, Any]] = list(
    yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8"))
)
LEFT_OUT = ("make ", "useradd ", "systemctl ", "journalctl ")
LARGEST_MEASURED_MB = 2_193
"""What 300,000 passages took in Weaviate: docs/measurements.md."""


def typed(heading: str, page: str = "operations.md") -> list[str]:
    """The commands under a heading of a page."""
    section = DOCS[page].text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^    (\S.*)$", section, re.MULTILINE)


@pytest.mark.slow
def test_what_the_operator_runs_by_hand_sees_what_the_service_is_given(tmp_path: Path) -> None:
    """As docs/operations.md tells it for systemd."""
    documents = write(tmp_path / "documents", {"leave.md": "# Leave\n\nLeave is 28 days a year.\n"})
    places = {
        "/opt/vouch/.venv/bin/vouch": f"{sys.executable} -m bot.cli",
        "/srv/documents": str(documents),
        "/etc/systemd/system/": f"{tmp_path}/etc/systemd/system/",
        **{each: f"{tmp_path}{each}" for each in ("/var/lib/vouch", "/var/backups", "/etc/vouch")},
    }
    (tmp_path / "etc" / "systemd" / "system").mkdir(parents=True)
    (tmp_path / "var" / "lib").mkdir(parents=True)
    served, env = tmp_path / "served.sqlite", tmp_path / "etc" / "vouch" / "env"
    for command in typed("systemd"):
        bare = re.sub(r"sudo (-u vouch )?|-[og] \w+ |  +#.*", "", command)
        if bare.startswith(LEFT_OUT):
            continue
        for place, here in places.items():
            bare = re.sub(rf"(?<![\w/]){re.escape(place)}(?!\w)", here, bare)
        ran = subprocess.run(["sh", "-c", bare], cwd=DEPLOY.parent, capture_output=True, text=True)
        assert ran.returncode == 0, (bare, ran.stderr)
        if env.exists() and "served" not in env.read_text():  # it was just put there: filled in
            env.write_text(f"{env.read_text()}\nVOUCH_LIBRARY_URL=sqlite:///{served}\n")
    assert served.exists()
    assert not (tmp_path / "var/lib/vouch/library.sqlite").exists()
    assert (tmp_path / "var/backups/vouch").is_dir()


@pytest.mark.slow
def test_a_home_comes_back_as_the_page_on_backups_tells_it(tmp_path: Path) -> None:
    """And the log is signed and verifies there as before."""
    home, head = Home(tmp_path / ".vouch"), ""
    home.reads({"leave.md": "# Leave\n\nLeave is 28 days a year.\n"})
    for name in ("backups", "elsewhere", "srv"):
        (tmp_path / name).mkdir()
    for section in ("Back up", "Restore", "Upgrade", "Roll back"):
        home.ask("How many days of leave are there?")
        home.does("jobs", "run", "checkpoint")
        for command in typed(section, "backups.md"):
            bare = re.sub(r"  +#.*", "", command).replace("sha256:...", head)
            bare = re.sub(r"(?<!\S)/(?=backups|elsewhere|srv)", f"{tmp_path}/", bare)
            if bare.startswith("vouch "):
                said = home.does(*shlex.split(bare)[1:]).said
                head = found[1] if (found := re.search(r"head (sha256:\w+)", said)) else head
            elif bare.startswith("export VOUCH_HOME="):
                place = bare.partition("=")[2].replace("/srv", f"{tmp_path}/srv")
                home = replace(home, path=Path(place))
            else:
                subprocess.run(["sh", "-c", bare], cwd=tmp_path, check=True)
        home.does("jobs", "run", "checkpoint")
        home.does("jobs", "run", "verify-audit")


def test_the_service_reads_that_file_and_may_write_its_archives() -> None:
    told = "\n".join(typed("systemd"))
    assert f"ln -sf {unit()['EnvironmentFile']} {unit()['WorkingDirectory']}/.env" in told
    example = (DEPLOY / "env.example").read_text(encoding="utf-8")
    (folder,) = re.findall(r"^#VOUCH_BACKUP_FOLDER=(\S+)", example, re.MULTILINE)
    assert unit()["ReadWritePaths"] == f"-{folder}"
    assert f" {folder}\n" in told


def test_no_image_of_compose_is_another_one_tomorrow() -> None:
    named = [service["image"] for service in COMPOSE["services"].values() if "build" not in service]
    named += re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert len(named) == 4
    assert [each for each in named if not re.search(r":\d+\.\d+", each)] == []


def test_every_server_of_compose_may_finish_and_has_the_memory_that_was_measured() -> None:
    graces = [service["stop_grace_period"] for service in COMPOSE["services"].values()]
    assert {int(each.removesuffix("s")) for each in graces} == {60}
    told = re.findall(r"^\| Weaviate, 300,000.*", DOCS["measurements.md"].text, re.MULTILINE)
    assert f"{LARGEST_MEASURED_MB:,}" in told[0]
    limit = int(weaviate()["environment"]["GOMEMLIMIT"].removesuffix("MiB"))
    assert LARGEST_MEASURED_MB * 1.2 < limit < gigabytes(weaviate()["mem_limit"]) * 1024


def test_archives_of_compose_outlive_its_container_and_may_be_written() -> None:
    bot = COMPOSE["services"]["vouch"]
    places = dict(reversed(each.split(":")[:2]) for each in bot["volumes"][:2])
    assert places[bot["environment"]["VOUCH_BACKUP_FOLDER"]] in COMPOSE["volumes"]
    assert "install -d -o vouch -g vouch -m 700 /data /backups" in DOCKERFILE


@pytest.mark.slow
def test_compose_understands_its_file() -> None:
    docker = shutil.which("docker")
    if not docker or subprocess.run([docker, "compose", "version"], capture_output=True).returncode:
        pytest.skip("`docker compose` is not installed")
    given = {"POSTGRES_PASSWORD": "x", "WEAVIATE_KEY": "y", "PATH": "/usr/bin:/bin"}
    words = [docker, "compose", "-f", str(DEPLOY / "compose.yaml"), "config", "--quiet"]
    result = subprocess.run([*words, "--no-env-resolution"], env=given, capture_output=True)
    assert result.returncode == 0, result.stderr


def test_every_manifest_is_as_kubernetes_says_it_must_be() -> None:
    kubernetes_validate = pytest.importorskip("kubernetes_validate")
    for manifest in MANIFESTS:
        kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)


def of_kind(kind: str) -> dict[str, Any]:
    (found,) = (each for each in MANIFESTS if each["kind"] == kind)
    return found


def pods() -> Iterator[dict[str, Any]]:
    """What the bots and the job are."""
    yield of_kind("Deployment")["spec"]["template"]["spec"]
    yield of_kind("CronJob")["spec"]["jobTemplate"]["spec"]["template"]["spec"]


def test_on_kubernetes_two_bots_run_as_nobody_and_can_write_nothing_that_stays() -> None:
    deployment, settings = of_kind("Deployment")["spec"], of_kind("ConfigMap")["data"]
    assert deployment["replicas"] == 2
    for pod in pods():
        assert pod["securityContext"]["runAsNonRoot"]
        assert str(pod["securityContext"]["runAsUser"]) in DOCKERFILE
        assert pod["enableServiceLinks"] is False
        assert pod["automountServiceAccountToken"] is False
        (secrets,) = (each["secret"] for each in pod["volumes"] if "secret" in each)
        assert secrets["defaultMode"] & 0o007 == 0
        for container in (*pod["initContainers"], *pod["containers"]):
            assert container["securityContext"]["readOnlyRootFilesystem"]
            assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
            assert not container["securityContext"]["allowPrivilegeEscalation"]
            assert not [each for each in container.get("env", ()) if "TOKEN" in each["name"]]
    (bot,) = deployment["template"]["spec"]["containers"]
    assert bot["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert bot["livenessProbe"]["httpGet"]["path"] == "/healthz"
    assert f"VOUCH_HEALTH_PORT={bot['ports'][0]['containerPort']}" in DOCKERFILE
    assert ip_address(settings["VOUCH_HEALTH_HOST"]).is_unspecified  # probes come from outside
    assert deployment["template"]["spec"]["terminationGracePeriodSeconds"] > TO_FINISH_S
    assert {each["mountPath"] for each in bot["volumeMounts"]} >= {settings["VOUCH_SECRETS_FOLDER"]}


def test_the_page_names_all_that_a_proxy_has_to_hand_on() -> None:
    told = DOCS["operations.md"].text.split("a reverse proxy does, and has")[1].split(". ")[0]
    served = re.findall(r'"(/[a-z-]+)', inspect.getsource(WebApp.asgi))
    assert {each for each in (AUDIT, DIGEST, HOME, *served) if f"`{each}" not in told} == set()


def test_the_page_names_all_that_two_bots_on_kubernetes_need_alike() -> None:
    page = DOCS["operations.md"].text
    alike = page.split("**Several bots.**")[1].split("settings of Weaviate")[0]
    section = page.split("\n## Kubernetes\n")[1].split("\n## ")[0]
    needed = set(re.findall(r"VOUCH_\w+", alike))
    assert {"VOUCH_AUDIT_KEY", "VOUCH_LIBRARY_KEY"} < needed
    assert needed <= set(re.findall(r"VOUCH_\w+", section))
    assert "VOUCH_AUDIT_KEY" in (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    applied = [each.split()[-1] for each in typed("Kubernetes") if "apply" in each]
    files = [(DEPLOY.parent / each).read_text(encoding="utf-8") for each in applied]
    made = [each for file in files for each in yaml.safe_load_all(file)]
    server = urlsplit(of_kind("ConfigMap")["data"]["VOUCH_WEAVIATE_URL"]).hostname
    assert ("Service", server) in {(each["kind"], each["metadata"]["name"]) for each in made}


@pytest.mark.slow
def test_what_a_pod_is_given_is_what_its_bot_takes(tmp_path: Path) -> None:
    """Its settings, its secrets as files, its people where they are mounted."""
    people, secrets = tmp_path / "people", tmp_path / "secrets"
    people.mkdir()
    for name in ("people.yaml", "channels.yaml"):
        shutil.copyfile(SAMPLE / name, people / name)
    kept = f"sqlite:///{tmp_path / 'library.sqlite'}"
    write(secrets, {"VOUCH_LIBRARY_URL": f"{kept}\n", "VOUCH_LIBRARY_KEY": "k" * 40, "..data": "x"})
    asked = next(line for line in typed("Kubernetes") if "secret" in line)
    assert "--from-env-file" in asked
    pod = next(pods())
    (_, _, command) = pod["initContainers"][0]["command"]
    moved = command.replace("/data", str(tmp_path / "data")).replace("/people/", f"{people}/")
    (tmp_path / "data").mkdir()
    for _start in range(2):
        subprocess.run(["sh", "-c", moved], check=True)
    given = of_kind("ConfigMap")["data"]
    assert {name.removeprefix("VOUCH_").lower() for name in given} <= Settings.model_fields.keys()
    settings = {name: value for name, value in given.items() if name != "VOUCH_HOME"}
    settings |= {"VOUCH_SECRETS_FOLDER": str(secrets), "VOUCH_WEAVIATE_TIMEOUT_SECONDS": "1"}
    settings["VOUCH_WEAVIATE_URL"] = "http://127.0.0.1:9"
    said = Home(tmp_path / given["VOUCH_HOME"].strip("/"), settings).vouch("check").out
    assert "ok   people and channels: 5 people, 6 channels" in said
    assert "FAIL index: The Weaviate server at http://127.0.0.1:9 cannot be reached" in said
    assert (tmp_path / "library.sqlite").exists()
    assert not (tmp_path / "data/home/library.key").exists()
