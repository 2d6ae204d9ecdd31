"""The bot in Slack: what it hears, keeps, answers and shows there."""
