"""How replies and records say what they cite, at every door."""
