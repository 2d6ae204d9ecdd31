# ruff: noqa: E501
"""Writes the labelled documents of extraction beside itself: `python make.py`; needs reportlab."""

import json
from pathlib import Path

import docx
import openpyxl
from reportlab.pdfgen.canvas import Canvas

HERE = Path(__file__).parent
INVOICE = "invoice_number invoice_date due_date seller buyer total currency purchase_order paid"
CONTRACT = (
    "supplier customer start_date term notice_period annual_fee liability_cap governing_law "
    "renews_automatically"
)
POLICY = (
    "owner effective_date review_interval approver limit retention_period days_allowed applies_to"
)


def pdf(path, placed):
    """Lines as (x, points from the top, text); a number alone begins the next page."""
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=1)
    for each in placed:
        if each is None:
            canvas.showPage()
            continue
        x, down, text = each[:3]
        canvas.setFont(
            "Helvetica-Bold" if len(each) > 3 else "Helvetica", each[3] if len(each) > 3 else 10
        )
        canvas.drawString(x, 842 - down, text)
    canvas.save()


def word(path, blocks):
    made = docx.Document()
    for style, text in blocks:
        if style == "table":
            table = made.add_table(0, len(text[0]))
            for row in text:
                for cell, said in zip(table.add_row().cells, row, strict=True):
                    cell.text = said
        else:
            made.add_paragraph(text, style=style)
    made.save(path)


def sheet(path, rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)


# --- The test documents, written first -----------------------------------------------------------

TEST = HERE / "test"
TEST_LABELS = {
    "northwind.pdf": ("Invoice", "NW-20417|2026-03-14|2026-04-13|Northwind Paper Ltd|Harbour Street Clinic|1486.80|GBP|PO-7731|"),
    "lumen.html": ("Invoice", "2026/0088|2026-01-05|2026-01-19|Lumen Studio GmbH|Stadtwerke Aue|2380.00|EUR||False"),
    "quarry.txt": ("Invoice", "Q-5512|2025-11-30||Quarry Hill Catering|Redwood Primary School|642.50|USD|8841|True"),
    "delta.xlsx": ("Invoice", "DL-3009|2026-02-02|2026-03-04|Delta Logistics AG|Kern Maschinen AG|9120.00|CHF|K-118|"),
    "hosting.md": ("Contract", "Brightcloud Ltd|Fenwick Museum|2026-04-01|P2Y|P90D|18000|36000|England and Wales|True"),
    "cleaning.docx": ("Contract", "Sparrow Cleaning Services LLC|Marlow Dental Group|2026-06-15|P12M|P30D|24600||the State of Oregon|False"),
    "software.pdf": ("Contract", "Tessera Systems GmbH|Volksbank Linden eG|2025-09-01|P36M|P6M|54000|100000|Germany|"),
    "travel.md": ("Policy", "Finance Department|2026-01-01|P12M|your line manager|150|P7Y||employees;contractors"),
    "leave.docx": ("Policy", "Human Resources|2025-07-01|P2Y|the head of department|||28|"),
    "visitors.html": ("Policy", "Facilities Team||P6M|||P30D||"),
}  # fmt: skip


