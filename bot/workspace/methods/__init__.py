"""The Web API: its methods, and what stands before each of them."""
