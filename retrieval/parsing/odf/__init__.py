"""OpenDocument: text, sheets and slides, as LibreOffice and others write them."""