def make_test():
    TEST.mkdir(exist_ok=True)
    pdf(TEST / "northwind.pdf", [
        (50, 60, "Northwind Paper Ltd", 18), (50, 80, "4 Mill Lane, Leeds LS1 4AB"), (430, 60, "INVOICE", 16),
        (50, 130, "Bill to", 10), (50, 145, "Harbour Street Clinic"), (50, 160, "12 Harbour Street, Hull"),
        (350, 130, "Invoice number:"), (460, 130, "NW-20417"), (350, 145, "Invoice date:"), (460, 145, "14 March 2026"),
        (350, 160, "Payment due:"), (460, 160, "13 April 2026"), (350, 175, "Your order:"), (460, 175, "PO-7731"),
        (50, 230, "Description", 10), (300, 230, "Quantity", 10), (380, 230, "Unit price", 10), (480, 230, "Amount", 10),
        (50, 250, "Copier paper A4, box"), (300, 250, "40"), (380, 250, "£24.50"), (480, 250, "£980.00"),
        (50, 265, "Envelopes C5, box"), (300, 265, "20"), (380, 265, "£12.95"), (480, 265, "£259.00"),
        (380, 300, "Subtotal"), (480, 300, "£1,239.00"), (380, 315, "VAT 20%"), (480, 315, "£247.80"),
        (380, 335, "Total due", 11), (480, 335, "£1,486.80", 11),
        (50, 400, "Please pay by bank transfer within 30 days. Thank you for your order."),
    ])  # fmt: skip
    (
        TEST / "lumen.html"
    ).write_text("""<!doctype html><html lang="en"><head><title>Invoice 2026/0088</title></head><body>
<h1>Invoice</h1>
<p>From: Lumen Studio GmbH, Kastanienallee 7, Berlin</p>
<p>To: Stadtwerke Aue, Markt 1, Aue</p>
<table><tr><th>Invoice no.</th><th>Date of issue</th><th>Due date</th></tr>
<tr><td>2026/0088</td><td>05.01.2026</td><td>19.01.2026</td></tr></table>
<table><tr><th>Service</th><th>Hours</th><th>Amount</th></tr>
<tr><td>Photography of plant</td><td>16</td><td>1,600.00 EUR</td></tr>
<tr><td>Retouching</td><td>4</td><td>400.00 EUR</td></tr></table>
<p>Net amount: 2,000.00 EUR</p><p>VAT (19 %): 380.00 EUR</p><p>Total: 2,380.00 EUR</p>
<p>This invoice has not been paid yet. We thank you for your trust.</p>
</body></html>
""")
    (TEST / "quarry.txt").write_text("""QUARRY HILL CATERING
Invoice Q-5512

Sold by: Quarry Hill Catering
Billed to: Redwood Primary School
Invoice date: November 30, 2025
Purchase order: 8841

Lunch for 45 guests      $585.00
Delivery                  $57.50

Total due: $642.50

Paid: yes, by card on November 30, 2025
""")
    sheet(TEST / "delta.xlsx", [
        ["Delta Logistics AG"], ["Invoice DL-3009"], [],
        ["Seller", "Delta Logistics AG"], ["Customer", "Kern Maschinen AG"], ["Invoice number", "DL-3009"],
        ["Invoice date", "2026-02-02"], ["Due date", "2026-03-04"], ["Order number", "K-118"], [],
        ["Item", "Pallets", "Amount (CHF)"], ["Freight Basel to Genoa", 12, 7200.0], ["Storage", 12, 1240.0],
        ["Tax", None, 680.0], ["Total (CHF)", None, 9120.0],
    ])  # fmt: skip
    (TEST / "hosting.md").write_text("""# Hosting Agreement

This agreement is made between Brightcloud Ltd (the "Supplier") and Fenwick Museum (the "Customer").

## 1 Term

This agreement starts on 1 April 2026 and runs for two years. It renews automatically for one further year unless
either party gives notice.

## 2 Fees

The Customer pays an annual fee of £18,000, in four instalments of £4,500. Set-up is charged once at £1,200.

## 3 Termination

Either party may terminate this agreement by giving 90 days' written notice. Where a party is in breach, 14 days suffice.

## 4 Liability

The Supplier's total liability under this agreement is limited to £36,000.

## 5 Law

This agreement is governed by the laws of England and Wales.
""")
    word(TEST / "cleaning.docx", [
        ("Title", "Cleaning Services Contract"),
        ("table", [["Supplier", "Sparrow Cleaning Services LLC"], ["Customer", "Marlow Dental Group"],
                   ["Start date", "June 15, 2026"], ["Term", "12 months"]]),
        ("Heading 1", "Services"),
        ("Normal", "The Supplier cleans the Customer's offices on five evenings a week, between 18:00 and 22:00."),
        ("Heading 1", "Price"),
        ("Normal", "The annual fee is $24,600. Invoices are sent monthly and are payable within 21 days."),
        ("Heading 1", "Ending this contract"),
        ("Normal", "The notice period is 30 days. This contract does not renew automatically."),
        ("Heading 1", "General"),
        ("Normal", "This contract is governed by the laws of the State of Oregon."),
    ])  # fmt: skip
    pdf(TEST / "software.pdf", [
        (50, 70, "Software Licence and Maintenance Agreement", 16),
        (50, 110, "between Tessera Systems GmbH, Hamburg, as supplier, and"),
        (50, 124, "Volksbank Linden eG, Hannover, as customer."),
        (50, 160, "Article 1 - Commencement and duration", 12),
        (50, 178, "The agreement commences on 1 September 2025. It is concluded for a fixed term of 36 months."),
        (50, 206, "Article 2 - Remuneration", 12),
        (50, 224, "The licence fee is EUR 54,000 per year. Training days are charged at EUR 1,150 each."),
        (50, 252, "Article 3 - Notice", 12),
        (50, 270, "Notice of termination must be given six months before the end of the term."),
        (50, 298, "Article 4 - Limitation of liability", 12),
        (50, 316, "Liability for slight negligence is capped at EUR 100,000 in total."),
        (50, 344, "Article 5 - Final provisions", 12),
        (50, 362, "The law of Germany applies. Place of jurisdiction is Hamburg."),
    ])  # fmt: skip
    (TEST / "travel.md").write_text("""# Travel and Expenses Policy

Owner: Finance Department

Effective from: 1 January 2026

This policy applies to:

- employees
- contractors

It is reviewed every 12 months.

## Expenses

You may spend up to €150 without approval. Anything above that is approved by your line manager. Receipts over €25 must
be attached.

## Records

Receipts and claims are kept for seven years.
""")
    word(TEST / "leave.docx", [
        ("Title", "Annual Leave"),
        ("Normal", "This policy is owned by Human Resources. It takes effect on 1 July 2025 and is reviewed every two years."),
        ("Heading 1", "Entitlement"),
        ("Normal", "Full-time staff are allowed 28 days of leave each year. Up to 5 days may be carried over until 31 March."),
        ("Heading 1", "Requests"),
        ("Normal", "Requests for leave are approved by the head of department. Ask at least 10 working days ahead."),
    ])  # fmt: skip
    (
        TEST / "visitors.html"
    ).write_text("""<!doctype html><html lang="en"><head><title>Visitors</title></head><body>
<h1>Visitors policy</h1>
<dl><dt>Policy owner</dt><dd>Facilities Team</dd><dt>Review</dt><dd>every six months</dd></dl>
<p>Visitors sign in at reception and wear a badge. They are met by their host within 10 minutes.</p>
<p>The visitor log is kept for 30 days and then shredded.</p>
</body></html>
""")
    _label(TEST, TEST_LABELS)


