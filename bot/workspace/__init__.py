"""A small stand-in for Slack on this machine: the protocol, a workspace and a page to type in."""
