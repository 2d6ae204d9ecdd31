"""Exact changes by rule make a true sentence untrue of its passage; some only reword it.

A small model reads "14 days" and "40 days" as nearly the same. Real text altered in one place
teaches it to look, and the same text reworded that style is no sign.
"""
