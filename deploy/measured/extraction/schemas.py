"""The three kinds of documents that extraction is measured on."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from pydantic import BaseModel, Field


class Invoice(BaseModel):
    invoice_number: str
    invoice_date: date
    due_date: date | None = Field(None, description="Payment is due on this day")
    seller: str = Field(description="Who sends the invoice", title="Seller")
    buyer: str = Field(description="Who is billed", title="Bill to")
    total: Decimal = Field(description="The whole amount to be paid, with tax", title="Total due")
    currency: Literal["EUR", "USD", "GBP", "CHF"]
    purchase_order: str | None = None
    paid: bool | None = Field(None, description="The invoice has been paid")


class Contract(BaseModel):
    supplier: str
    customer: str
    start_date: date = Field(description="The agreement starts on this day")
    term: timedelta = Field(description="The agreement runs for so long")
    notice_period: timedelta = Field(description="Notice of termination")
    annual_fee: Decimal | None = Field(None, description="The fee for each year")
    liability_cap: Decimal | None = Field(None, description="Liability is limited to this amount")
    governing_law: str | None = Field(None, description="The law that governs the agreement")
    renews_automatically: bool | None = Field(
        None, description="The agreement renews automatically"
    )


class Policy(BaseModel):
    owner: str | None = Field(None, description="Who owns the policy")
    effective_date: date | None = Field(None, description="The policy takes effect on this day")
    review_interval: timedelta | None = Field(None, description="The policy is reviewed every")
    approver: str | None = Field(None, description="Who approves requests")
    limit: Decimal | None = Field(None, description="The most that is paid without approval")
    retention_period: timedelta | None = Field(None, description="Records are kept for so long")
    days_allowed: int | None = Field(None, description="Number of days that are allowed each year")
    applies_to: list[str] | None = Field(None, description="Whom the policy applies to")
