"""The index in a folder of the home, for one bot that writes and many readers."""
