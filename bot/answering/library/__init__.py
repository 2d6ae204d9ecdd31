"""Questions about the library itself are answered from it."""
