"""Workbooks of spreadsheets are read here."""
