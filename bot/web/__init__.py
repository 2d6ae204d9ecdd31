"""Pages of ours in a browser: what a citation cites."""
