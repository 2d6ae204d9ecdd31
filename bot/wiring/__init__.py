"""The composition root: the only package that names concrete stores, models and clients."""

from bot.wiring.container import House

__all__ = ["House"]