# --- The calibration documents, by which thresholds were chosen ----------------------------------

CALIBRATION = HERE / "calibration"
CALIBRATION_LABELS = {
    "orchard.md": ("Invoice", "OR-114|2026-05-02|2026-05-16|Orchard Tools Inc.|Pine County Parks|1093.20|USD||"),
    "ferry.docx": ("Invoice", "F2026-77|2026-02-20|2026-03-22|Ferryman Freight BV|Blue Door Books|845.00|EUR|BD-2290|False"),
    "copper.pdf": ("Invoice", "88123|2025-12-09|2026-01-08|Copperfield Joinery|Mrs Ellen Marsh|3150.00|GBP||"),
    "helvetia.csv": ("Invoice", "HV-901|2026-03-31|2026-04-30|Helvetia Print SA|Musik Akademie Bern|412.30|CHF|MA-55|True"),
    "catering.html": ("Contract", "Green Fork Catering Ltd|Oakdale Academy|2026-09-01|P1Y|P3M|72000||Scotland|True"),
    "support.txt": ("Contract", "Argus IT Services|Bellamy & Sons|2026-01-15|P18M|P60D|9600|20000|the State of New York|False"),
    "lift.docx": ("Contract", "Vertical Lifts AG|Hotel Seeblick|2025-10-01|P5Y|P6M|4800|50000|Switzerland|"),
    "remote.md": ("Policy", "People Team|2026-03-01|P12M|your manager|400||60|office staff;managers"),
    "security.html": ("Policy", "Chief Information Security Officer|2025-11-15|P6M|the IT Service Desk||P90D||"),
    "training.pdf": ("Policy", "Learning and Development||P3Y|the head of unit|1200|P5Y|6|"),
}  # fmt: skip


