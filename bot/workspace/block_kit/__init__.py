"""Slack's blocks and modals have the limits that Slack sets them."""
