"""Who takes part in Slack, several times each: the bot slows down whoever asks much."""

from dataclasses import dataclass, replace

import yaml
from vouch_home import Home

from bot.settings import Settings
from bot.wiring.container import Container
from bot.wiring.workspace import GUEST, workspace_seed
from bot.workspace.seed import Member, Room, Seed

DOUBLES = 24


@dataclass(frozen=True)
class Somebody:
    user: str
    id: str
    name: str


def double(like: str, number: int) -> Somebody:
    """The one with this number, from 1, of those who may read what `like` may; or a guest."""
    if like == "guest":
        return Somebody(f"{GUEST.id}{number}", f"{GUEST.id}{number}", f"Guest {number}")
    return Somebody(f"U0{like.upper()}{number}", f"{like}{number}", f"{like} the {number}.")


def people_file(home: Home) -> list[dict[str, object]]:
    entries = yaml.safe_load((home.path / "people.yaml").read_text())["people"]
    return [dict(each) for each in entries]


def add_doubles(home: Home) -> None:
    """Write everybody's doubles into people.yaml, found by their e-mails as in any Slack."""
    everybody = people_file(home)
    numbers = range(1, DOUBLES + 1)
    doubles = [_entry(each, double(str(each["id"]), n)) for each in everybody for n in numbers]
    home.people(*everybody, *doubles)


def rewrite(home: Home, who: Somebody, **changes: object) -> None:
    """Change somebody's entry in people.yaml, as their organisation does in the meantime."""
    home.people(*(each | changes if each["id"] == who.id else each for each in people_file(home)))


def seed_for(home: Home) -> Seed:
    """The workspace of these people, as `vouch up` would open it, with several guests."""
    settings = Settings(_env_file=None, home=home.path)  # type: ignore[call-arg]
    seed = workspace_seed(Container(settings))
    guests = [_guest(double("guest", n)) for n in range(1, DOUBLES + 1)]
    return replace(
        seed,
        people=(*seed.people, *guests),
        channels=tuple(_with_guests(room, guests) for room in seed.channels),
    )


def _entry(like: dict[str, object], who: Somebody) -> dict[str, object]:
    return {**like, "id": who.id, "name": who.name, "email": f"{who.id}@example.org"}


def _guest(who: Somebody) -> Member:
    return Member(who.user, who.user.lower(), who.name, f"{who.user.lower()}@elsewhere.example")


def _with_guests(room: Room, guests: list[Member]) -> Room:
    if GUEST.id not in room.members:
        return room
    return replace(room, members=(*room.members, *(guest.id for guest in guests)))
