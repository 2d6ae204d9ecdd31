"""One archive of all that cannot be made anew, and a home made of it again."""
