"""Text recognition (OCR): what a picture of a page says, and how surely it was read."""
