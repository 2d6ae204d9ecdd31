"""What was asked in a week and not answered, by the unit that it concerns, and without names."""
