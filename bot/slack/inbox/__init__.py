"""Everything that somebody asked in Slack, until it is done."""
