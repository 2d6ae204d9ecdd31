"""What people see in Slack: pure functions from values to messages and modals.

Words of documents and people never enter Slack's markup language, which has no escape for
`*`, `_` and the like: they travel as rich text, which Slack shows letter for letter. Only
the bot's own words are `mrkdwn`. So nothing in a document can format, link or ping.
"""