def make_calibration():
    CALIBRATION.mkdir(exist_ok=True)
    (CALIBRATION / "orchard.md").write_text("""# Invoice OR-114

**Seller:** Orchard Tools Inc.

**Customer:** Pine County Parks

| Invoice number | Date | Due |
|---|---|---|
| OR-114 | May 2, 2026 | May 16, 2026 |

| Item | Quantity | Price |
|---|---|---|
| Loppers | 12 | $50.10 |
| Saws | 10 | $40.00 |

Subtotal: $1,001.20

Sales tax: $92.00

Amount due: $1,093.20
""")
    word(CALIBRATION / "ferry.docx", [
        ("Title", "Invoice"),
        ("Normal", "Ferryman Freight BV, Kade 9, Rotterdam"),
        ("table", [["Invoice number", "F2026-77"], ["Invoice date", "20 February 2026"], ["Due date", "22 March 2026"],
                   ["Seller", "Ferryman Freight BV"], ["Bill to", "Blue Door Books"], ["PO number", "BD-2290"]]),
        ("table", [["Service", "Amount"], ["Freight", "€650.00"], ["Customs", "€48.35"], ["VAT", "€146.65"], ["Total due", "€845.00"]]),
        ("Normal", "This invoice is unpaid."),
    ])  # fmt: skip
    pdf(CALIBRATION / "copper.pdf", [
        (50, 60, "INVOICE", 18), (50, 100, "From: Copperfield Joinery"), (50, 116, "To: Mrs Ellen Marsh"),
        (50, 150, "Invoice No: 88123"), (50, 166, "Date: 9 December 2025"), (50, 182, "Due by: 8 January 2026"),
        (50, 230, "Oak staircase, made and fitted"), (480, 230, "£2,625.00"), (50, 246, "VAT at 20%"), (480, 246, "£525.00"),
        (50, 270, "Total to pay", 11), (480, 270, "£3,150.00", 11),
    ])  # fmt: skip
    (CALIBRATION / "helvetia.csv").write_text(
        "Invoice number,Invoice date,Due date,Seller,Customer,Order number,Net,Tax,Total due,Currency,Paid\n"
        "HV-901,2026-03-31,2026-04-30,Helvetia Print SA,Musik Akademie Bern,MA-55,381.40,30.90,412.30,CHF,yes\n"
    )
    (
        CALIBRATION / "catering.html"
    ).write_text("""<!doctype html><html lang="en"><head><title>Catering contract</title></head><body>
<h1>Catering contract</h1>
<p>Supplier: Green Fork Catering Ltd</p><p>Customer: Oakdale Academy</p>
<h2>Duration</h2><p>The contract begins on 1 September 2026 and lasts for one year. It is renewed automatically each year.</p>
<h2>Termination</h2><p>The notice period is three months. A material breach that is not remedied within 10 days ends it at once.</p>
<h2>Charges</h2><p>The school pays £72,000 per year. Extra events are charged at £14.50 per guest.</p>
<h2>Law</h2><p>This contract is governed by the law of Scotland.</p></body></html>
""")
    (CALIBRATION / "support.txt").write_text("""SUPPORT AGREEMENT

Supplier: Argus IT Services
Customer: Bellamy & Sons
Effective date: January 15, 2026

1. The initial term of this agreement is 18 months. It does not renew automatically.

2. The Customer pays a fee of $9,600 per year, in monthly instalments of $800. Calls on site cost $95 per hour.

3. Either party may end this agreement with 60 days' notice.

4. The Supplier's liability is limited to $20,000.

5. This agreement is governed by the laws of the State of New York.
""")
    word(CALIBRATION / "lift.docx", [
        ("Title", "Maintenance contract"),
        ("Normal", "This contract is concluded between Vertical Lifts AG (the supplier) and Hotel Seeblick (the customer)."),
        ("Heading 1", "Term"),
        ("Normal", "It takes effect on 1 October 2025 and is concluded for five years."),
        ("Normal", "It may be terminated with six months' notice to the end of a year."),
        ("Heading 1", "Price and liability"),
        ("Normal", "The annual price is CHF 4,800. Spare parts over CHF 200 are invoiced separately."),
        ("Normal", "The supplier is liable up to CHF 50,000."),
        ("Heading 1", "Law"),
        ("Normal", "The law of Switzerland applies."),
    ])  # fmt: skip
    (CALIBRATION / "remote.md").write_text("""# Working from home

| | |
|---|---|
| Owner | People Team |
| Effective date | 1 March 2026 |
| Review | every 12 months |

Applies to: office staff, managers

You may work from home on up to 60 days each year. Requests are approved by your manager within 5 working days.

Equipment of up to €400 needs no approval.
""")
    (
        CALIBRATION / "security.html"
    ).write_text("""<!doctype html><html lang="en"><head><title>Access to systems</title></head><body>
<h1>Access to systems</h1>
<p>The Chief Information Security Officer owns this policy. It came into force on 15 November 2025 and is reviewed every six months.</p>
<p>The IT Service Desk approves requests for access. Passwords have at least 14 characters.</p>
<p>Access logs are kept for 90 days.</p></body></html>
""")
    pdf(CALIBRATION / "training.pdf", [
        (50, 70, "Training and courses", 16), (50, 100, "Policy owner: Learning and Development"),
        (50, 130, "Staff are allowed 6 days of training each year."),
        (50, 146, "Courses that cost up to €1,200 are paid without approval."),
        (50, 162, "Above that, the head of unit approves the request."),
        (50, 190, "Certificates are kept on file for five years."),
        (50, 206, "This policy is reviewed every three years."),
    ])  # fmt: skip
    _label(CALIBRATION, CALIBRATION_LABELS)


def _label(folder, labels):
    fields = {"Invoice": INVOICE, "Contract": CONTRACT, "Policy": POLICY}
    lines = []
    for file, (kind, said) in labels.items():
        names, values = fields[kind].split(), [each or None for each in said.split("|")]
        told = dict(zip(names, values, strict=True))
        lines.append(json.dumps({"file": file, "schema": kind, "values": told}, ensure_ascii=False))
    (folder / "labels.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    make_test()
    make_calibration()
