"""Opening the house for one command."""

from pydantic import ValidationError

from bot.errors import BadConfiguration
from bot.settings import Settings
from bot.wiring import House


def open_house() -> House:
    """The house that the environment describes; its home is made where there is none.

    For its owner alone: documents and questions are not everybody's on a machine.

    Raise `BadConfiguration` naming every setting that is wrong.
    """
    try:
        house = House(Settings())
    except ValidationError as error:
        problems = "; ".join(
            ": ".join([*(f"VOUCH_{place}".upper() for place in each["loc"]), each["msg"]])
            for each in error.errors()
        )
        raise BadConfiguration(
            f"{problems}. Mend it in the environment or in .env; the README lists all settings."
        ) from error
    try:
        house.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadConfiguration(
            f"The home {house.home} cannot be made ({error.strerror}). "
            "Set VOUCH_HOME to a folder that may be written to."
        ) from error
    return house
