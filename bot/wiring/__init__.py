"""The composition root: the only package that names concrete stores, models and clients."""

from bot.wiring.container import Container

__all__ = ["Container"]
