"""How a reader becomes known: through Slack, or by a link that works once."""
