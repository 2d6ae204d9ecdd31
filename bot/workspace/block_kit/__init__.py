"""Slack's blocks and modals, with the limits that Slack sets them."""
