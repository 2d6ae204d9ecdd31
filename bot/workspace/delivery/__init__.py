"""What happens in a workspace reaches the app, and what the app answers reaches the workspace."""
