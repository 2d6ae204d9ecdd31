"""Settings of reading files."""

from typing import Literal

from pydantic import BaseModel, Field


class ReadingSettings(BaseModel):
    """How files are read; what that may take, and what models may."""

    largest_megabytes: int = Field(
        default=50, ge=1, description="Larger files are reported and left out."
    )
    parsing_megabytes: int = Field(
        default=1024,
        ge=256,
        description="Memory that reading one file may take, in a process apart.",
    )
    parsing_processor_seconds: int = Field(
        default=120, ge=1, description="Processor time that reading one file may take."
    )
    parsing_seconds: int = Field(
        default=300, ge=1, description="Time that reading one file may take, by the clock."
    )
    parsing_workers: int = Field(
        default=0,
        ge=0,
        le=64,
        description="Processes that read documents at once, each with `VOUCH_PARSING_MEGABYTES`; "
        "0: as many as processors that the bot may use, at most 4.",
    )
    ocr: Literal["auto", "off", "required"] = Field(
        default="auto",
        description="Text recognition of PDF pages that are pictures: `auto` where Tesseract is "
        "installed, and pages that nobody could read are reported; `off`; or `required`: nothing "
        "is ingested without it.",
    )
    ocr_languages: str = Field(
        default="eng",
        pattern=r"^[A-Za-z0-9_]+(\+[A-Za-z0-9_]+)*$",
        description="Which languages' data Tesseract reads with, by its own names: `eng+deu`.",
    )
    ocr_seconds: int = Field(
        default=600,
        ge=1,
        description="Time that text recognition of one file may take, by the clock, on top of "
        "`VOUCH_PARSING_SECONDS`; its other pages are reported.",
    )
    threads: int = Field(
        default=0,
        ge=0,
        description="Processor threads for the bundled models; 0: as many processors as the bot "
        "may use, at most 8.",
    )
