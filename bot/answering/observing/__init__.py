"""What is seen of the bot from outside: how it is, numbers, traces, and its log."""
