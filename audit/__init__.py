"""The audit keeps what was said and why, append-only; it knows nothing of bots or retrieval."""
