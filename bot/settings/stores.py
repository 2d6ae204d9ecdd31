"""Settings of stores."""

from pathlib import Path

from pydantic import BaseModel, Field, SecretStr

from bot.address import Address

HOME = Path(".vouch")


class StoreSettings(BaseModel):
    """Where state is kept, and what passages are sealed with."""

    home: Path = Field(
        default=HOME, description="Folder of all state: library, index, audit store."
    )
    audit_url: Address = Field(
        default=Address(""),
        description="Database of the audit store, such as postgresql://user@host/name; "
        "empty for a SQLite file in the home.",
    )
    library_url: Address = Field(
        default=Address(""),
        description="Database of the library, such as postgresql://user@host/name; "
        "empty for a SQLite file in the home.",
    )
    library_key: SecretStr = Field(
        default=SecretStr(""),
        description="What passages are sealed with, 32 characters or more; empty for a file in "
        "the home, made at the first start.",
    )

    @property
    def audit_database(self) -> str:
        """The audit store's URL."""
        return (
            self.audit_url.get_secret_value()
            or f"sqlite:///{(self.home / 'audit.sqlite').absolute()}"
        )

    @property
    def library_database(self) -> str:
        """The library's URL."""
        return (
            self.library_url.get_secret_value()
            or f"sqlite:///{(self.home / 'library.sqlite').absolute()}"
        )
