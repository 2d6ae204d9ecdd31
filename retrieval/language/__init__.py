"""What is particular to a language stands here: English so far."""
