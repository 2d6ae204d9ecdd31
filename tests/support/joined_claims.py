"""True facts, joined by connections that no source states, and truly: source, invented, true."""

from typing import NamedTuple


class Joined(NamedTuple):
    source: tuple[str, ...]
    invented: tuple[str, ...]
    true: tuple[str, ...]


JOINED = (
    Joined(
        ("Library turnover grew by 40 % in 2023.", "The market for printed books fell."),
        (
            "Library turnover grew by 40 % in 2023 because the market for printed books fell.",
            "Library turnover grew by 40 % while the market fell, which shows that readers return.",
            "The market for printed books fell, so library turnover grew by 40 % in 2023.",
        ),
        ("Library turnover grew by 40 % in 2023, and the market for printed books fell.",),
    ),
    Joined(
        ("The canteen closes at 15:00.", "Staff may eat at their desks."),
        (
            "Since the canteen closes at 15:00, staff may eat at their desks.",
            "Staff may eat at their desks because the canteen closes at 15:00.",
            "The canteen closes at 15:00; therefore, staff may eat at their desks.",
        ),
        ("The canteen closes at 15:00. Staff may eat at their desks.",),
    ),
    Joined(
        ("Laptops are replaced every four years.", "Phones are replaced every two years."),
        (
            "Phones are replaced every two years, which is why laptops are replaced every four.",
            "Laptops last longer than phones and are replaced every four years.",
            "As phones are replaced every two years, laptops are replaced every four years.",
        ),
        ("Laptops are replaced every four years, and phones every two years.",),
    ),
    Joined(
        ("New joiners get a mentor.", "The probation period lasts six months."),
        (
            "New joiners get a mentor because the probation period lasts six months.",
            "The probation period lasts six months so that new joiners get a mentor.",
            "New joiners get a mentor, which means that the probation period lasts six months.",
        ),
        ("New joiners get a mentor; the probation period lasts six months.",),
    ),
    Joined(
        ("The gym opens at 06:00.", "Members may bring one guest."),
        (
            "Owing to the fact that the gym opens at 06:00, members may bring one guest.",
            "The gym opens at 06:00, thereby members may bring one guest.",
            "Members may bring one guest due to the gym opening at 06:00.",
        ),
        ("The gym opens at 06:00 and members may bring one guest.",),
    ),
    Joined(
        ("The archive is kept at 18 degrees.", "Visitors must leave bags in a locker."),
        (
            "Visitors must leave bags in a locker, as the archive is kept at 18 degrees.",
            "The archive is kept at 18 degrees, and this leads to bags being left in a locker.",
            "Given that the archive is kept at 18 degrees, visitors must leave bags in a locker.",
        ),
        ("Visitors must leave bags in a locker, and the archive is kept at 18 degrees.",),
    ),
    Joined(
        ("Overtime is paid at 150 %.", "Night shifts are rostered two weeks ahead."),
        (
            "Overtime is paid at 150 % because night shifts are rostered two weeks ahead.",
            "Night shifts are rostered two weeks ahead, hence overtime is paid at 150 %.",
            "Overtime is paid at 150 %, meaning that night shifts are rostered two weeks ahead.",
        ),
        ("Overtime is paid at 150 %, while night shifts are rostered two weeks ahead.",),
    ),
    Joined(
        ("The wiki is open to everyone.", "Edits are reviewed each Friday."),
        (
            "Edits are reviewed each Friday because the wiki is open to everyone.",
            "The wiki is open to everyone. As a result, edits are reviewed each Friday.",
            "The reason edits are reviewed each Friday is that the wiki is open to everyone.",
        ),
        ("The wiki is open to everyone, and its edits are reviewed each Friday.",),
    ),
    Joined(
        ("Course fees fell in 2022.", "Enrolment rose in 2022."),
        (
            "Enrolment rose in 2022 thanks to course fees having fallen.",
            "Course fees fell in 2022, which led to enrolment rising.",
            "Course fees fell in 2022; consequently enrolment rose.",
        ),
        ("Course fees fell in 2022 and enrolment rose.",),
    ),
    Joined(
        ("The dormitory has 210 rooms.", "Rent includes heating."),
        (
            "Rent includes heating because the dormitory has 210 rooms.",
            "The dormitory has 210 rooms, so rent includes heating.",
            "That the dormitory has 210 rooms explains why rent includes heating.",
        ),
        ("The dormitory has 210 rooms; rent includes heating.",),
    ),
    Joined(
        ("Invoices are paid within 30 days.", "Suppliers are audited yearly."),
        (
            "Suppliers are audited yearly in order to pay invoices within 30 days.",
            "Invoices are paid within 30 days since suppliers are audited yearly.",
            "Suppliers are audited yearly, which ensures invoices are paid within 30 days.",
        ),
        ("Invoices are paid within 30 days, and suppliers are audited yearly.",),
    ),
    Joined(
        ("The pool is 25 metres long.", "Swimming lessons cost 8 pounds."),
        (
            "Swimming lessons cost 8 pounds because the pool is 25 metres long.",
            "The pool is 25 metres long, from which it follows that lessons cost 8 pounds.",
            "As a consequence of the pool being 25 metres long, swimming lessons cost 8 pounds.",
        ),
        ("Swimming lessons cost 8 pounds, and the pool is 25 metres long.",),
    ),
    Joined(
        ("Remote work is allowed three days a week.", "Offices have no fixed desks."),
        (
            "Offices have no fixed desks because remote work is allowed three days a week.",
            "Remote work is allowed three days a week, which is why offices have no fixed desks.",
            "Offices have no fixed desks, so remote work is allowed three days a week.",
        ),
        ("Remote work is allowed three days a week. Offices have no fixed desks.",),
    ),
    Joined(
        ("The bursary pays 900 euros a month.", "Applicants are interviewed in June."),
        (
            "Applicants are interviewed in June because the bursary pays 900 euros a month.",
            "The bursary pays 900 euros a month, and therefore applicants are interviewed in June.",
            "The bursary pays 900 euros a month as soon as applicants are interviewed in June.",
        ),
        ("The bursary pays 900 euros a month, and applicants are interviewed in June.",),
    ),
    Joined(
        ("Backups run at 02:00.", "Servers are patched on Tuesdays."),
        (
            "Servers are patched on Tuesdays because backups run at 02:00.",
            "Backups run at 02:00, accordingly servers are patched on Tuesdays.",
            "Backups run at 02:00, which implies that servers are patched on Tuesdays.",
        ),
        ("Backups run at 02:00, and servers are patched on Tuesdays.",),
    ),
    Joined(
        ("Parking costs 5 pounds a day.", "Bicycles are parked free of charge."),
        (
            "Bicycles are parked free of charge because parking costs 5 pounds a day.",
            "Parking costs 5 pounds a day so that bicycles are parked free of charge.",
            "Compared with parking at 5 pounds a day, bicycles are parked free of charge.",
        ),
        ("Parking costs 5 pounds a day; bicycles are parked free of charge.",),
    ),
    Joined(
        ("The thesis has at most 80 pages.", "Supervisors meet students every two weeks."),
        (
            "Supervisors meet students every two weeks since the thesis has at most 80 pages.",
            "The thesis has at most 80 pages, thus supervisors meet students every two weeks.",
            "Supervisors meet students every two weeks: that proves it has at most 80 pages.",
        ),
        ("The thesis has at most 80 pages, and supervisors meet students every two weeks.",),
    ),
    Joined(
        ("The hotline answers in 40 seconds.", "Tickets are closed after 14 days."),
        (
            "Tickets are closed after 14 days because the hotline answers in 40 seconds.",
            "The hotline answers in 40 seconds, whereas tickets are closed after 14 days.",
            "The hotline answers in 40 seconds, resulting from which it follows that tickets are "
            "closed after 14 days.",
        ),
        ("The hotline answers in 40 seconds, and tickets are closed after 14 days.",),
    ),
    Joined(
        ("Blood donors get a day off.", "The clinic is closed in August."),
        (
            "Blood donors get a day off because the clinic is closed in August.",
            "The clinic is closed in August, hence blood donors get a day off.",
            "Blood donors get a day off whenever the clinic is closed in August.",
        ),
        ("Blood donors get a day off, and the clinic is closed in August.",),
    ),
    Joined(
        ("The fund grew to 3 million euros.", "Two trustees resigned."),
        (
            "Two trustees resigned because the fund grew to 3 million euros.",
            "The fund grew to 3 million euros, which caused two trustees to resign.",
            "Because two trustees resigned, the fund grew to 3 million euros.",
        ),
        ("The fund grew to 3 million euros, and two trustees resigned.",),
    ),
    Joined(
        ("Exams are written on paper.", "Results are published within four weeks."),
        (
            "Results are published within four weeks because exams are written on paper.",
            "Exams are written on paper, so results are published within four weeks.",
            "Exams are written on paper, which explains results within four weeks.",
        ),
        ("Exams are written on paper, and results are published within four weeks.",),
    ),
    Joined(
        (
            "The lift is out of service because its motor burnt out.",
            "Deliveries go to the back door.",
        ),
        (
            "Deliveries go to the back door because its motor burnt out.",
            "The lift is out of service, therefore deliveries go to the back door.",
        ),
        (
            "The lift is out of service because its motor burnt out.",
            "Since its motor burnt out, the lift is out of service.",
        ),
    ),
    Joined(
        (
            "Lab coats are washed weekly, so that stains do not spread.",
            "Gloves are handed out at the door.",
        ),
        (
            "Gloves are handed out at the door so that stains do not spread.",
            "Lab coats are washed weekly because gloves are handed out at the door.",
        ),
        ("Lab coats are washed weekly in order that stains do not spread.",),
    ),
)
