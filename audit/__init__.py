"""What was said and why, append-only; knows nothing of bots or retrieval."""
