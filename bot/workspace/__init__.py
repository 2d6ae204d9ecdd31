"""A workspace stands in for Slack on this machine: its protocol, rooms and a page to type in."""
