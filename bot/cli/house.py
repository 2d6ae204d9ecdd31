"""Opening the house for one command."""

from bot.settings import load_settings
from bot.wiring import House


def open_house() -> House:
    """The house that the environment describes; its home is made where there is none."""
    house = House(load_settings())
    house.home.mkdir(parents=True, exist_ok=True)
    return house
